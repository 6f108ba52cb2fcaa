"""The worksheet on which a formula is worked out, and numbers in a player's words.

Nothing here knows what is counted or which rule is applied. Imports nothing of ours.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
