from . import (
    counting as counting,
    files as files,
    rules as rules,
    writing as writing,
)
from .counting import (
    Adjustment as Adjustment,
    Count as Count,
)
from .library import (
    RECOMMENDED as RECOMMENDED,
    found_names as found_names,
    get as get,
    names as names,
    recommended_for as recommended_for,
)
from .rules import (
    CountRule as CountRule,
    CountWinRule as CountWinRule,
    Formula as Formula,
    Line as Line,
    WinFormula as WinFormula,
    WorkedFormula as WorkedFormula,
)
