from .doubling import (
    write_doubling_lesson as write_doubling_lesson,
)
from .eight_checkers import (
    mean_rolls_by_rules as mean_rolls_by_rules,
)
from .no_chance import (
    write_no_chance_page as write_no_chance_page,
)
