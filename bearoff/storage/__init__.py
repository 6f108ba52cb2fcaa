"""Storage of arrays in the user's cache, with atomic writes and checksums.

This package stores tables of every kind. It may import `bearoff.runtime` and
`bearoff.errors`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
