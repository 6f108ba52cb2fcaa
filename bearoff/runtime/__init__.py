"""The machine: compiled kernels, locks, cores and memory.

The lowest room but the errors: it may import nothing of this project but those.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
