from . import plain as plain
from .answer import (
    FIELDS as FIELDS,
    NUMBERS as NUMBERS,
    Answer as Answer,
    Choice as Choice,
    SideSummary as SideSummary,
    decisions_of as decisions_of,
    intervals as intervals,
)
from .judge import (
    EPC_ERROR as EPC_ERROR,
    PATIENCE as PATIENCE,
    Judge as Judge,
    RollOut as RollOut,
    check_in_play as check_in_play,
)
from .many import (
    Answers as Answers,
    answer_many as answer_many,
)
from .question import (
    PARTS as PARTS,
    Question as Question,
    read_asked as read_asked,
    read_question as read_question,
)
from .rolls import (
    RollAnswer as RollAnswer,
    answer_rolls as answer_rolls,
)
from .solving import (
    OutOfPatience as OutOfPatience,
)
