"""Reviews of whole matches, compared with other programs' analysis of the same decisions.

Run with ``--public`` for eXtreme Gammon's analysis of the public matches in the tests,
without it for GNU Backgammon's two-ply analysis of new matches, played with added noise.
The page has performance ratings and the cost of decisions before the race, by both
programs; ``--write`` writes it with a chart.
"""

import math
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis import formulas
from bearoff.analysis.output import markdown_table
from bearoff.analysis.review import (
    Decision,
    Estimates,
    Reviewing,
    cube_alternatives,
    rated_alternatives,
    totals,
)
from bearoff.app.reviews import review_judge
from bearoff.game.records import MatchRecord, read_match
from bearoff.stakes import Terms, Values
from oracles import gnubg
from research.comparisons.pages import page_parser, write_page
from research.public_matches import analysed

NOISE = (0.0, 0.02, 0.05, 0.1)
"""Random noise in the evaluations of GNU Backgammon's players, so that they err as people
do."""

_GNUBG = "GNU Backgammon"

SKILLED = 20
"""Maximum performance rating of a player whose errors are like those of people."""

CLOSE = 0.2
"""Maximum difference, in EMG, between the two choices of a close cube decision."""


def play(folder: Path, seed: int, length: int) -> Path:
    """Let GNU Backgammon play, analyse and save a match, unless the file exists already."""
    path = folder / f"noise-{seed}.sgf"
    if not path.exists():
        players = "".join(
            f"set player {side} gnubg\n"
            f"set player {side} chequerplay evaluation plies 0\n"
            f"set player {side} chequerplay evaluation noise {noise}\n"
            f"set player {side} cubedecision evaluation plies 0\n"
            f"set player {side} cubedecision evaluation noise {noise}\n"
            for side, noise in enumerate((NOISE[seed % 4], NOISE[(seed + 2) % 4]))
        )
        gnubg.save_match(
            path,
            f"set display off\n{players}set rng mersenne\nset seed {seed}\n"
            "set analysis chequerplay evaluation plies 2\n"
            "set analysis cubedecision evaluation plies 2\n"
            f"set automatic game on\nnew match {length}\nanalyse match\n",
        )
    return path


def by_file(one: Decision) -> Decision | None:
    """Return a decision as analysed in the match file; None if the file has no analysis."""
    said = one.file
    if said is None or said.cost is None:
        return None
    if one.kind == "play":
        names = [name for name, _ in said.equities]
        if one.decided not in names:
            return None
        alternatives = rated_alternatives(said.equities, 0.0)
        return replace(one, alternatives=alternatives, worst=0.0)
    known = {name.replace("redouble", "double"): value for name, value in said.equities}
    owned = np.full(1, one.position.cube == "owned", np.int8)
    values = Values.empty(Terms(), owned)
    values.no_double[:], values.double_take[:] = (
        known["no double"],
        known["double, take"],
    )
    values.no_double_error[:] = values.double_take_error[:] = 0.0
    kind = "take" if one.kind == "take" else "double"
    return replace(one, alternatives=cube_alternatives(kind, values))


@dataclass(frozen=True)
class Pair:
    """Decision with its costs by this program and by the match file."""

    ours: Decision
    file: Decision

    @property
    def off(self) -> float:
        """Our cost of the player's choice minus the match file's cost, in EMG."""
        return self.ours.cost - self.file.cost

    @property
    def is_close(self) -> bool:
        """Whether the match file's equities of both actions differ by less than `CLOSE`."""
        costs = [self.file.cost_of(choice) for choice in self.file.choices]
        return max(costs) < CLOSE


def pairs_of(matches: Sequence[MatchRecord], seconds: float = math.inf) -> list[Pair]:
    """Review matches; return the decisions whose costs the match files also state.

    After `seconds`, plays before the race are judged by the net alone, without a search.
    """
    formula = formulas.get(formulas.RECOMMENDED)
    reviewing = Reviewing(matches, review_judge(), formula, estimates=Estimates())
    for _ in reviewing.run(seconds):
        pass
    judged = [(one, by_file(one)) for one in reviewing.review().judged if one.decided]
    return [Pair(ours, file) for ours, file in judged if file is not None]


@dataclass(frozen=True)
class Ratings:
    """Performance ratings of players by both programs, with numbers of rated decisions."""

    names: list[tuple[str, ...]]
    counted: NDArray[np.int64]
    ours: NDArray[np.float64]
    file: NDArray[np.float64]


def ratings_of(pairs: Sequence[Pair]) -> Ratings:
    """Compute both programs' ratings of each player in each match."""

    def of(decisions: list[Decision]) -> dict[tuple[str, ...], tuple[int, float]]:
        summed = totals(decisions, lambda one: (Path(one.source).stem, one.player))
        return {one.name: (one.counted, one.rating or 0.0) for one in summed}

    ours, file = (of([getattr(pair, name) for pair in pairs]) for name in ("ours", "file"))
    names = list(ours)
    counted = np.array([(ours[name][0], file[name][0]) for name in names])
    rated = np.array([(ours[name][1], file[name][1]) for name in names])
    return Ratings(names, counted, rated[:, 0], rated[:, 1])


def _spread(off: NDArray[np.float64]) -> list[str]:
    """Return mean, standard error, root mean square and 95th percentile of differences."""
    error = off.std(ddof=1) / len(off) ** 0.5
    return [
        f"{len(off):,}",
        f"{off.mean():+.4f} ± {error:.4f}",
        f"{np.sqrt((off**2).mean()):.4f}",
        f"{np.quantile(np.abs(off), 0.95):.4f}",
        f"{np.abs(off).max():.3f}",
    ]


def _differences(pairs: Sequence[Pair], net: Sequence[Pair]) -> str:
    """Return a Markdown table of differences between the two programs' costs, by group.

    `net` contains the same decisions, whose plays the neural net judges without a search.
    """
    before = [pair for pair in pairs if not pair.ours.in_race]
    plays = [pair for pair in before if pair.ours.kind == "play"]
    cubes = [pair for pair in before if pair.ours.kind != "play"]
    groups = {
        "plays before the race": plays,
        "plays that are best according to the review": [
            pair for pair in plays if not pair.ours.is_seen
        ],
        "plays that cost up to 0.05 EMG according to the review": [
            pair for pair in plays if pair.ours.is_seen and pair.ours.cost <= 0.05
        ],
        "plays that cost more than 0.05 EMG according to the review": [
            pair for pair in plays if pair.ours.cost > 0.05
        ],
        "plays that are not best according to the review": [
            pair for pair in plays if pair.ours.is_seen
        ],
        "plays that are not best according to the net without a search": [
            pair
            for pair in net
            if pair.ours.kind == "play" and not pair.ours.in_race and pair.ours.is_seen
        ],
        "cube decisions before the race": cubes,
        f"cube decisions before the race, choices within {CLOSE} by the file": [
            pair for pair in cubes if pair.is_close
        ],
        "decisions in races": [pair for pair in pairs if pair.ours.in_race],
    }
    rows = [
        [name, *_spread(np.array([pair.off for pair in some]))]
        for name, some in groups.items()
        if len(some) > 1
    ]
    head = ["decisions", "number", "mean difference", "rms difference"]
    head += ["95% are within", "largest difference"]
    return markdown_table(head, rows)


def _rated(found: Ratings) -> str:
    """Return a Markdown table of both programs' ratings, by player and match."""
    rows = [
        [match, player, f"{mine:,}", f"{theirs:,}", f"{a:.2f}", f"{b:.2f}", f"{a - b:+.2f}"]
        for (match, player), (mine, theirs), a, b in zip(
            found.names, found.counted.tolist(), found.ours, found.file, strict=True
        )
    ]
    head = ["match", "<player", "decisions counted by the review"]
    head += ["decisions counted in the file", "PR by the review", "PR from the file"]
    return markdown_table([*head, "difference"], rows)


def _levels(pairs: Sequence[Pair]) -> str:
    """Return how often each level of analysis occurs before the race, as text."""
    counts: dict[str, int] = defaultdict(int)
    for pair in pairs:
        if not pair.ours.in_race and pair.ours.file is not None:
            counts[pair.ours.file.level or "a level that is not named"] += 1
    order = sorted(counts, key=lambda name: -counts[name])
    return ", ".join(f"{counts[name]:,} at {name}" for name in order)


def _mean(off: NDArray[np.float64]) -> str:
    """Return a mean with its standard error, as text."""
    return f"{off.mean():+.2f} ± {off.std(ddof=1) / len(off) ** 0.5:.2f}"


def page(
    title: str,
    told: str,
    pairs: Sequence[Pair],
    net: Sequence[Pair],
    chart: str,
    program: str,
) -> str:
    """Return the comparison of the two programs as a Markdown page."""
    found = ratings_of(pairs)
    off = found.ours - found.file
    skilled = off[found.file < SKILLED]
    together = np.corrcoef(found.ours, found.file)[0, 1]
    biased = ""
    if program == _GNUBG:
        biased = (
            " GNU Backgammon's network\n"
            "  both chose the actions and judged them, so the file finds fewer of the "
            "players' errors."
        )
    agreed = np.mean(found.counted[:, 0] == found.counted[:, 1])
    return f"""# {title}

{told} The review and the file both judge {len(pairs):,} decisions. The file judged the
decisions before the race at the following levels: {_levels(pairs)}.

- **Performance ratings** (PR): the mean of the review's rating minus the file's rating is
  {_mean(off)}, for {len(off)} players of {len(off) // 2} matches. The difference between
  the ratings has a standard deviation of {off.std(ddof=1):.2f}, and is at most
  {np.abs(off).max():.2f}. The correlation of the two ratings is {together:.3f}. The mean of
  the file's ratings is {found.file.mean():.2f}.
- For the {len(skilled)} players with a rating below {SKILLED} in the file, the mean
  difference between the ratings is {_mean(skilled)}, with a standard deviation of
  {skilled.std(ddof=1):.2f}.
- Both ratings are computed by the same rule. For {agreed:.0%} of the players, both ratings
  count the same number of decisions.
- Limits of the comparison: the file's equities are estimates, like those of the review. The
  file contains no rating. The file's rating is computed here from the file's equities by
  the rule that {program} is known to use. One match says little about the strength of a
  player, and the decisions of one player are not independent.{biased}

![Ratings by the review and from the file]({chart})

## Costs of decisions: the review minus the file

Differences are in EMG. The review states the same error for all close cube decisions before
the race: the rms difference from eXtreme Gammon's costs in such decisions.

{_differences(pairs, net)}

## Ratings

{_rated(found)}
"""


def draw(found: Ratings, path: Path, program: str) -> None:
    """Draw a chart that compares players' ratings by the review and by the match file."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 5), layout="constrained")
    axes = figure.subplots()
    most = 1.05 * float(max(found.ours.max(), found.file.max()))
    axes.plot([0, most], [0, most], color="0.6", linewidth=1)
    axes.scatter(found.file, found.ours, s=18, color="#7a1f1f")
    axes.set_xlim(0, most)
    axes.set_ylim(0, most)
    axes.set_aspect("equal")
    axes.set_xlabel(f"PR from {program}'s equities")
    axes.set_ylabel("PR by the review")
    axes.set_title(f"{len(found.ours)} players of {len(found.ours) // 2} matches")
    figure.savefig(path, dpi=110)


def main(arguments: Sequence[str] | None = None) -> None:
    pages = Path("results/agreement")
    default = pages / "whole-matches.md"
    parser = page_parser(__doc__, default)
    parser.add_argument(
        "--public",
        action="store_true",
        help="Use the public matches, analysed by eXtreme Gammon.",
    )
    parser.add_argument(
        "--games", type=Path, metavar="FOLDER", help="Folder for the games played."
    )
    parser.add_argument(
        "--matches", type=int, default=24, help="Number of matches to play."
    )
    parser.add_argument(
        "--length", type=int, default=5, help="Length of the matches in points."
    )
    options = parser.parse_args(arguments)
    if options.public:
        program, to = "eXtreme Gammon", options.write
        matches = analysed()
        title = "Whole matches compared with eXtreme Gammon's analysis"
        told = (
            "`python -m research.comparisons.whole_matches --public` compares the review "
            "of the 13 public matches of [the tests](../../tests/data/README.md) with the "
            "analysis in their files."
        )
    else:
        gnubg.require()
        program = _GNUBG
        to = pages / "whole-matches-gnubg.md" if options.write == default else options.write
        with tempfile.TemporaryDirectory() as temporary:
            folder = options.games or Path(temporary)
            paths = [
                play(folder, seed, options.length) for seed in range(1, options.matches + 1)
            ]
            matches = [read_match(path) for path in paths]
        title = "Whole matches compared with GNU Backgammon's analysis"
        told = (
            f"GNU Backgammon {gnubg.version()} played {options.matches} matches to "
            f"{options.length} points between its 0-ply players with noise of 0 to "
            f"{NOISE[-1]}, and analysed them at 2 plies. `python -m "
            f"research.comparisons.whole_matches --matches {options.matches} --length "
            f"{options.length}` compares the review of these matches with GNU Backgammon's "
            "analysis."
        )
    pairs, net = pairs_of(matches), pairs_of(matches, seconds=0)
    chart = "whole-matches.png" if options.public else "whole-matches-gnubg.png"
    if to:
        draw(ratings_of(pairs), to.with_name(chart), program)
    write_page(page(title, told, pairs, net, chart, program), to)


if __name__ == "__main__":
    main()
