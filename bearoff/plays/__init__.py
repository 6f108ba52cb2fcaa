"""Legal plays of a roll, for one position or for all positions of a table.

This package has legal plays in the usual notation, arrays of the positions after each roll,
one-sided policies, and compiled kernels that generate plays. It may import
`bearoff.positions`, `bearoff.rolls` and the packages that they may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
