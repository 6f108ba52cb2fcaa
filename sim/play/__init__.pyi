from . import (
    arguments as arguments,
    kernels as kernels,
    optimal as optimal,
    pair_kernels as pair_kernels,
    tally as tally,
    visits as visits,
)
from .draws import (
    uniforms as uniforms,
    weighted_choice as weighted_choice,
)
from .match import (
    RaceMatch as RaceMatch,
    play_block as play_block,
    play_games as play_games,
)
from .players import (
    PLAYERS as PLAYERS,
    player as player,
)
from .replay import (
    race_key as race_key,
    throws_of_game as throws_of_game,
)
