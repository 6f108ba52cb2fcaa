"""Hold the review of races to GNU Backgammon's own analysis.

Run as ``python -m verify.review_gnubg``; ``--write`` keeps the page. GNU Backgammon plays
matches and sessions for money, analyses them two plies deep and saves them with what it
says of every play and cube decision. Both look at the same decisions in races; what a
decision costs by one is set beside what it costs by the other.
"""

import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import bearoff
from analysis import formulas
from analysis.review import Judged, RollOut, review
from bearoff.answers import Judge
from game.records import RaceDecision, race_decisions, read_match
from sim.answers import Beside
from sim.rollouts import Goal
from verify.common.report import leave, page_parser
from verify.peers import gnubg

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
"""Names, seeds and what is told to play: four matches to 11 and 120 games for money."""

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

_NODE = re.compile(r";([WB])\[(\w+)\](.*)")
_CUBE = re.compile(r"DA\[E ver 3 \S+ \S+ \S+ \S+ ([^\]]*)\]")
_PLAYS = re.compile(r"\bA\[(\d+)\]((?:\[[^\]]*\])+)")
_EACH = re.compile(r"\[[a-z]+ E ver 3 (?:\S+ ){5}(\S+)")


def play(folder: Path, name: str, seed: int, commands: str) -> Path:
    """Let GNU Backgammon play, analyse and save; what is there already is kept."""
    path = folder / f"{name}.sgf"
    if not path.exists():
        games = "on" if "match" in commands else "off"
        text = (
            f"{PLAYERS}set seed {seed}\nset automatic game {games}\n{commands}"
            f'analyse match\nsave match "{path}"\nexit\ny\n'
        )
        subprocess.run(
            [str(gnubg.find("gnubg")), "-t", "-q", "-r"],
            input=text,
            text=True,
            capture_output=True,
            check=True,
        )
    return path


@dataclass(frozen=True)
class Said:
    """What GNU Backgammon says at an action.

    Attributes
    ----------
    played : tuple of float or None
        What the play that was made loses, and its equity; None of other actions.
    cube : tuple of float or None
        Before the roll, without a double and after one that is taken: points at the cube
        as it stood, or in a match the chance to win it.
    """

    played: tuple[float, float] | None
    cube: tuple[float, float] | None


def analysis_of(text: str) -> dict[int, Said]:
    """Read what is said at each line of a file that has an action on it.

    Examples
    --------
    >>> line = ";W[31ab]A[1][ab E ver 3 1 0 0 0 0 0.5 2C][cd E ver 3 1 0 0 0 0 0.25 2C]"
    >>> analysis_of(line)
    {1: Said(played=(0.25, 0.25), cube=None)}
    """
    found = {}
    for number, line in enumerate(text.splitlines(), start=1):
        node = _NODE.match(line)
        if node is None:
            continue
        played = cube = None
        if plays := _PLAYS.search(node[3]):
            scores = [float(score) for score in _EACH.findall(plays[2])]
            chosen = int(plays[1])
            if chosen < len(scores):  # Else it was left out of the analysis.
                played = max(scores) - scores[chosen], scores[chosen]
        if said := _CUBE.search(node[3]):
            numbers = [float(one) for one in said[1].split()]
            cube = numbers[6], numbers[13]
        found[number] = Said(played, cube)
    return found


@dataclass(frozen=True)
class Pair:
    """A decision as both judge it.

    Attributes
    ----------
    ours : Judged
        Ours.
    theirs : float
        What the choice costs by GNU Backgammon.
    equities : tuple of float
        How much higher than ours its equities are: of waiting and of a double that is
        taken, or of the play; empty where the model values a race at a score as money.
    """

    ours: Judged
    theirs: float
    equities: tuple[float, ...]

    @property
    def off(self) -> float:
        """How far apart the costs are."""
        return self.theirs - self.ours.cost


def compared(decision: RaceDecision, said: Said, ours: Judged) -> Pair | None:
    """Set what both say of a decision side by side; None if GNU Backgammon says nothing."""
    race, known = decision.race, dict(ours.equities)
    if decision.kind == "play":
        if said.played is None:
            return None
        cost, *theirs = said.played
        names = [ours.decided]
    else:
        if said.cube is None:
            return None
        waits, taken = theirs = [_normalised(one, race) for one in said.cube]
        doubled = min(taken, 1.0)
        costs = {
            "no double": doubled - waits,
            "double": waits - doubled,
            "take": taken - 1.0,
            "pass": 1.0 - taken,
        }
        cost, names = max(costs[str(decision.decided)], 0.0), ["no double", "double, take"]
    comparable = race.score is None or ours.method != "model"
    off = [their - known[name] for their, name in zip(theirs, names, strict=True)]
    return Pair(ours, cost, tuple(off) if comparable else ())


def _normalised(value: float, race: bearoff.Race) -> float:
    """Turn a chance to win the match into an equity; points stay."""
    if race.score is None:
        return value
    table = bearoff.match_equities()
    low, high = (
        float(table.after(race.score, n)) for n in (-race.cube_value, race.cube_value)
    )
    return 2 * (value - low) / (high - low) - 1


def pairs_of(path: Path, judge: Judge, roll_out: RollOut | None = None) -> Iterator[Pair]:
    """Yield the decisions of a file that both judge."""
    match = read_match(path)
    said = analysis_of(path.read_text(encoding="utf-8"))
    ours = {
        (one.line, one.kind): one
        for one in review(match, judge, formulas.get("ladder"), roll_out).judged
    }
    for decision in race_decisions(match)[0]:
        line = decision.moment.action.line
        one = ours.get((line, decision.kind))
        pair = one and compared(decision, said[line], one)
        if pair:
            yield pair


LENGTHS = ((20, "to 20"), (40, "21 to 40"), (70, "41 to 70"), (999, "over 70"))
"""Classes of races, by the pips of the side on roll."""

NEAR = 0.005
"""Costs as near as this are the same for a player."""

SHOWN = 10
"""Decisions on which they are furthest apart."""

Group = tuple[str, Callable[[Pair], bool]]


def _length(pair: Pair) -> str:
    pips = pair.ours.race.roller.pips
    return next(name for most, name in LENGTHS if pips <= most)


def _groups() -> list[Group]:
    kinds: list[Group] = [
        (kind, lambda pair, kind=kind: pair.ours.kind == kind)
        for kind in ("play", "double", "take")
    ]
    lengths: list[Group] = [
        (f"{name} pips", lambda pair, name=name: _length(pair) == name)
        for _, name in LENGTHS
    ]
    methods: list[Group] = [
        (name, lambda pair, m=name: pair.ours.method == m)
        for name in ("exact", "rollout", "model")
    ]
    stakes: list[Group] = [
        ("money", lambda pair: pair.ours.race.score is None),
        ("at a score", lambda pair: pair.ours.race.score is not None),
    ]
    return [("all", lambda pair: True), *kinds, *lengths, *methods, *stakes]


def agreement(pairs: Sequence[Pair]) -> str:
    """Set agreement and differences, a row a group, as Markdown."""
    lines = [
        f"| decisions | number | costs within {NEAR} | rms | largest | mistakes by ours "
        "alone | by GNU's alone | equities: mean | rms | largest |",
        "|:---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, belongs in _groups():
        found = [pair for pair in pairs if belongs(pair)]
        if not found:
            continue
        off = np.array([pair.off for pair in found])
        mine = [pair.ours.cost > max(NEAR, pair.ours.error) for pair in found]
        theirs = [pair.theirs > NEAR for pair in found]
        alone = np.array(mine) & ~np.array(theirs), np.array(theirs) & ~np.array(mine)
        equities = np.array([one for pair in found for one in pair.equities] or [np.nan])
        lines.append(
            f"| {name} | {len(found):,} | {np.mean(np.abs(off) <= NEAR):.1%} "
            f"| {np.sqrt(np.mean(off**2)):.5f} | {np.abs(off).max():.4f} "
            f"| {alone[0].sum():,} | {alone[1].sum():,} | {equities.mean():+.5f} "
            f"| {np.sqrt(np.mean(equities**2)):.5f} | {np.abs(equities).max():.4f} |"
        )
    return "\n".join(lines)


def furthest(pairs: Sequence[Pair], by: Callable[[Pair], float]) -> str:
    """List the decisions on which they are furthest apart, as Markdown."""
    lines = [
        "| XGID | chosen | right by ours | costs | error | how | costs by GNU | equities "
        "apart |",
        "|:---|:---|:---|---:|---:|:---|---:|---:|",
    ]
    for pair in sorted(pairs, key=by)[-SHOWN:][::-1]:
        one = pair.ours
        apart = ", ".join(f"{off:+.4f}" for off in pair.equities)
        lines.append(
            f"| `{one.race.xgid.removeprefix('XGID=')}` | {one.decided} | {one.best} "
            f"| {one.cost:.4f} | {one.error:.4f} | {one.method} | {pair.theirs:.4f} "
            f"| {apart} |"
        )
    return "\n".join(lines)


def page(pairs: Sequence[Pair], error: float) -> str:
    """Write the page."""
    return f"""# Reviews beside GNU Backgammon's analysis

GNU Backgammon {gnubg.version()} played four matches to 11 and 120 games for money, 30 of
them with Jacoby's rule, its 0-ply players against each other; it analysed them two plies
deep and saved them. `bearoff review` judged the same {len(pairs):,} decisions in races: by
the two-sided table of 15 checkers, by races solved at the score, by rollouts of a standard
error of {error}, and by the fast model where it finds no fault. From
`python -m verify.review_gnubg`.

*Difference* is what the choice costs by GNU Backgammon less what it costs by ours, in
points at a cube of 1 or, at a score, normalised (EMG). *Mistakes* cost more than {NEAR},
and by ours more than the error.

## Agreement

{agreement(pairs)}

Where ours are exact both find the same choices right: a choice that is clear to both costs
nothing by either. GNU Backgammon's equities differ more than its costs, since where its
plies end a formula puts in what the cube is worth. What the fast model is left with it
values roughly: it is clear, and in lopsided races the chance of a gammon, estimated to a
fifth, is most of the difference. Of rollouts the rest is their standard error, and GNU
Backgammon's own error beyond home, where it estimates by a neural net.

## Furthest apart in what the choice costs

{furthest(pairs, lambda pair: abs(pair.off))}

## Furthest apart in equity

{furthest(pairs, lambda pair: max(map(abs, pair.equities), default=0.0))}
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Let it play, review, and print the page."""
    parser = page_parser(__doc__, Path("results/agreement/review.md"))
    parser.add_argument("--games", type=Path, metavar="FOLDER", help="Keep the games.")
    parser.add_argument("--error", type=float, default=0.01, help="Of rollouts.")
    options = parser.parse_args(arguments)
    gnubg.require()
    judge, goal = Judge(patience=1.0), Goal(options.error, 1_000_000)
    pairs: list[Pair] = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.games or Path(temporary)
        for one in PLAYED:
            pairs += pairs_of(
                play(folder, *one),
                judge,
                lambda race, played, decided: Beside(race, goal, played, decided),
            )
    text = page(pairs, options.error)
    leave(text, options.write)


if __name__ == "__main__":
    main()
