"""Services of the machine: compiled kernels, locks, processors and memory.

This is the lowest package except for the errors, the only other package it may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
