from .position import (
    NoChancePosition as NoChancePosition,
)
from .race import (
    Choice as Choice,
    NoChanceRace as NoChanceRace,
    solve_no_chance_race as solve_no_chance_race,
)
from .search import (
    Found as Found,
    search_no_chance as search_no_chance,
)
