"""Page about the first numbers that win races of No Chance Backgammon, without dice."""

from collections.abc import Callable, Sequence
from pathlib import Path

from bearoff import Position
from bearoff.analysis.output import markdown_page, markdown_table, write_text
from bearoff.game.no_chance import NoChanceRace, solve_no_chance_race

STARTS = (
    "{n} on the 6 point",
    "{n} on the ace point",
    "{n} spread from the 6 point down",
)


def write_no_chance_page(
    folder: str | Path,
    *,
    checkers: int = 6,
    numbers: Sequence[int] = (4, 5, 6, 7),
    progress: Callable[[float], None] = lambda done: None,
) -> Path:
    """Solve all races of a few checkers, and write a page about the first numbers that win.

    Parameters
    ----------
    folder : str or Path
    checkers : int
        Maximum number of checkers per side.
    numbers : sequence of int
        Largest number that a player may name, for each table of the page.
    progress : callable
        Function called with the completed fraction, 0 to 1.

    Returns
    -------
    Path
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    parts = [
        "# First numbers in the race of No Chance Backgammon",
        "In No Chance Backgammon, a player names a number instead of rolling dice, and "
        "plays this number and the opponent's last number. In the races on this page, "
        "the first side names a number, the second side names a different number, and "
        "the first side takes the first turn. Each side may make a double twice, by "
        "naming the opponent's last number. Both sides start from the same position, and "
        "each column of a table is for one first number. If the first side wins, the "
        "cell contains the number of turns, of both sides together, that the first side "
        "needs against the best second number. If some numbers named by the second side "
        "beat the first number, the cell lists these second numbers instead. `python -m "
        f"research.no_chance --checkers {checkers}` solves the game exactly.",
    ]
    for k, count in enumerate(numbers):
        most = checkers if count == 6 else min(checkers, 6)
        full = Position((0, 0, 0, 0, 0, most))

        def share(done: float, k: int = k) -> None:
            progress((k + done) / len(numbers))

        race = solve_no_chance_race(full, numbers=count, progress=share)
        parts += [
            f"## {count} numbers",
            markdown_table(
                ["both sides", *(str(n) for n in range(1, count + 1))],
                [_row(race, *start) for start in _starts(most)],
            ),
            _shares(race, most),
        ]
    return write_text(markdown_page(parts), folder / "no-chance.md")


def _starts(most: int) -> list[tuple[str, Position]]:
    starts = []
    for n in range(1, most + 1):
        names = STARTS if n > 1 else STARTS[:2]
        for name, counts in zip(
            names,
            ((0, 0, 0, 0, 0, n), (n, 0, 0, 0, 0, 0), _spread(n))[: len(names)],
            strict=True,
        ):
            called = f"{n} checker{'s' * (n > 1)}"
            starts.append((name.format(n=called), Position(counts)))
    return starts


def _spread(checkers: int) -> tuple[int, ...]:
    counts = [0] * 6
    for k in range(checkers):
        counts[5 - k % 6] += 1
    return tuple(counts)


def _row(race: NoChanceRace, name: str, start: Position) -> list[str]:
    cells = []
    for answers in race.openings(start, start).values():
        beaten = [str(y) for y, turns in answers.items() if turns < 0]
        cells.append(
            "loses to " + ", ".join(beaten) if beaten else str(max(answers.values()))
        )
    label = name if "spread" not in name else f"{sum(start.counts)} {name}"
    return [label, *cells]


def _shares(race: NoChanceRace, checkers: int) -> str:
    """Return the share of races between equal sides in which each first number wins."""
    won = dict.fromkeys(range(1, race.numbers + 1), 0)
    any_won = total = 0
    for position in _all_positions(checkers):
        total += 1
        openings = race.openings(position, position)
        wins = [x for x, answers in openings.items() if min(answers.values()) > 0]
        any_won += bool(wins)
        for x in wins:
            won[x] += 1
    shares = ", ".join(f"{count / total:.1%} for {x}" for x, count in won.items())
    return (
        f"Over all {total:,} positions of {checkers} checkers, with both sides in the "
        f"same position, the first side wins in {any_won / total:.1%} of the positions "
        "with its best first number. The first side wins with a given first number in "
        f"this share of the positions: {shares}."
    )


def _all_positions(checkers: int) -> list[Position]:
    """Return all positions of a number of checkers on six points."""
    found: list[tuple[int, ...]] = [()]
    for _ in range(5):
        found = [(*f, n) for f in found for n in range(checkers - sum(f) + 1)]
    return [Position((*f, checkers - sum(f))) for f in found]
