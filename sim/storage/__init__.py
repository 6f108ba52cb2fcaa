"""Storage of runs: schema, manifest, intermediate results and provenance.

The folder of a run may be local or in an object store such as S3. Within the project, this
package may import only `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
