"""The bear-in model: how a side plays, and what it is worth, with checkers beyond home.

Fitted by playing, stored beside the code. May import `bearoff.one_sided` and what lies
below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
