from . import (
    kernels as kernels,
)
from .player import (
    ContactPlayer as ContactPlayer,
)
from .priorities import (
    PriorityMover as PriorityMover,
)
