"""Positions and races: the perfect hash that numbers positions, and all notations.

A position has the checkers of one side, and a race two sides, one of them on roll. This
package may import `bearoff.stakes`, `bearoff.rolls` and the packages below them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
