"""Time that a method needs to reach a standard error, and comparisons of methods.

Errors decrease with the square root of the number of games. The time to reach a target
error is therefore the measured time, multiplied by the square of the measured error divided
by the target error.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from bearoff.sim.rollouts import Estimate

Quantity = Literal["win probability", "equity"]

ALL = "all together"
GNUBG = "GNU Backgammon, variance reduced"
GNUBG_PLAIN = "GNU Backgammon, plain"

NO_ERROR = 1e-6
"""Standard error below which an estimate counts as exact."""


@dataclass(frozen=True)
class Measured:
    """Games played by one method, and the estimates from them.

    Attributes
    ----------
    name : str
        Name of the method.
    players : str
        Players of the games. Games of the same players have the same expected values.
    games : int
        Number of games.
    seconds, cpu_seconds : float
        Wall time and CPU time in seconds.
    estimates : dict of str to Estimate
        Estimated values of the race, by name of the quantity.
    """

    name: str
    players: str
    games: int
    seconds: float
    cpu_seconds: float
    estimates: dict[Quantity, Estimate]


def seconds_to(target: float, seconds: float, error: float) -> float:
    """Return the time needed to reach a target error, from a measured time and error.

    Examples
    --------
    >>> seconds_to(1e-3, 20.0, 2e-3)
    80.0
    """
    return seconds * (error / target) ** 2


def table_lines(quantity: Quantity, target: float, rows: list[Measured]) -> Iterator[str]:
    """Yield the lines of a Markdown table with all measurements of one quantity."""
    rows = [row for row in rows if quantity in row.estimates]
    peer = next((row for row in rows if row.name == GNUBG), None)
    columns = ["way", "games", "games/s", "seconds", quantity, "standard error"]
    columns += [f"seconds to {target:.0e}", f"CPU seconds to {target:.0e}"]
    if peer:
        columns.append("how many times as fast as GNU Backgammon with variance reduction")
    yield f"| {' | '.join(columns)} |"
    yield "|---" + "|---:" * (len(columns) - 1) + "|"
    for row in rows:
        found = row.estimates[quantity]
        rate = f"{row.games / row.seconds:,.0f}"
        cells = [row.name, f"{row.games:,}", rate, f"{row.seconds:.1f}"]
        cells.append(f"{found.value:.6f}")
        if found.standard_error < NO_ERROR:
            cells += ["none"] * (len(columns) - len(cells))
        else:
            error = found.standard_error
            wall = seconds_to(target, row.seconds, error)
            cpu = seconds_to(target, row.cpu_seconds, error)
            cells += [f"{error:.2e}", f"{wall:,.3g}", f"{cpu:,.3g}"]
            if peer:
                theirs = peer.estimates[quantity].standard_error
                cells.append(f"{seconds_to(target, peer.seconds, theirs) / wall:,.3g}")
        yield f"| {' | '.join(cells)} |"


def agreement(
    quantity: Quantity, rows: list[Measured], exact: tuple[str, float] | None = None
) -> Iterator[str]:
    """Yield lines of text on how well estimates of one quantity by the methods agree.

    Parameters
    ----------
    quantity : str
        Quantity that is compared.
    rows : list of Measured
        Independent measurements to compare.
    exact : tuple of str and float, optional
        Name of the simulated players for whom the exact value is known, and the exact
        value.
    """
    known = {} if exact is None else {exact[0]: Estimate(exact[1], 0.0)}
    found: dict[str, list[Estimate]] = {}
    for row in rows:
        if quantity in row.estimates:
            found.setdefault(row.players, []).append(row.estimates[quantity])
    for players, estimates in found.items():
        best = min(estimates, key=lambda one: one.standard_error)
        centre = known.setdefault(players, best)
        furthest = max(
            (_errors_between(one, centre) for one in estimates if one is not centre),
            default=0.0,
        )
        many = len(estimates)
        which = "The table's only estimate of this value differs from it by"
        if many > 1:
            which = f"The table's {many} estimates of this value differ from it by at most"
        what = "exact" if centre.standard_error == 0 else f"±{centre.standard_error:.1e}"
        yield (
            f"- The {quantity} of {players} is {centre.value:.6f} ({what}). {which} "
            f"{furthest:.1f} standard errors."
        )


def _errors_between(one: Estimate, other: Estimate) -> float:
    """Return the difference between two estimates, divided by its standard error."""
    error = (one.standard_error**2 + other.standard_error**2) ** 0.5
    return abs(one.value - other.value) / max(error, NO_ERROR)
