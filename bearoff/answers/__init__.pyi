from .answer import (
    Answer as Answer,
    Choice as Choice,
    PlayChoice as PlayChoice,
    Side as Side,
)
from .judge import (
    Judge as Judge,
)
from .many import (
    Answers as Answers,
    answer_many as answer_many,
)
from .question import (
    Question as Question,
    read_question as read_question,
)
from .races import (
    Races as Races,
)
from .rolls import (
    RollAnswer as RollAnswer,
    answer_rolls as answer_rolls,
)
from .values import (
    Kind as Kind,
    Source as Source,
    Values as Values,
)
