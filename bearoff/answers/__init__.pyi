from .answer import (
    FIELDS as FIELDS,
    NUMBERS as NUMBERS,
    OF_VALUES as OF_VALUES,
    Answer as Answer,
    Choice as Choice,
    PlayChoice as PlayChoice,
    Side as Side,
    intervals as intervals,
)
from .exact import (
    Kind as Kind,
    Table as Table,
    cube_action as cube_action,
    cube_actions as cube_actions,
    gammon_take_points as gammon_take_points,
)
from .exchanges import (
    Market as Market,
    market as market,
    market_by as market_by,
)
from .judge import (
    Judge as Judge,
)
from .many import (
    Answers as Answers,
    answer_many as answer_many,
)
from .model import (
    Model as Model,
)
from .question import (
    PARTS as PARTS,
    Question as Question,
    read_question as read_question,
)
from .races import (
    Races as Races,
    terms_of as terms_of,
)
from .rolls import (
    RollAnswer as RollAnswer,
    answer_rolls as answer_rolls,
)
from .source import (
    Source as Source,
)
from .table_plays import (
    ValuedPlay as ValuedPlay,
    best_plays as best_plays,
    value_plays as value_plays,
)
from .window import (
    DoublingWindow as DoublingWindow,
    doubling_window as doubling_window,
    window_of as window_of,
)
