"""Positions and races: the perfect hash, and every notation they are read from.

A position is one side's checkers, a race two sides with one of them on roll. May import
`bearoff.checks` and the errors.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
