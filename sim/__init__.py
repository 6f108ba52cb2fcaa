"""Simulation of bear-off races, from YAML configurations to results in Parquet files."""

import lazy_loader

if (
    __name__ == "sim"
):  # Otherwise, a clone's `sim` would import a second copy of all modules.
    raise ImportError("`sim` is a package of bearoff: import bearoff.sim")

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
