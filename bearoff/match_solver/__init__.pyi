from .build import (
    build_match_table as build_match_table,
    estimate_match_build as estimate_match_build,
)
from .opening import (
    match_race as match_race,
    match_table as match_table,
    money_race as money_race,
)
from .shared import (
    RaceGroup as RaceGroup,
    groups_of as groups_of,
    least_seconds as least_seconds,
    may_be_solved as may_be_solved,
)
from .table import (
    MatchTable as MatchTable,
)
