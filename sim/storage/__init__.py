"""Storage of runs: schema, manifest, intermediate results and provenance.

Folders may be local or in an object store. This room may import `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
