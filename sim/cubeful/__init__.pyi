from . import cube_tally as cube_tally
from .at_score import (
    FIXED as FIXED,
    MatchGame as MatchGame,
    PerfectAtScore as PerfectAtScore,
)
from .checkers import (
    PERFECT as PERFECT,
    checkers_of as checkers_of,
    perfect_table as perfect_table,
)
from .expected import (
    expected_equity as expected_equity,
)
from .play import (
    CubeMatch as CubeMatch,
    play_cube_block as play_cube_block,
    play_cubeful as play_cubeful,
)
from .sides import (
    CubeSide as CubeSide,
)
