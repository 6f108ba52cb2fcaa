from . import (
    finishes as finishes,
    kernels as kernels,
    plain as plain,
)
from .rivals import (
    Rivals as Rivals,
    find_rivals as find_rivals,
)
from .solver import (
    Finish as Finish,
    TwoSidedSolver as TwoSidedSolver,
)
from .workspace import (
    Workspace as Workspace,
)
