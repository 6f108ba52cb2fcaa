"""Sources: values of races before the roll, and the plays and cube actions that follow.

A source values many races at once. Sources here are pair tables, for money or at a match
score, and the fast model; rollouts are a source of `bearoff.sim`. Cube actions, doubling
windows, market losers and plays are worked out from such values in the same way for every
source. This package may import every package of `bearoff` below it except `bearoff.matchup`
and `bearoff.gnubg`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
