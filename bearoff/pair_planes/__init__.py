"""Compressed files with one integer per pair of positions, protected by checksums.

Each rectangle of values is stored as the product of two thin matrices of 16-bit integers,
plus residuals. A row of 16 residuals takes only as many bits as its largest residual needs.
Any value can be read without decompressing others. This package does not depend on the
meaning of the values. It may import `bearoff.storage` and the packages below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
