from . import cube_tally as cube_tally
from .at_score import (
    FIXED as FIXED,
    PERFECT as PERFECT,
    PerfectAtScore as PerfectAtScore,
    match_chances as match_chances,
    perfect_table as perfect_table,
    solve_at as solve_at,
    table_at as table_at,
)
from .checkers import (
    checkers_of as checkers_of,
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
