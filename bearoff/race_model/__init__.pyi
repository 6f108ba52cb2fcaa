from . import kernels as kernels
from .chain import (
    BINS_PER_ROLL as BINS_PER_ROLL,
    MOST_BINS as MOST_BINS,
    race_visits as race_visits,
    typical_falls as typical_falls,
)
from .model import (
    ERRORS as ERRORS,
    NO_DOUBLE_CUBES as NO_DOUBLE_CUBES,
    RaceModel as RaceModel,
)
from .opening import (
    race_model as race_model,
)
from .optimal_estimate import (
    estimate_optimal_win_probability as estimate_optimal_win_probability,
)
from .typical import (
    StatePlanes as StatePlanes,
    TypicalRaces as TypicalRaces,
    typical_races as typical_races,
)
