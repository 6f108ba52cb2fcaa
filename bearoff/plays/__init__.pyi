from . import (
    distribution_kernels as distribution_kernels,
    kernels as kernels,
    lowered as lowered,
    pip_levels as pip_levels,
)
from .play import (
    Play as Play,
    legal_plays as legal_plays,
)
from .policies import (
    PolicyArray as PolicyArray,
    Successors as Successors,
    check_policy as check_policy,
    least_score_policy as least_score_policy,
    number_type as number_type,
    play_distribution as play_distribution,
    policy_distribution as policy_distribution,
    rank_steps as rank_steps,
    reached as reached,
    successors as successors,
)
from .refused import (
    why_no_play as why_no_play,
)
from .writing import (
    write_moves as write_moves,
)
