from .fibs import (
    read_fibs as read_fibs,
)
from .player import (
    Player as Player,
)
from .state import (
    GameError as GameError,
    GameState as GameState,
)
