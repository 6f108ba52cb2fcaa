from .candidates import (
    SearchOptions as SearchOptions,
)
from .fit import (
    choose as choose,
)
from .frontier import (
    Bounds as Bounds,
    find_bounds as find_bounds,
)
from .frontier_page import (
    Frontier as Frontier,
    write_frontier as write_frontier,
)
from .objective import (
    Objective as Objective,
)
from .page import (
    FitResult as FitResult,
    write_fit as write_fit,
    write_found as write_found,
)
