"""The doubling cube in any finite game of chance, solved exactly.

A game is a graph: states, the chances of the next, what its ends are worth, and who may
double where. Coins, races of so many rolls, and the bar are worked as examples.

It may import `bearoff` alone.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
