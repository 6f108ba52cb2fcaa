"""Cube theory and exact cube answers: thresholds, actions, plays, windows, market losers.

Equities are the roller's, before the roll, in points at a cube of 1. May import
`bearoff.two_sided` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
