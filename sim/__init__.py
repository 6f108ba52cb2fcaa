"""Chance: batches of self-play races, from a YAML configuration to Parquet outcomes."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.blocks import Match, play
    from sim.config import load_config
    from sim.config_batch import BatchConfig
    from sim.config_errors import ConfigError, Problem
    from sim.cube_play import CubeMatch, play_cubeful
    from sim.cube_sides import CubeSide
    from sim.dice import throws_of_game
    from sim.files import RunError
    from sim.players import PLAYERS, Player, player
    from sim.runner import RunSummary, run

_HOMES = {
    "PLAYERS": "sim.players",
    "BatchConfig": "sim.config_batch",
    "ConfigError": "sim.config_errors",
    "CubeMatch": "sim.cube_play",
    "CubeSide": "sim.cube_sides",
    "Match": "sim.blocks",
    "Player": "sim.players",
    "Problem": "sim.config_errors",
    "RunError": "sim.files",
    "RunSummary": "sim.runner",
    "load_config": "sim.config",
    "play": "sim.blocks",
    "play_cubeful": "sim.cube_play",
    "player": "sim.players",
    "run": "sim.runner",
    "throws_of_game": "sim.dice",
}

__all__ = [
    "PLAYERS",
    "BatchConfig",
    "ConfigError",
    "CubeMatch",
    "CubeSide",
    "Match",
    "Player",
    "Problem",
    "RunError",
    "RunSummary",
    "load_config",
    "play",
    "play_cubeful",
    "player",
    "run",
    "throws_of_game",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: pyarrow, joblib and pydantic are slow."""
    if name not in _HOMES:
        raise AttributeError(f"module 'sim' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
