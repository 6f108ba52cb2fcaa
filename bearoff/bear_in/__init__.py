"""The bear-in model: the play and the mean rolls of a side with checkers beyond home.

The model was fitted to games it played itself and is stored with the code. This package may
import `bearoff.one_sided` and the packages below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
