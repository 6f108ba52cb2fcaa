"""Neural network that estimates outcome probabilities and equities of boards."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from bearoff import BearoffError
from bearoff.errors import is_machine_fault
from bearoff.game.evaluation.race import race_tables
from bearoff.game.rules import Board
from bearoff.storage import checked_array

Float64Array = NDArray[np.float64]

DATA = "net.npz"
"""Name of the file with the network's weights. `research.training.net` computed them, and
`research.training.looking` improved them."""


@dataclass(frozen=True, eq=False)
class Net:
    """Small neural network that estimates outcome probabilities of boards with contact.

    The inputs are features and checker counts. For races, outcome probabilities come from
    `game.evaluation.race`.

    Attributes
    ----------
    weights : game.evaluation.net_kernels.Weights
        Weights of the network as float32 arrays.
    """

    weights: Any

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Load a network from a file of weights; by default, the file in the package.

        Raises
        ------
        BearoffError
            If the file does not contain the weights of a network with the expected inputs.
        """
        return cls(_shipped() if path is None else _read(path))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the weights, shortened to twelve hexadecimal digits."""
        found = sha256()
        for array in self.weights:
            found.update(repr(array.shape).encode() + array.tobytes())
        return found.hexdigest()[:12]

    def chances(self, board: Board) -> Float64Array:
        """Return the roller's five outcome probabilities before the roll, float64.

        The probabilities are those of winning, of winning a gammon or more, of winning a
        backgammon, of losing a gammon or more, and of losing a backgammon. A player with
        all checkers off has won.

        Examples
        --------
        >>> chances = Net.load().chances(Board.start())
        >>> bool(0.51 < chances[0] < 0.54)
        True
        """
        from bearoff.game.evaluation import net_kernels

        # The kernels do not apply to a game that the roller has already won.
        if not any(board.roller) and any(board.opponent):
            return self.chances(board.turned)[[0, 3, 4, 1, 2]] + [1.0, 0, 0, 0, 0]
        out = np.empty(net_kernels.OUTPUTS)
        room = net_kernels.new_room(len(self.weights.hidden_bias))
        tables = race_tables()
        net_kernels.chances(self.weights, tables, board.array, False, room, out)
        return out

    def equity(self, board: Board) -> float:
        """Return the roller's cubeless equity before the roll, in points."""
        from bearoff.game.evaluation import net_kernels

        return float(net_kernels.equity(self.chances(board)))


@lru_cache(maxsize=1)
def _shipped() -> Any:
    return _read(Path(str(files("bearoff.game.evaluation") / DATA)))


def _read(path: Path) -> Any:
    from bearoff.game.evaluation.feature_kernels import INPUTS
    from bearoff.game.evaluation.net_kernels import OUTPUTS, Weights

    wrong = f"{path} is not a file of network weights"
    try:
        with path.open("rb") as file:
            arrays = checked_array.read_archive(file)
    except OSError as error:
        if is_machine_fault(error):
            raise
        raise BearoffError(f"{wrong}: {error}") from None
    except ValueError:
        raise BearoffError(
            f"{wrong}: the file is not a numpy archive, or is damaged"
        ) from None
    if missing := [name for name in Weights._fields if name not in arrays]:
        raise BearoffError(f"{wrong}: the arrays {', '.join(missing)} are missing")
    weights = Weights(**{name: arrays[name] for name in Weights._fields})
    if min(weights.hidden.ndim, weights.second.ndim) < 2 or not weights.hidden.size:
        raise BearoffError(
            f"{wrong}: hidden and second must be two-dimensional and not empty"
        )
    units, second = weights.hidden.shape[1], len(weights.second)
    wanted = (
        (INPUTS, units),
        (units,),
        (second, units),
        (second,),
        (OUTPUTS, units),
        (OUTPUTS, second),
        (OUTPUTS,),
    )
    for name, array, shape in zip(Weights._fields, weights, wanted, strict=True):
        if array.shape != shape or array.dtype != np.float32:
            raise BearoffError(
                f"{path}: {name} must be a float32 array of shape {shape}, got "
                f"{array.dtype} of shape {array.shape}"
            )
        if not np.isfinite(array).all():
            raise BearoffError(f"{path}: {name} contains values that are not finite")
    return weights
