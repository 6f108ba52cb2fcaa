from .cube import (
    SearchStakes as SearchStakes,
    cube_of as cube_of,
)
from .duels import (
    GameResults as GameResults,
    Mover as Mover,
    linear_mover as linear_mover,
    net_mover as net_mover,
    play_games as play_games,
    pubeval_mover as pubeval_mover,
    random_mover as random_mover,
    search_mover as search_mover,
)
from .erring import (
    ErringPlayer as ErringPlayer,
)
from .player import (
    SearchPlayer as SearchPlayer,
    settings_by_phase as settings_by_phase,
)
from .search import (
    CONTACT_EFFICIENCY as CONTACT_EFFICIENCY,
    SearchedPlay as SearchedPlay,
    Searcher as Searcher,
)
from .settings import (
    SearchSettings as SearchSettings,
)
