from .candidates import (
    Search as Search,
)
from .epc import (
    Sides as Sides,
    score_estimates as score_estimates,
    search_estimates as search_estimates,
)
from .fit import (
    choose as choose,
)
from .objective import (
    Objective as Objective,
)
from .page import (
    FitResult as FitResult,
    write_fit as write_fit,
)
