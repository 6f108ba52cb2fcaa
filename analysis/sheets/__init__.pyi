from .cheat import (
    cheat_sheet as cheat_sheet,
)
from .cheat_page import (
    write_cheat_sheet as write_cheat_sheet,
)
from .examples import (
    ExampleRaces as ExampleRaces,
    draw_examples as draw_examples,
)
from .match_leads import (
    LENGTHS as LENGTHS,
    LongWindow as LongWindow,
    asked_of_chance as asked_of_chance,
    long_window as long_window,
)
from .player_tables import (
    gold_standard_sheet as gold_standard_sheet,
    n_roll_sheet as n_roll_sheet,
    two_checker_sheet as two_checker_sheet,
)
from .take_points import (
    take_point_sheet as take_point_sheet,
)
from .write import (
    write_sheet as write_sheet,
)
