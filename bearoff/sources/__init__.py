"""Sources of equities of races before the roll, and the decisions that follow from them.

A source evaluates many races at once. The sources in this package are pair tables, for
money or at a match score, and the fast model; `bearoff.sim` adds rollouts. For every
source, cube actions, doubling windows, market losers and plays are computed from the values
in the same way. This package may import all packages of `bearoff` that come before it in
the order of the layers, except `bearoff.matchup` and `bearoff.gnubg`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
