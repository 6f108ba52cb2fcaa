"""Worksheets, which show a formula's calculation for one race, and wording for players.

This package imports no other package of the project. The calculation of counts and the
rules use it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
