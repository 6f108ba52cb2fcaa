from .boards import (
    HOME_BOARD as HOME_BOARD,
    board_of as board_of,
)
from .estimate import (
    Goal as Goal,
    games_needed as games_needed,
    on_24_points as on_24_points,
    rollout as rollout,
    short_rollout as short_rollout,
    truncation_table as truncation_table,
)
from .results import (
    Estimate as Estimate,
    Rollout as Rollout,
    RolloutAction as RolloutAction,
    estimates_so_far as estimates_so_far,
    worst_error as worst_error,
)
from .side_by_side import (
    Compared as Compared,
    compare as compare,
)
from .sources import (
    PairedSource as PairedSource,
    RolloutSource as RolloutSource,
)
from .values import (
    Techniques as Techniques,
    ValueModel as ValueModel,
)
