from .beyond_chance import (
    FEWEST as FEWEST,
    Finding as Finding,
    findings as findings,
    holm as holm,
)
from .clusters import (
    Mean as Mean,
    difference as difference,
    mean as mean,
    regress as regress,
)
from .luck import (
    RaceResult as RaceResult,
    race_results as race_results,
)
from .made import (
    Decisions as Decisions,
    Made as Made,
    formula_cost as formula_cost,
    stakes_of as stakes_of,
)
from .summary import (
    Group as Group,
    Luck as Luck,
    Progress as Progress,
    progress as progress,
)
