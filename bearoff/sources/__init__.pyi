from .exact import (
    Kind as Kind,
    TableSource as TableSource,
    cube_action as cube_action,
    cube_actions as cube_actions,
    numbers_of as numbers_of,
)
from .exchanges import (
    Market as Market,
    market as market,
    market_by as market_by,
)
from .gammons import (
    gammon_chances as gammon_chances,
)
from .model import (
    ModelSource as ModelSource,
)
from .pair_table import (
    PairTable as PairTable,
)
from .plays import (
    PlayValues as PlayValues,
    play_values as play_values,
)
from .races import (
    Races as Races,
    plays_of as plays_of,
    terms_of as terms_of,
)
from .source import (
    Source as Source,
)
from .window import (
    DoublingWindow as DoublingWindow,
    doubling_window as doubling_window,
    window_of as window_of,
)
