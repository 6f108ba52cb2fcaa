"""Compressed, checksummed arrays (planes) of one integer per pair of positions.

A rectangle of a plane is the product of two thin matrices of 16-bit integers plus
residuals. Each row of 16 residuals uses only as many bits as it needs. Any value can be
read without unpacking others. The meaning of the values does not matter here. This package
may import `bearoff.storage` and the packages below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
