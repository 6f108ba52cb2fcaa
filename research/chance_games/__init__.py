"""Doubling cube in any finite game of chance, solved exactly.

A game is a graph of states, with the probabilities of the next state, the values of final
states, and the states in which each player may double. Coins, races of rolls, and a checker
on the bar are examples.

This package may import only `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
