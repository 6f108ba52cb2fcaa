from .sides import (
    RacePlayer as RacePlayer,
)
from .strategies import (
    BestResponse as BestResponse,
    CubeAnswer as CubeAnswer,
    CubeDecision as CubeDecision,
    CubeStrategy as CubeStrategy,
    EquilibriumCube as EquilibriumCube,
    JanowskiCube as JanowskiCube,
    NeverDoubles as NeverDoubles,
    PerfectCube as PerfectCube,
    ThresholdCube as ThresholdCube,
)
from .values import (
    CubeAt as CubeAt,
    StrategyValues as StrategyValues,
    strategy_values as strategy_values,
)
