"""Stakes: what games are worth, for money or at a score, and what follows of values.

Scores and match equities, the states of the cube, the equity that points won come to, and
the decisions that follow from what doubling and waiting are worth. Knows no position and no
table.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
