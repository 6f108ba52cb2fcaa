"""Files of runs: their schema, manifests, provenance, and the ways to read and write them.

A folder may be local or in an object store. May import `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
