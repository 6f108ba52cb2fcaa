"""Plays: what a roll may do to a position, one at a time or for all positions at once.

Legal plays as players write them, successors as arrays, one-sided policies, the kernels
that move checkers. May import `bearoff.positions`, `bearoff.rolls` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
