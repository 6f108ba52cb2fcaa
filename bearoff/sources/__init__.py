"""Sources: what races are worth before the roll, and what follows of plays and rolls.

Tables of pairs, for money or at a score, and the fast model value races side by side;
rollouts are a source of `sim`. Cube actions, doubling windows, market losers and plays
follow from such values alike. May import every room below, but `bearoff.matchup` and
`bearoff.gnubg`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
