from .position import (
    NoChancePosition as NoChancePosition,
)
from .race import (
    NoChanceRace as NoChanceRace,
    NumberChoice as NumberChoice,
)
from .search import (
    SearchResult as SearchResult,
    SearchStop as SearchStop,
    search_no_chance as search_no_chance,
)
from .solving import (
    solve_no_chance_race as solve_no_chance_race,
)
