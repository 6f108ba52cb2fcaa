"""Cube strategies of a run, and the values by which the digest of the run identifies them.

A strategy is identified by its behaviour, not by its name. The digest of the run covers the
fields of the strategy's dataclass or the ``version`` that its author has set. It also
covers the strategy's decisions in a thousand races, so that a change without a new version
is detected. A run is therefore never continued with another strategy.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.matchup import (
    CubeDecision,
    CubeStrategy,
    JanowskiCube,
    NeverDoubles,
    PerfectCube,
    ThresholdCube,
)
from bearoff.sim.config import (
    BatchConfig,
    ConfigError,
    cube as cube_config,
    errors,
    formula_plug_in,
)
from bearoff.sim.cubeful import PERFECT, CubeSide, PerfectAtScore, perfect_table
from bearoff.stakes import Terms
from bearoff.storage import sealing

CountsArray = NDArray[np.integer]
Int64Array = NDArray[np.int64]

NEVER = "never"
"""Name of the built-in cube strategy that never doubles."""

PROBES = 1024
"""Number of races in which a strategy's decisions are recorded to identify it."""

_ANSWERS = ("double", "redouble", "take")

_OURS = ("bearoff", "analysis", "sim")
"""Packages whose strategy classes are identified by the version of this program."""


class Strategies:
    """Cube strategies that a configuration refers to by name.

    Parameters
    ----------
    given : mapping of str to CubeStrategy
        Cube strategies by name. They take precedence over formulas with the same name.

    Attributes
    ----------
    perfect : bool
        Whether a side uses the perfect cube strategy.
    contents : dict of str to dict
        JSON values that identify each cube strategy that is not built in, by name.

    Raises
    ------
    ConfigError
        If a name is unknown, or a strategy has neither a version nor fields that identify
        it.
    StrategyError
        If a strategy fails, or returns an invalid answer.
    """

    def __init__(
        self,
        config: BatchConfig,
        given: Mapping[str, CubeStrategy],
        terms: Terms,
    ) -> None:
        assert config.cube is not None
        self._cube = config.cube
        self._size = config.table.points, config.table.checkers
        self._terms = terms
        self.perfect = any(one == PERFECT for _, one in self._cube.strategies())
        self._named: dict[str, CheckedStrategy] = {}
        self.contents: dict[str, dict[str, Any]] = {}
        known = _known(config, given)
        for path, name in self._cube.strategies():
            if not isinstance(name, str) or name in cube_config.BUILT_IN:
                continue
            if name not in known:
                sentence = cube_config.unknown_strategy(name, known)
                raise ConfigError([errors.Problem(None, None, path, sentence)])
            if name not in self._named:
                self._named[name] = CheckedStrategy(name, known[name])
                self.contents[name] = self._content(name, path)

    def side(self, given: Any) -> CubeSide:
        """Return the cube strategies of one side from the side's configuration."""
        if not isinstance(given, cube_config.StateStrategy):
            return CubeSide.of(self._strategy(given))
        return CubeSide(
            *(self._strategy(getattr(given, one)) for one in ("centred", "owned", "take"))
        )

    def _strategy(self, given: Any) -> CubeStrategy:
        if isinstance(given, cube_config.ThresholdStrategy):
            at = given.thresholds
            return ThresholdCube(at.double, at.redouble, 1 - at.take)
        if isinstance(given, cube_config.JanowskiStrategy):
            return JanowskiCube(given.janowski)
        stakes = self._terms.stakes
        if given == PERFECT and stakes.score is not None:
            return PerfectAtScore(*self._size, self._terms)
        if given == PERFECT:
            return PerfectCube(perfect_table(*self._size).checkers, stakes.jacoby)
        return NeverDoubles() if given == NEVER else self._named[given]

    def _content(self, name: str, path: str) -> dict[str, Any]:
        strategy = self._named[name]
        try:
            found = content_of(strategy.strategy)
        except _UntoldError as error:
            message = (
                f"the cube strategy {name!r} cannot be identified: {error}; give its class "
                f"{type(strategy.strategy).__qualname__} a version, such as version = 1, "
                "and increase it whenever the decisions change"
            )
            raise ConfigError([errors.Problem(None, None, path, message)]) from None
        table = bearoff.one_sided_table(*self._size)
        answer = strategy.decide(*probes(table))
        bits = np.stack([getattr(answer, what) for what in _ANSWERS])
        return found | {"decides": sha256(np.packbits(bits).tobytes()).hexdigest()}


def _known(
    config: BatchConfig, given: Mapping[str, CubeStrategy]
) -> Mapping[str, CubeStrategy]:
    """Return all cube strategies by name; import formulas only if they are used."""
    assert config.cube is not None
    if set(config.cube.names()) <= set(given):
        return given
    own = formula_plug_in().built(config.formulas) if config.formulas else {}
    return {**formula_plug_in().known(), **own, **given}


class StrategyError(bearoff.BearoffError):
    """Raised if a cube strategy fails or returns an invalid answer."""


@dataclass(frozen=True)
class CheckedStrategy:
    """Cube strategy whose answers are checked; errors name the strategy and a race."""

    name: str
    strategy: CubeStrategy

    def decide(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        try:
            return self._asked(rollers, opponents)
        except Exception as error:
            row = self._first_failure(rollers, opponents)
            x, y = (",".join(map(str, side[row].tolist())) for side in (rollers, opponents))
            if isinstance(error, _AnswerError):
                failed = f"returns {error}"
            else:
                failed = f"fails with {type(error).__name__}: {error}"
            raise StrategyError(
                f"the cube strategy {self.name!r} {failed} for {len(rollers):,} "
                f"race{'s' * (len(rollers) != 1)}, such as {x} against {y}; its method "
                "decide must return an object with the boolean arrays double, redouble "
                f"and take, each of length {len(rollers):,}"
            ) from error

    def _asked(self, rollers: CountsArray, opponents: CountsArray) -> CubeDecision:
        answer = self.strategy.decide(rollers, opponents)
        found = {}
        for what in _ANSWERS:
            if not hasattr(answer, what):
                raise _AnswerError(f"{type(answer).__name__} without {what}")
            given = np.asarray(getattr(answer, what))
            if given.shape != (len(rollers),) or given.dtype != np.bool_:
                raise _AnswerError(
                    f"an array {what} of type {given.dtype} and shape {given.shape}"
                )
            found[what] = given
        return CubeDecision(**found)

    def _first_failure(self, rollers: CountsArray, opponents: CountsArray) -> int:
        """Return the index of the first race in which the strategy fails."""
        low, high = 0, len(rollers)
        while high - low > 1:
            middle = (low + high) // 2
            if self._fails(rollers[low:middle], opponents[low:middle]):
                high = middle
            elif self._fails(rollers[middle:high], opponents[middle:high]):
                low = middle
            else:
                return low
        return low

    def _fails(self, rollers: CountsArray, opponents: CountsArray) -> bool:
        try:
            self._asked(rollers, opponents)
        except Exception:
            return True
        return False


class _AnswerError(Exception):
    """Raised if a cube strategy does not return a valid `CubeAnswer`."""


class _UntoldError(Exception):
    """Raised if the fields of a cube strategy cannot be serialised."""


def content_of(strategy: object) -> dict[str, Any]:
    """Return JSON values that distinguish a cube strategy from others of the same class.

    These JSON values contain the name of the class and the strategy's ``version``. For a
    strategy without a version, they contain the fields of its dataclass.

    Examples
    --------
    >>> content_of(ThresholdCube(0.7, 0.72, 0.78))
    {'class': 'ThresholdCube', 'fields': {'double': 0.7, 'redouble': 0.72, 'cash': 0.78}}
    """
    kind = type(strategy)
    named = {"class": kind.__qualname__}
    version = getattr(strategy, "version", None)
    if version is not None:
        return named | {"version": _plain(version, "version")}
    if not is_dataclass(strategy):
        raise _UntoldError(
            "the class of the strategy has no version and is not a dataclass"
        )
    found = {
        one.name: _plain(getattr(strategy, one.name), one.name) for one in fields(strategy)
    }
    if not set(found) - {"name"} and kind.__module__.partition(".")[0] not in _OURS:
        raise _UntoldError("the class of the strategy has neither a version nor fields")
    return named | {"fields": found}


def _plain(value: Any, place: str) -> Any:
    """Convert the field `place` of a strategy to JSON values."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else str(value)
    if isinstance(value, np.generic):
        return _plain(value.item(), place)
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, np.ndarray) and value.dtype != object:
        about = f"{value.dtype.str} {value.shape} ".encode()
        digest = sha256(about + np.ascontiguousarray(value).tobytes())
        return {"array": list(value.shape), "sha256": digest.hexdigest()}
    if isinstance(value, list | tuple):
        return [_plain(one, f"{place}[{k}]") for k, one in enumerate(value)]
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: _plain(one, f"{place}.{key}") for key, one in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((_plain(one, place) for one in value), key=sealing.canonical_json)
    if not isinstance(value, type) and (
        is_dataclass(value) or getattr(value, "version", None) is not None
    ):
        return content_of(value)
    raise _UntoldError(f"the field {place} has a value of type {type(value).__name__}")


def probes(table: bearoff.OneSidedTable) -> tuple[CountsArray, CountsArray]:
    """Return races of all lengths; a strategy's decisions in these races identify it.

    All pip counts of the roller are equally frequent. The opponent's pip count is between
    5% lower and 25% higher.
    """
    order = np.argsort(table.pips, kind="stable")[1:]
    pips = table.pips[order].astype(np.float64)
    steps = np.arange(PROBES)

    def near(wanted: NDArray[np.float64], stride: int) -> CountsArray:
        low = np.searchsorted(pips, np.clip(wanted, 1, pips[-1]), side="left")
        level = pips[np.minimum(low, len(pips) - 1)]
        high = np.searchsorted(pips, level, side="right")
        # Multiples of a large prime number choose evenly among positions with the same pip
        # count.
        first = np.searchsorted(pips, level, side="left")
        chosen = first + (steps * stride) % (high - first)
        return bearoff.unrank(order[chosen], table.points, table.checkers)

    rollers = 1 + (pips[-1] - 1) * steps / PROBES
    leads = -0.05 + 0.3 * ((steps * 618) % 1000) / 1000
    return near(rollers, 7919), near(rollers * (1 + leads) + 2 * leads, 6007)
