from . import (
    finishes as finishes,
    kernels as kernels,
)
from .solver import (
    Finish as Finish,
    Solver as Solver,
)
from .workspace import (
    Workspace as Workspace,
)
