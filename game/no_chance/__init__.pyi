from .position import (
    NoChancePosition as NoChancePosition,
)
from .race import (
    Choice as Choice,
    NoChanceRace as NoChanceRace,
)
from .search import (
    Found as Found,
    Stop as Stop,
    search_no_chance as search_no_chance,
)
from .solving import (
    solve_no_chance_race as solve_no_chance_race,
)
