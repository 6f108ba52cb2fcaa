"""Runs: a batch planned, played, stored part by part and resumed.

One runner for every kind of work. May import every other room of `sim`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
