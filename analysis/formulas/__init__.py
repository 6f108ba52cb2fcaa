"""Formulas for cube decisions by mental arithmetic: published ones and this project's.

This package has four subpackages, each of which may import the earlier ones: `writing`,
`counting`, `rules` and `files`. All may import `bearoff`, and `files` may also import
`sim.config`.

>>> from bearoff.analysis import formulas
>>> formulas.names()[:5]
('8-9-12', 'benjamin', 'bower', 'epc', 'epc-by-table')
>>> print(formulas.get("8-9-12").source)
Robertie, Advanced Backgammon; Zare 2000
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
