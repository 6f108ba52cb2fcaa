from .answer import (
    Answer as Answer,
    Choice as Choice,
    PlayChoice as PlayChoice,
    Side as Side,
    decision_named as decision_named,
)
from .judge import (
    Judge as Judge,
)
from .many import (
    Answers as Answers,
    Question as Question,
    answer_many as answer_many,
)
from .races import (
    Races as Races,
)
from .values import (
    Kind as Kind,
    Source as Source,
    Values as Values,
)
