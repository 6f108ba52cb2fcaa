"""Solver that computes two-sided tables, and the memory that it uses.

This package may import `bearoff.two_sided.planes`, `pair_order` and `codings`,
`bearoff.plays`, `bearoff.pair_planes` and the packages below them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
