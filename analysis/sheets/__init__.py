"""Sheets to print: cheat sheets and the tables players learn, as PDF, PNG, Markdown, CSV.

May import `analysis.plots`, `analysis.search` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
