from . import (
    finishes as finishes,
    kernels as kernels,
)
from .rivals import (
    find_rivals as find_rivals,
)
from .solver import (
    Finish as Finish,
    Solver as Solver,
)
from .workspace import (
    Workspace as Workspace,
)
