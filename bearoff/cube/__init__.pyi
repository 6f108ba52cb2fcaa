from .actions import (
    CubeAction as CubeAction,
    CubeActions as CubeActions,
    cube_action as cube_action,
    cube_actions as cube_actions,
)
from .arguments import (
    RollersCube as RollersCube,
)
from .market_losers import (
    Market as Market,
    market as market,
)
from .plays import (
    ValuedPlay as ValuedPlay,
    best_plays as best_plays,
    value_plays as value_plays,
)
from .theory import (
    RACE_EFFICIENCY as RACE_EFFICIENCY,
    CubeThresholds as CubeThresholds,
    cubeful_equity as cubeful_equity,
)
from .window import (
    DoublingWindow as DoublingWindow,
    doubling_window as doubling_window,
)
