"""The project's paper, typeset by typst, with all its numbers read from results/.

This package may import `bearoff`, `sim.storage` and `analysis`; the text is in
`text/*.typ`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
