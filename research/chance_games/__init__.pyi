from .examples import (
    chance_to_enter as chance_to_enter,
    coins as coins,
    entering as entering,
    rolls_race as rolls_race,
)
from .graph import (
    ChanceGame as ChanceGame,
    GraphError as GraphError,
)
from .solve import (
    Decision as Decision,
    Doubling as Doubling,
    solve_doubling as solve_doubling,
)
