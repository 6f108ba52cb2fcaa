"""`bearoff rollout`: any race's chances, equities and cube action, by games."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from app.options import Json, OpponentText, RollersCube, RollerText
from app.output import say, say_json, say_table

if TYPE_CHECKING:
    from tqdm import tqdm

    from bearoff import Position, Race
    from sim.rollout import Estimate, RolledAction, Rollout
    from sim.rollout_sums import Moments


def rollout(
    roller: RollerText,
    opponent: OpponentText = None,
    cube: RollersCube = None,
    error: Annotated[
        float,
        typer.Option(
            metavar="POINTS",
            min=0.0,
            max=1.0,
            help="Standard error at which to stop, of every equity; 0 for all the games.",
        ),
    ] = 0.001,
    games: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=10**9,
            help="Most games, rounded up to chunks of 7,776.",
        ),
    ] = 1_000_000,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, max=2**64 - 1, help="Seed of the dice.")
    ] = 0,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=1024, help="Threads; one a processor by default."
        ),
    ] = None,
    luck: Annotated[
        bool, typer.Option(help="Take the luck of the rolls out of the results.")
    ] = True,
    first_rolls: Annotated[
        Literal["1", "36", "1296"],
        typer.Option(
            help="Share out evenly: 36 the roller's first throw, 1296 both sides', 1 none."
        ),
    ] = "1296",
    truncate: Annotated[
        bool, typer.Option(help="Stop games where exact values begin.")
    ] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
    json: Json = False,
) -> None:
    """Roll out a race: checkers on any of the 24 points, no contact.

    Gives the chance to win, the equities of doubling and waiting, and the cube action,
    each with its standard error, for money play. Games stop in the largest two-sided
    table that is built with the cube; a race that is in it is answered outright. Any
    notation of positions will do; of checkers on the ace, deuce, ... as many numbers as
    there are points with checkers.

    \b
    bearoff rollout 0,0,2,3,3,4,2,1 0,1,2,2,3,4,1,1,1
    bearoff rollout "[5,5,6,6,6,7,8,8,9]" "[4,4,5,6,6,6,7,8,10]" --cube owned
    bearoff rollout XGID=---BBCDBA-A-----aaadcbba--:0:0:1:00:0:0:0:0:10 --json
    """
    from app.commands.cube import cube_of
    from sim.rollout import Goal, on_24_points, truncation_table
    from sim.rollout import rollout as roll_out
    from sim.rollout_lanes import Techniques

    race = on_24_points(_parse_race(roller, opponent))
    where = cube or cube_of(roller)
    with _Progress(show=not quiet, goal=error, most=games) as progress:
        answer = roll_out(
            race,
            Goal(error, games),
            seed=seed,
            techniques=Techniques(luck, int(first_rolls), truncate),
            table=truncation_table() if truncate else None,
            workers=workers or "auto",
            on_progress=progress.update,
        )
    action = getattr(answer, where)
    if json:
        say_json(_as_json(race, answer, action))
    else:
        _show(race, answer, action)


def _parse_race(roller: str, opponent: str | None) -> "Race":
    """Read both sides, each on as many points as its notation speaks of."""
    from app.commands.winprob import parse_race
    from bearoff import Position, Race
    from bearoff.notation import is_two_sided

    if opponent is None or is_two_sided(roller):
        return parse_race(roller, opponent, _POINTS, _CHECKERS)
    sides = [Position.parse(text, _points_of(text)) for text in (roller, opponent)]
    points = max(side.points for side in sides)
    wide = [Position(side.counts + (0,) * (points - side.points)) for side in sides]
    return Race(*wide)


_POINTS, _CHECKERS = 24, 15


def _points_of(text: str) -> int:
    """Points of the board that a notation of one side speaks of."""
    from bearoff import POINTS

    text = text.strip()
    if text.startswith("["):
        return _POINTS
    numbers = text.count(",") + 1 - text.startswith("(")
    return POINTS if numbers == 1 else min(max(numbers, 1), _POINTS)


class _Progress:
    """What a rollout has reached, on standard error.

    Parameters
    ----------
    show : bool
        Whether to show anything.
    goal : float
        Standard error asked for.
    most : int
        Games allowed.
    """

    def __init__(self, *, show: bool, goal: float, most: int) -> None:
        self._bar: tqdm[None] | None = None
        self._show = show
        self._goal = goal
        self._most = most

    def __enter__(self) -> "_Progress":
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def update(self, moments: "Moments") -> None:
        """Show the games played, those still needed, and the error so far."""
        from sim.progress import progress_bar
        from sim.rollout import worst_error

        if self._bar is None:
            self._bar = progress_bar("rollout", self._most, show=self._show)
        error = worst_error(moments)
        if self._goal and error == error:
            needed = moments.games * (error / self._goal) ** 2
            self._bar.total = int(min(max(needed, moments.games), self._most))
        self._bar.set_postfix_str(f"error {error:.5f}", refresh=False)
        self._bar.update(moments.games - self._bar.n)


def _as_json(race: "Race", answer: "Rollout", action: "RolledAction") -> dict[str, Any]:
    return {
        "roller": list(_shown(race).roller.counts),
        "opponent": list(_shown(race).opponent.counts),
        "position_id": race.position_id,
        "win_probability": asdict(answer.win_probability),
        **asdict(action),
        "games": answer.games,
        "seconds": round(answer.seconds, 3),
        "table_checkers": answer.table_checkers,
    }


def _show(race: "Race", answer: "Rollout", action: "RolledAction") -> None:
    from app.board import OPPONENT, ROLLER, draw_race

    shown = _shown(race)
    where = "in the centre" if action.cube == "centred" else "his"
    say(f" {OPPONENT} opponent: {_counts(race.opponent)}")
    say(draw_race(shown.roller, shown.opponent))
    say(f" {ROLLER} roller:   {_counts(race.roller)}, the cube {where}")
    say()
    close = ": too close to call at the games played" if action.too_close else ""
    say(f"{action.action[0].upper()}{action.action[1:]}{close}")
    say()
    double = "redouble" if action.cube == "owned" else "double"
    say_table(
        ("outcome", "equity", "standard error"),
        [
            (f"no {double}", *_told(action.no_double)),
            (f"{double}, take", *_told(action.double_take)),
            (f"{double}, pass", "+1.0000", "-"),
            (f"gained by the {double}", *_told(action.gain)),
        ],
    )
    say()
    say(
        f"Without the cube the roller wins {answer.win_probability.value:.3%}"
        f"{_within(answer.win_probability)}."
    )
    say(_how(answer))


def _shown(race: "Race") -> "Race":
    """Return the race on the points that hold checkers, the home board at the least."""
    from bearoff import POINTS, Position, Race

    points = max(POINTS, race.roller.highest, race.opponent.highest)
    return Race(*(Position(side.counts[:points]) for side in (race.roller, race.opponent)))


def _counts(side: "Position") -> str:
    from bearoff.bear_in import bear_in

    epc = float(bear_in().epc(side.counts))
    return f"{side.pips} pip{'' if side.pips == 1 else 's'}, EPC {epc:.2f}"


def _told(estimate: "Estimate") -> tuple[str, str]:
    return (
        f"{estimate.value:+.4f}",
        "-" if _exact(estimate) else f"{estimate.standard_error:.5f}",
    )


def _exact(estimate: "Estimate") -> bool:
    """Whether every game gives the same, but for what rounding leaves."""
    return estimate.standard_error < 5e-7


def _within(estimate: "Estimate") -> str:
    return "" if _exact(estimate) else f" ± {estimate.standard_error:.3%}"


def _how(answer: "Rollout") -> str:
    if not answer.games:
        return f"Exact: the two-sided table of {answer.table_checkers} checkers holds it."
    where = (
        f"each into the table of {answer.table_checkers} checkers"
        if answer.table_checkers
        else "each to its end"
    )
    return f"{answer.games:,} games, {where}, in {answer.seconds:.1f} s; money play."
