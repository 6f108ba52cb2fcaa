from .rolled import (
    Rolled as Rolled,
)
from .run import (
    OUTPUT as OUTPUT,
    Judged as Judged,
    Summary as Summary,
    answer_file as answer_file,
)
