"""Reviews of races, compared with other programs' analysis of the same decisions.

Run with ``--public`` for eXtreme Gammon's analysis of the public matches in the tests,
without it for GNU Backgammon's analysis of new games at two plies; ``--write`` writes the
page. The cost of each decision by this program is compared with its cost by the match file.
"""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from bearoff.analysis.output import markdown_table
from bearoff.answers import Judge
from bearoff.game.records import read_match
from bearoff.sim.rollouts import Goal, PairedSource
from oracles import gnubg
from research.comparisons.further import LONGER, by_games, by_tables
from research.comparisons.pages import page_parser, write_page
from research.comparisons.reviewed import Pair, pairs_of
from research.public_matches import analysed

PLAYED = (
    *((f"match-{seed}", seed, "new match 11\n") for seed in range(1, 5)),
    *(
        (f"money-{seed}", seed, "set jacoby off\nnew session\n" + 9 * "new game\n")
        for seed in range(101, 110)
    ),
    *(
        (f"jacoby-{seed}", seed, "set jacoby on\nnew session\n" + 9 * "new game\n")
        for seed in range(201, 204)
    ),
)
"""Names, random seeds and commands of the matches and money games that GNU Backgammon
plays."""

PLAYERS = """set display off
set player 0 gnubg
set player 1 gnubg
set player 0 chequerplay evaluation plies 0
set player 1 chequerplay evaluation plies 0
set player 0 cubedecision evaluation plies 0
set player 1 cubedecision evaluation plies 0
set rng mersenne
set beavers 0
"""


def play(folder: Path, name: str, seed: int, commands: str) -> Path:
    """Let GNU Backgammon play, analyse and save the games that are not saved yet."""
    path = folder / f"{name}.sgf"
    if not path.exists():
        games = "on" if "match" in commands else "off"
        gnubg.save_match(
            path,
            f"{PLAYERS}set seed {seed}\nset automatic game {games}\n{commands}"
            "analyse match\n",
        )
    return path


NEAR = 0.005
"""Difference between two costs that is too small to matter to a player, in EMG."""

SAME = 0.0001
"""Difference between two costs that rounding in match files can explain."""

SHOWN = 10
"""Number of decisions with the largest differences that are listed."""

LENGTHS = ((20, "to 20"), (40, "21 to 40"), (70, "41 to 70"), (999, "over 70"))
"""Classes of races by the pip count of the side on roll."""

_JUDGES = (
    ("exact", "exact values"),
    ("rollout", "rollouts"),
    ("model", "the fast model"),
)
"""Methods of the review, with their names in the table."""

Group = tuple[str, Callable[[Pair], bool]]


def _groups() -> list[Group]:
    found: list[Group] = [("all", lambda pair: True)]
    for home, where in ((True, "both sides home"), (False, "checkers beyond home")):
        for money, stakes in ((True, "for money"), (False, "at a match score")):
            for method, called in _JUDGES:
                found.append(
                    (
                        f"{where}, {stakes}, judged by {called}",
                        lambda pair, home=home, money=money, method=method: (
                            pair.home == home
                            and (pair.ours.race.score is None) == money
                            and pair.ours.method == method
                        ),
                    )
                )
    found += [
        (f"{kind}s", lambda pair, kind=kind: pair.ours.kind == kind)
        for kind in ("play", "double", "take")
    ]
    least = 0
    for most, name in LENGTHS:
        found.append(
            (
                f"{name} pips",
                lambda pair, least=least, most=most: (
                    least < pair.ours.race.roller.pips <= most
                ),
            )
        )
        least = most
    return found


def agreement(pairs: Sequence[Pair]) -> str:
    """Return a Markdown table that compares decisions' costs by review and by file."""
    rows = []
    for name, belongs in _groups():
        found = [pair for pair in pairs if belongs(pair)]
        if not found:
            continue
        off = np.array([pair.off for pair in found])
        mine = [pair.ours.cost > max(NEAR, pair.ours.error) for pair in found]
        theirs = [pair.theirs > NEAR for pair in found]
        alone = np.array(mine) & ~np.array(theirs), np.array(theirs) & ~np.array(mine)
        equities = np.array([one for pair in found for one in pair.equities] or [np.nan])
        rows.append(
            [
                *(name, f"{len(found):,}"),
                *(f"{np.mean(np.abs(off) <= near):.1%}" for near in (SAME, NEAR)),
                *_spread(off),
                *(f"{one.sum():,}" for one in alone),
                f"{equities.mean():+.5f}",
                *_spread(equities),
            ]
        )
    head = [
        "decisions",
        "number",
        f"costs within {SAME}",
        f"costs within {NEAR}",
        "rms difference in cost",
        "largest difference in cost",
        "mistakes only according to the review",
        "mistakes only according to the file",
        *(f"{what} difference in equity" for what in ("mean", "rms", "largest")),
    ]
    return markdown_table(head, rows)


def _spread(off: np.ndarray) -> tuple[str, str]:
    return f"{np.sqrt(np.mean(off**2)):.5f}", f"{np.abs(off).max():.4f}"


def furthest(pairs: Sequence[Pair], by: Callable[[Pair], float]) -> str:
    """Return a Markdown table of the decisions in which review and file differ most."""
    rows = []
    for pair in sorted(pairs, key=by)[-SHOWN:][::-1]:
        one = pair.ours
        apart = ", ".join(f"{off:+.4f}" for off in pair.equities)
        ours = one.best, f"{one.cost:.4f}", f"{one.error:.4f}", one.method
        theirs = str(pair.file.best), f"{pair.theirs:.4f}", str(pair.file.level)
        xgid = f"`{one.race.xgid.removeprefix('XGID=')}`"
        rows.append([xgid, one.decided, *ours, *theirs, apart])
    head = [
        "XGID",
        "choice made",
        "best choice according to the review",
        "cost by the review",
    ]
    head += [
        "error of this cost",
        "method of the review",
        "best choice according to the file",
    ]
    head += ["cost by the file", "level of the file", "differences in equity"]
    return markdown_table(head, rows)


def _said_of_gnubg(pairs: Sequence[Pair], error: float) -> str:
    return f"""# Reviews compared with GNU Backgammon's analysis

GNU Backgammon {gnubg.version()} played four matches to 11 and 120 games for money, 30 of
them with the Jacoby rule, between its 0-ply players, and analysed them two plies deep.
`bearoff review` judged the same {len(pairs):,} decisions in races: by stored tables, by
solving races at match scores, or by the fast model. If the fast model found a mistake, a
rollout with a standard error of {error} judged the decision again. `python -m
research.comparisons.reviews` writes this page.
"""


def _said_of_public(pairs: Sequence[Pair], error: float) -> str:
    def apart(*, home: bool, money: bool) -> str:
        some = [p for p in pairs if (p.home, p.ours.race.score is None) == (home, money)]
        off = [abs(pair.off) for pair in some]
        count = sum(one > SAME for one in off)
        most = f"; by at most {max(off):.4f}" if count else ""
        decisions = f"in {count} of {len(some)} decisions"
        return f"{decisions}, the two costs differ by over {SAME} EMG{most}"

    levels = [pair.file.level for pair in _further(pairs, home=False)]
    deep = ", ".join(f"{levels.count(one)} at {one}" for one in sorted(set(levels)))
    return f"""# Reviews compared with eXtreme Gammon's analysis

The 13 public matches of [the tests](../../tests/data/README.md) contain eXtreme Gammon's
analysis of their decisions. In races, this analysis is mostly at the level that eXtreme
Gammon calls 2-ply. `bearoff review` judged the same {len(pairs):,} decisions in races: by
stored tables, by solving races at match scores, or by the fast model. If the fast model
found a mistake, a rollout with a standard error of {error} judged the decision again.
`python -m research.comparisons.reviews --public` writes this page.

- **Both sides home, for money**: {apart(home=True, money=True)}.
- **Both sides home, at a match score**: {apart(home=True, money=False)}. The review
  computes exact costs, including the value of the cube. eXtreme Gammon estimates the value
  of the cube by a formula at the end of its search. The error of this formula changes the
  equities of both choices by a few hundredths of an EMG, but by almost the same amount, so
  the costs hardly change. The choice of the match equity table does not explain the
  remaining differences: for each decision, the exact costs [with six
  tables](#home-at-a-score-with-other-match-equity-tables) are either all larger or all
  smaller than the cost in the file.
- **Checkers beyond home, for money**: {apart(home=False, money=True)}.
- **Checkers beyond home, at a match score**: {apart(home=False, money=False)}. eXtreme
  Gammon's search ends with estimates of a neural net. The costs of the review are from
  rollouts, which have a standard error, or from the fast model if the decision is clear. In
  {len(levels)} decisions, the cost according to the match file and the cost according to
  the review differ by more than the error that the review states. The file judged these
  decisions at the following levels: {deep}. For the choice that it considers best, the
  review states a cost of 0 without an error, although another choice may be better if the
  cost of the other choice is smaller than its error. Therefore, [longer
  rollouts](#beyond-home-with-longer-rollouts) test the costs of the decisions in which the
  file and the review differ.
"""


def _further(pairs: Sequence[Pair], *, home: bool) -> list[Pair]:
    """Return decisions whose costs by review and file differ beyond the stated error."""
    of_them = [pair for pair in pairs if pair.home == home]
    return [pair for pair in of_them if abs(pair.off) > max(pair.ours.error, SAME)]


def page(head: str, pairs: Sequence[Pair]) -> str:
    return f"""{head}
A difference in cost is the cost of a choice according to the file minus its cost according
to the review, in EMG. A difference in equity is the equity according to the file minus the
equity according to the review. *Mistakes* according to the file are choices that cost more
than {NEAR} EMG. According to the review, mistakes must also cost more than the error of
their cost.

## Agreement

{agreement(pairs)}

## Largest differences in cost

{furthest(pairs, lambda pair: abs(pair.off))}

## Largest differences in equity

{furthest(pairs, lambda pair: max(map(abs, pair.equities), default=0.0))}
"""


def main(arguments: Sequence[str] | None = None) -> None:
    pages = Path("results/agreement")
    parser = page_parser(__doc__, pages / "review.md")
    parser.add_argument(
        "--public",
        action="store_true",
        help="Use the public matches, analysed by eXtreme Gammon.",
    )
    parser.add_argument(
        "--games", type=Path, metavar="FOLDER", help="Folder for the games played."
    )
    parser.add_argument(
        "--error", type=float, default=0.01, help="Standard error of rollouts."
    )
    options = parser.parse_args(arguments)
    # Ten minutes are enough to solve any race of the public matches that has all checkers
    # home.
    judge = Judge(patience=600.0 if options.public else 1.0)
    goal = Goal(options.error, 1_000_000)

    def roll_out(race, played, decided):
        return PairedSource(race, goal, played, decided)

    if options.public:
        pairs = pairs_of(analysed(), judge, roll_out)
        text = (
            page(_said_of_public(pairs, options.error), pairs)
            + f"""
## Home, at a score, with other match equity tables

The table shows how much equity the choice made in the match loses against the choice that
the file considers best. The first loss is from the file, and the other losses are exact,
with six match equity tables of GNU Backgammon. eXtreme Gammon also uses the first of these
tables, Kazaross-XG2.

{by_tables(_further(pairs, home=True))}

## Beyond home, with longer rollouts

The table compares the losses according to the file with those in rollouts that have a
standard error of {LONGER.standard_error}. The stated error of a rollout is two standard
errors plus the systematic error of the simulated players, which more games do not reduce.

{by_games(_further(pairs, home=False))}
"""
        )
        # This page has its own default name, because `review.md` is the page on GNU
        # Backgammon.
        to = pages / "extreme-gammon.md" if options.write == pages / "review.md" else None
        write_page(text, to or options.write)
        return
    gnubg.require()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.games or Path(temporary)
        matches = [read_match(play(folder, *one)) for one in PLAYED]
    pairs = pairs_of(matches, judge, roll_out)
    write_page(page(_said_of_gnubg(pairs, options.error), pairs), options.write)


if __name__ == "__main__":
    main()
