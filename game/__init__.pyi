from . import (
    rules as rules,
)
from .rules import (
    Board as Board,
    format_play as format_play,
    legal_plays as legal_plays,
    read_play as read_play,
)
