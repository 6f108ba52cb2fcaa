from .estimate import (
    Goal as Goal,
    exact_values as exact_values,
    model_values as model_values,
    on_24_points as on_24_points,
    play_to as play_to,
    rollout as rollout,
    short_rollout as short_rollout,
    truncation_table as truncation_table,
)
from .results import (
    Estimate as Estimate,
    Rollout as Rollout,
    RolloutAction as RolloutAction,
    summarise as summarise,
    worst_error as worst_error,
)
from .values import (
    Techniques as Techniques,
    ValueModel as ValueModel,
)
