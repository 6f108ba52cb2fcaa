"""Fast model of cubeful equities in a race, given both players' effective pip counts.

The model takes microseconds to estimate equities of races that are not in a table. This
package may import `bearoff.two_sided` and the packages that `bearoff.two_sided` may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
