from . import (
    ladder_kernels as ladder_kernels,
)
from .cube import (
    CUBES as CUBES,
    Cube as Cube,
    CubeOwner as CubeOwner,
    RollersCube as RollersCube,
    cube_among as cube_among,
    cube_named as cube_named,
)
from .ladder import (
    cube_ladder as cube_ladder,
)
from .mistakes import (
    DIGITS as DIGITS,
    is_mistake as is_mistake,
)
from .stakes import (
    MONEY as MONEY,
    Match as Match,
    Money as Money,
    Stakes as Stakes,
    Terms as Terms,
)
from .theory import (
    RACE_EFFICIENCY as RACE_EFFICIENCY,
    CubeThresholds as CubeThresholds,
    cubeful_equity as cubeful_equity,
    take_points as take_points,
)
from .thresholds import (
    MatchThresholds as MatchThresholds,
    match_thresholds as match_thresholds,
)
from .values import (
    PASS as PASS,
    Values as Values,
)
