"""Exact solutions of the doubling cube in any finite game of chance.

A game is a graph of states, with the probabilities of each next state and the values of
final states. It also says in which states each player may double. Examples are flips of a
coin, races of rolls, and a checker on the bar.

This package may import only `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
