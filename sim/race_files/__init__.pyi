from .rows import (
    question_of as question_of,
)
from .run import (
    OUTPUT as OUTPUT,
    answer_file as answer_file,
)
from .summary import (
    AnswerSummary as AnswerSummary,
    JudgedTotal as JudgedTotal,
)
from .waiting import (
    OVERDUE as OVERDUE,
    Wait as Wait,
)
