from . import (
    explanation as explanation,
    games as games,
    gold as gold,
    last_rolls as last_rolls,
    n_rolls as n_rolls,
    regions as regions,
    table as table,
)
from .cost import (
    MentalCost as MentalCost,
    costs_by_race as costs_by_race,
    estimate_cost as estimate_cost,
    mental_cost as mental_cost,
)
from .decisions import (
    ValuedDecisions as ValuedDecisions,
    valued_by as valued_by,
)
from .measured_loss import (
    MeasuredLoss as MeasuredLoss,
    scores_seal as scores_seal,
)
from .scores import (
    FormulaLoss as FormulaLoss,
    loss_difference as loss_difference,
    score_formulas as score_formulas,
)
