"""Answers: what is right in a race and what everything else costs, from the best source.

One reader of questions, one judge who chooses the source, one set of fields. May import
`bearoff.sources` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
