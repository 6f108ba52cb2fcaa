"""Stakes: what games are worth, for money or at a score, and what follows of values.

The equity that points won come to, the decisions that follow from what doubling and waiting
are worth, and the theory of dead and live cubes. Knows no position and no table.
May import `bearoff.scores` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
