from . import (
    steps as steps,
    wording as wording,
)
from .wording import (
    PARTS as PARTS,
    format_number as format_number,
    is_halves as is_halves,
    mixed as mixed,
    signed as signed,
)
from .worksheet import (
    RUBRIC as RUBRIC,
    RUBRICS as RUBRICS,
    Number as Number,
    Step as Step,
    Verdict as Verdict,
    Worksheet as Worksheet,
    times as times,
    yes as yes,
)
