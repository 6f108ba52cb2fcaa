from . import cube_tally as cube_tally
from .at_score import (
    FIXED as FIXED,
    PerfectAtScore as PerfectAtScore,
    match_chances as match_chances,
    solve_at as solve_at,
    table_at as table_at,
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
