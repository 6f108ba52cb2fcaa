"""The one-sided tables: each position's roll distribution under fewest-rolls play.

Built, cached, opened and asked, with all that two such sides give without looking at each
other. May import `bearoff.plays` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
