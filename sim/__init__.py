"""Chance: batches of self-play races, from a YAML configuration to Parquet outcomes."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
