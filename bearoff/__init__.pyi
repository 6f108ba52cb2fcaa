from . import (
    bear_in as bear_in,
    checks as checks,
    cube as cube,
    match as match,
    matchup as matchup,
    one_sided as one_sided,
    plays as plays,
    positions as positions,
    race_model as race_model,
    rolls as rolls,
    runtime as runtime,
    storage as storage,
    two_sided as two_sided,
)
from .cube import (
    RACE_EFFICIENCY as RACE_EFFICIENCY,
    CubeAction as CubeAction,
    CubeActions as CubeActions,
    CubeThresholds as CubeThresholds,
    best_plays as best_plays,
    cube_action as cube_action,
    cube_actions as cube_actions,
    cubeful_equity as cubeful_equity,
    doubling_window as doubling_window,
    market as market,
)
from .errors import (
    BearoffError as BearoffError,
    PositionError as PositionError,
    RollError as RollError,
    ScoreError as ScoreError,
    TableError as TableError,
)
from .match import (
    MatchActions as MatchActions,
    MatchEquities as MatchEquities,
    MatchTable as MatchTable,
    MatchThresholds as MatchThresholds,
    build_match_table as build_match_table,
    match_actions as match_actions,
    match_equities as match_equities,
    match_market as match_market,
    match_race as match_race,
    match_table as match_table,
    match_thresholds as match_thresholds,
    read_match_equities as read_match_equities,
)
from .one_sided import (
    OneSidedTable as OneSidedTable,
    fewest_rolls_win_probability as fewest_rolls_win_probability,
    one_sided_table as one_sided_table,
    rate_plays as rate_plays,
)
from .plays import (
    Play as Play,
    legal_plays as legal_plays,
)
from .positions import (
    CHECKERS as CHECKERS,
    POINTS as POINTS,
    Position as Position,
    Race as Race,
    position_count as position_count,
    rank as rank,
    unrank as unrank,
)
from .rolls import (
    PIPS_PER_ROLL as PIPS_PER_ROLL,
    ROLLS as ROLLS,
    WEIGHTS as WEIGHTS,
    format_roll as format_roll,
    parse_roll as parse_roll,
)
from .score import (
    Score as Score,
)
from .storage import (
    cache_folder as cache_folder,
)
from .two_sided import (
    TwoSidedTable as TwoSidedTable,
    build_two_sided_table as build_two_sided_table,
    two_sided_table as two_sided_table,
)
