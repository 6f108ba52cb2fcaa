"""Compressed files of integers, one for each pair of positions, protected by checksums.

Each rectangle of values is stored as the product of two thin matrices of 16-bit integers,
plus residuals. A row of 16 residuals takes only as many bits per residual as its largest
residual needs. Any value can be read without decompressing the others. The package makes no
assumption about the meaning of the values. It may import `bearoff.storage` and the packages
that `bearoff.storage` may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
