from .actions import (
    MatchActions as MatchActions,
    match_actions as match_actions,
)
from .build import (
    build_match_table as build_match_table,
    estimate_match_build as estimate_match_build,
)
from .equities import (
    MatchEquities as MatchEquities,
    match_equities as match_equities,
    read_match_equities as read_match_equities,
)
from .market import (
    match_market as match_market,
)
from .opening import (
    match_race as match_race,
    match_table as match_table,
)
from .table import (
    MatchTable as MatchTable,
)
from .thresholds import (
    MatchThresholds as MatchThresholds,
    match_thresholds as match_thresholds,
)
from .window import (
    match_window as match_window,
)
