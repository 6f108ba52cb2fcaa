from . import (
    kernels as kernels,
)
from .board import (
    BAR as BAR,
    STARTS as STARTS,
    Board as Board,
)
from .notation import (
    format_play as format_play,
    move_checkers as move_checkers,
    play_moves as play_moves,
    read_play as read_play,
)
from .plays import (
    legal_plays as legal_plays,
    plays_of_numbers as plays_of_numbers,
)
