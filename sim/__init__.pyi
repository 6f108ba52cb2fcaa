from . import (
    config as config,
    cubeful as cubeful,
    engine as engine,
    pairs as pairs,
    play as play,
    populations as populations,
    rollouts as rollouts,
    runs as runs,
    storage as storage,
)
from .config import (
    BatchConfig as BatchConfig,
    ConfigError as ConfigError,
    Problem as Problem,
    load_config as load_config,
)
from .cubeful import (
    CubeMatch as CubeMatch,
    CubeSide as CubeSide,
    play_cubeful as play_cubeful,
)
from .play import (
    PLAYERS as PLAYERS,
    RaceMatch as RaceMatch,
    play_games as play_games,
    player as player,
    throws_of_game as throws_of_game,
)
from .runs import (
    RunSummary as RunSummary,
    StrategyError as StrategyError,
    combine as combine,
    run as run,
)
from .storage import (
    RunError as RunError,
)
