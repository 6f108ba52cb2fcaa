from .equities import (
    MatchEquities as MatchEquities,
    known_equities as known_equities,
    match_equities as match_equities,
    read_match_equities as read_match_equities,
)
from .payoffs import (
    AnyPayoffs as AnyPayoffs,
    CubeState as CubeState,
    LimitedPayoffs as LimitedPayoffs,
    MoneyPayoffs as MoneyPayoffs,
    Payoffs as Payoffs,
)
from .score import (
    LONGEST as LONGEST,
    Game as Game,
    Score as Score,
    check_cube_value as check_cube_value,
)
