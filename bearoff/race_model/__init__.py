"""The fast cubeful model of a race: what two effective pip counts are worth.

An estimate in microseconds where no table holds the pair. May import `bearoff.stakes` and
what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
