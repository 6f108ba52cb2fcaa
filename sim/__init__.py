"""Simulation of bear-off races, from YAML configurations to results in Parquet files."""

import lazy_loader

# In a clone, `import sim` would load every module a second time, beside `bearoff.sim`.
if __name__ == "sim":
    raise ImportError("`sim` is a package of bearoff: import bearoff.sim")

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
