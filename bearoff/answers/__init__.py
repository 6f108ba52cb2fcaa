"""Answers: what is right in a race and what everything else costs, from any source.

A source values races before the roll: a two-sided table, a race solved at a score, the
fast model, a rollout. Everything else, plays and cube actions and what they cost, follows
from such values alike. May import every room but `bearoff.matchup` and `bearoff.gnubg`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
