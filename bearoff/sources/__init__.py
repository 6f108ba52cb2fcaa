"""Sources of race values before the roll, and the decisions that follow from them.

A source evaluates many races at once. Sources in this package are pair tables, for money or
at a match score, and the fast model; rollouts are a source in `bearoff.sim`. Cube actions,
doubling windows, market losers and plays are computed from the values in the same way for
every source. This package may import every package of `bearoff` below it except
`bearoff.matchup` and `bearoff.gnubg`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
