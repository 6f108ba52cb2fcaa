"""Planes: a whole number for each pair of slots, compressed, checked, read at random.

A rectangle of a plane is the product of two thin matrices of 16-bit numbers, and what
that leaves over in as few bits as each row of 16 needs. Any number is found by itself,
without unpacking its neighbours. Knows nothing of what the numbers mean; may import
`bearoff.storage` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
