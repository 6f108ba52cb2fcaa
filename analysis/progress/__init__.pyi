from .beyond_chance import (
    FEWEST as FEWEST,
    ErrorPattern as ErrorPattern,
    findings as findings,
    holm as holm,
)
from .clusters import (
    ClusteredMean as ClusteredMean,
    difference as difference,
    mean as mean,
    ratio as ratio,
    regress as regress,
)
from .luck import (
    RaceResult as RaceResult,
    race_results as race_results,
)
from .made import (
    DecisionColumns as DecisionColumns,
    MadeDecision as MadeDecision,
    formula_cost as formula_cost,
    stakes_of as stakes_of,
)
from .ratings import (
    CountedSum as CountedSum,
    RatingBlock as RatingBlock,
    RatingCourse as RatingCourse,
    ratings_over_time as ratings_over_time,
)
from .summary import (
    DecisionGroup as DecisionGroup,
    LuckSum as LuckSum,
    Progress as Progress,
    progress as progress,
)
