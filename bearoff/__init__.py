"""Exact knowledge of the bear-off: positions, plays, tables, cube theory.

Positions are numbered by Benjamin and Ross's perfect hash. Viewpoint is always the
roller's (the side on roll), before the roll.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
