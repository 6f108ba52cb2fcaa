"""Boards, legal plays and how they are written. May import `bearoff`."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
