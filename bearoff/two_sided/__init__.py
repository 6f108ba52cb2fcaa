"""The two-sided tables: every pair of positions solved, cubeless and with a perfect cube.

Planned, built in passes, verified, opened and asked for one pair or a million. May import
`bearoff.one_sided` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
