from . import (
    kernels as kernels,
)
