"""Results of a simulation run: reading, validation, estimates, calibration and fits.

This package may import `analysis.formulas`, `analysis.output`, `sim.storage` and
`sim.config`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
