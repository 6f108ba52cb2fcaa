"""Basic services of the package: compiling kernels, locks, threads, processors, memory.

This lowest package may import only the exceptions in `bearoff.errors`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
