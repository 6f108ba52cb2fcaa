from .doubling import (
    write_doubling_lesson as write_doubling_lesson,
)
from .no_chance import (
    write_no_chance_page as write_no_chance_page,
)
