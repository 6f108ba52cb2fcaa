"""Exact analysis of backgammon races: positions, plays, tables and cube theory.

Positions are numbered by Benjamin and Ross's perfect hash. Equities and probabilities are
from the roller's viewpoint, before the roll.
"""

import lazy_loader

_named, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("bearoff")
    return _named(name)
