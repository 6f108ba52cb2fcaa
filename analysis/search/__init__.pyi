from .candidates import (
    Search as Search,
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
