"""Two players' strategies against each other, by exact dynamic programming.

The protocol of a cube strategy, those built in, and what a race is worth between two of
them. May import `bearoff.stakes` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
