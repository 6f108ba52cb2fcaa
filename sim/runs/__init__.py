"""Runs: a batch is planned, played, stored part by part, and can be resumed.

A runner for all kinds of work. May import every other room of `sim`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
