"""Exact knowledge of the bear-off: positions, plays, tables, cube theory.

Positions are numbered by Benjamin and Ross's perfect hash. Values are from the viewpoint of
the roller, before the roll.
"""

import lazy_loader

_named, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("bearoff")
    return _named(name)
