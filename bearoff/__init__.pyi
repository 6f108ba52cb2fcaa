from . import (
    analysis as analysis,
    answers as answers,
    bear_in as bear_in,
    gnubg as gnubg,
    matchup as matchup,
    one_sided as one_sided,
    plays as plays,
    positions as positions,
    race_model as race_model,
    rolls as rolls,
    scores as scores,
    sim as sim,
    sources as sources,
    stakes as stakes,
    storage as storage,
    two_sided as two_sided,
)
from .analysis import (
    open_run as open_run,
)
from .answers import (
    Answer as Answer,
    Judge as Judge,
    Question as Question,
    answer_many as answer_many,
)
from .errors import (
    BearoffError as BearoffError,
    PositionError as PositionError,
    RollError as RollError,
    ScoreError as ScoreError,
    TableError as TableError,
)
from .match_solver import (
    MatchTable as MatchTable,
    build_match_table as build_match_table,
    match_race as match_race,
    match_table as match_table,
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
from .scores import (
    MatchEquities as MatchEquities,
    Score as Score,
    match_equities as match_equities,
    read_match_equities as read_match_equities,
)
from .sim import (
    run as run,
)
from .sources import (
    cube_action as cube_action,
    cube_actions as cube_actions,
    doubling_window as doubling_window,
    market as market,
)
from .stakes import (
    RACE_EFFICIENCY as RACE_EFFICIENCY,
    CubeThresholds as CubeThresholds,
    Match as Match,
    MatchThresholds as MatchThresholds,
    Money as Money,
    Values as Values,
    cubeful_equity as cubeful_equity,
    match_thresholds as match_thresholds,
)
from .storage import (
    cache_folder as cache_folder,
)
from .two_sided import (
    TwoSidedTable as TwoSidedTable,
    build_two_sided_table as build_two_sided_table,
    two_sided_table as two_sided_table,
)
