"""Checks of arguments: each returns the value in a known type or raises an error.

All public functions check their arguments by this module, so the same mistake gives the
same message in all functions.
"""

import difflib
import reprlib
from collections.abc import Collection, Iterable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bearoff.errors import BearoffError, PositionError

Int64Array = NDArray[np.int64]
Float64Array = NDArray[np.float64]
Kind = TypeVar("Kind")
Error = type[BearoffError]


def integers(
    values: ArrayLike, name: str, error: Error = PositionError
) -> NDArray[np.integer]:
    """Return `values` as an array of an integer type, or raise an error.

    Booleans, masked arrays and floats raise an error, even floats without a fraction.

    Examples
    --------
    >>> integers([6.0, 2], "pips")
    Traceback (most recent call last):
    bearoff.errors.PositionError: pips must be whole numbers, got 6.0 (float64)
    """
    if type(values) is np.ndarray and values.dtype.kind in "iu":
        return values
    array = _as_array(values, name, error)
    if array.size == 0 and array.dtype == np.float64:
        array = array.astype(np.int64)  # Numpy makes a float array from an empty list.
    if array.dtype.kind not in "iu" or _has_bool(values):
        raise error(f"{name} must be whole numbers, got {_shown(array, values)}")
    return array


def numbers_below(
    values: ArrayLike,
    size: int,
    name: str = "position numbers",
    error: Error = PositionError,
) -> Int64Array:
    """Return `values` as int64, or raise an error unless all are in ``range(size)``."""
    if type(values) is int and 0 <= values < size:
        return np.array(values, dtype=np.int64)
    array = integers(values, name, error)
    if array.size and (array.min() < 0 or array.max() >= size):
        bad = array[(array < 0) | (array >= size)].flat[0]
        raise error(f"{name} must be from 0 to {size - 1}, got {bad}")
    return array.astype(np.int64, copy=False)


def pairs_below(
    rollers: ArrayLike, opponents: ArrayLike, size: int
) -> tuple[Int64Array, Int64Array]:
    """Check position numbers of rollers and opponents; return arrays of equal shape."""
    x, y = broadcast(
        rollers=numbers_below(rollers, size), opponents=numbers_below(opponents, size)
    )
    return x, y


def integer(value: int, name: str, low: int, high: int, error: Error) -> int:
    """Return an integer, or raise an error unless it is from `low` to `high`."""
    if type(value) is int and low <= value <= high:
        return value
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise error(f"{name} must be a whole number, got {value!r}")
    if not low <= value <= high:
        raise error(f"{name} must be from {low} to {high}, got {value}")
    return int(value)


def floats(values: ArrayLike, name: str, error: Error = BearoffError) -> Float64Array:
    """Return `values` as float64, or raise an error unless all are real numbers or NaN."""
    array = _as_array(values, name, error)
    if array.dtype.kind not in "iuf" or _has_bool(values):
        raise error(f"{name} must be real numbers, got {_shown(array, values)}")
    return array.astype(np.float64, copy=False)


def reals(
    values: ArrayLike,
    name: str,
    low: float = -np.inf,
    high: float = np.inf,
    error: Error = BearoffError,
) -> Float64Array:
    """Return `values` as float64, or raise an error unless all are from `low` to `high`.

    Examples
    --------
    >>> reals([0.5, float("nan")], "a win probability", 0, 1)
    Traceback (most recent call last):
    bearoff.errors.BearoffError: a win probability must be from 0 to 1, got nan
    """
    array = floats(values, name, error)
    inside = (array >= low) & (array <= high)
    if not inside.all():
        bad = array[~inside].flat[0]
        rule = "no NaN" if low == -high == -np.inf else f"from {low:g} to {high:g}"
        raise error(f"{name} must be {rule}, got {bad}")
    return array


def real(value: float, name: str, low: float, high: float) -> float:
    """Return a real number as a float, or raise an error if it is out of range."""
    array = reals(value, name, low, high)
    if array.ndim:
        raise BearoffError(f"{name} must be a single number, got {value!r}")
    return float(array)


def broadcast(**arrays: NDArray[Any]) -> list[NDArray[Any]]:
    """Broadcast the given arrays against each other; error messages state their names."""
    shapes = [array.shape for array in arrays.values()]
    if all(shape == shapes[0] for shape in shapes):
        return list(arrays.values())
    try:
        return list(np.broadcast_arrays(*arrays.values()))
    except ValueError:
        found = " and ".join(f"{name} of shape {a.shape}" for name, a in arrays.items())
        raise PositionError(f"{found} cannot be broadcast together") from None


NOT_NUMBERS = "OUST"
"""Kind codes of numpy dtypes that are not numbers: objects and strings."""


def choice(value: Kind, name: str, allowed: Collection[Kind]) -> Kind:
    """Return `value`, or raise an error if it is not in `allowed`; True is not 1."""
    if not any(
        value is one
        or ((type(value) is type(one) or isinstance(value, str)) and value == one)
        for one in allowed
    ):
        *others, last = map(str, allowed)
        raise BearoffError(f"{name} must be {', '.join(others)} or {last}, got {value!r}")
    return value


def instance(
    value: Kind,
    name: str,
    kind: type[Any] | tuple[type[Any], ...],
    error: Error = PositionError,
) -> Kind:
    """Return `value`, or raise an error unless it is an instance of `kind`."""
    if not isinstance(value, kind):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        names = " or ".join(f"a {one.__name__}" for one in kinds)
        raise error(f"{name} must be {names}, got {value!r}")
    return value


def unique_keys(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Convert the pairs of a JSON object to a dict; raise an error for a repeated key.

    `json.loads` accepts this function as `object_pairs_hook`. Without the function, it
    keeps only the last value of a repeated key.

    Examples
    --------
    >>> import json
    >>> json.loads('{"dice": "31", "dice": "42"}', object_pairs_hook=unique_keys)
    Traceback (most recent call last):
    bearoff.errors.BearoffError: the key 'dice' occurs twice in a JSON object; ...
    """
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise BearoffError(
                f"the key {key[:60]!r} occurs twice in a JSON object; remove one"
            )
        found[key] = value
    return found


def did_you_mean(text: object, known: Iterable[str]) -> str:
    """Return a hint such as ``; did you mean 'games'?`` if a known name resembles a text.

    Examples
    --------
    >>> did_you_mean("gmaes", ["games", "seed"]), did_you_mean("xyz", ["games"])
    ("; did you mean 'games'?", '')
    """
    if not isinstance(text, str) or len(text) > 100:
        return ""
    wanted = text.strip().lower().replace("_", "-")
    alike = {name.lower().replace("_", "-"): name for name in known}
    near = difflib.get_close_matches(wanted, alike, n=1, cutoff=0.6)
    return f"; did you mean {alike[near[0]]!r}?" if near else ""


def _as_array(values: ArrayLike, name: str, error: Error) -> NDArray[Any]:
    if isinstance(values, np.ndarray) and hasattr(values, "mask"):
        raise error(f"{name} must be a plain array, got a masked one: {values!r}")
    try:
        return np.asarray(values)
    except (ValueError, TypeError, OverflowError) as cause:
        raise error(f"{name} cannot be converted to an array: {cause}") from cause


def _has_bool(values: object) -> bool:
    """Return whether a nested list contains a boolean, which numpy would make a number."""
    if isinstance(values, (list, tuple)):
        return any(map(_has_bool, values))
    return isinstance(values, (bool, np.bool_))


def _shown(array: NDArray[Any], values: object) -> str:
    """Describe the first element of an array and its type, for an error message."""
    if array.ndim and _has_bool(values):
        return f"{reprlib.repr(values)}, which contains a boolean"
    if array.size == 0:
        return f"an empty array of {array.dtype}"
    if array.dtype.kind == "O":
        return repr(next((v for v in array.flat if not isinstance(v, int)), array.flat[0]))
    return f"{array.flat[0]!s} ({array.dtype})"
