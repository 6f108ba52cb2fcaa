"""Scores: what each side needs to win the match, and what games are worth there.

Match equity tables, their readers, and the states of the cube that follow. Knows no
position and no table. May import `bearoff.checks` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
