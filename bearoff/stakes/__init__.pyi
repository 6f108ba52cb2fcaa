from .equities import (
    MatchEquities as MatchEquities,
    known_equities as known_equities,
    match_equities as match_equities,
    read_match_equities as read_match_equities,
)
from .payoffs import (
    CubeState as CubeState,
    Payoffs as Payoffs,
)
from .score import (
    Game as Game,
    Score as Score,
    check_cube_value as check_cube_value,
)
from .stakes import (
    MONEY as MONEY,
    Match as Match,
    Money as Money,
    Stakes as Stakes,
    Terms as Terms,
)
from .theory import (
    RACE_EFFICIENCY as RACE_EFFICIENCY,
    CubeThresholds as CubeThresholds,
    cubeful_equity as cubeful_equity,
    take_points as take_points,
)
from .thresholds import (
    MatchThresholds as MatchThresholds,
    match_thresholds as match_thresholds,
)
from .values import (
    COSTS as COSTS,
    OWNERS as OWNERS,
    PASS as PASS,
    RollersCube as RollersCube,
    Values as Values,
)
