from .rolled import (
    Rolled as Rolled,
)
from .rows import (
    question_of as question_of,
)
from .run import (
    OUTPUT as OUTPUT,
    Judged as Judged,
    Summary as Summary,
    answer_file as answer_file,
)
