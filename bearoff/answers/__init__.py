"""Answers to questions about races: the right decision, and the cost of every alternative.

One function reads all questions, and one judge chooses between exact values, rollouts and
the fast model. This package may import `bearoff.sources` and the packages that
`bearoff.sources` may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
