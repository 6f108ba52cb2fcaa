from . import gammons as gammons
from .advice import (
    rate_plays as rate_plays,
)
from .cached import (
    CachedOneSidedTable as CachedOneSidedTable,
    cached_tables as cached_tables,
)
from .convolution import (
    first_off_probability as first_off_probability,
    tail_sums as tail_sums,
)
from .estimate import (
    OneSidedEstimate as OneSidedEstimate,
    check_room as check_room,
    estimate_one_sided_build as estimate_one_sided_build,
)
from .gammons import (
    gammon_chance as gammon_chance,
)
from .opening import (
    fewest_rolls_win_probability as fewest_rolls_win_probability,
    one_sided_table as one_sided_table,
    rebuild_one_sided_table as rebuild_one_sided_table,
)
from .saving import (
    saving_distribution as saving_distribution,
)
from .table import (
    OneSidedTable as OneSidedTable,
)
