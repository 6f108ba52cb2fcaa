"""`bearoff review`: judge matches, decision by decision."""

import math
import sys
import time
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bearoff.app.formulas import formula_named, formulas_by_name
from bearoff.app.interruption import Interrupted
from bearoff.app.options import FormulaBeside, Json, Quiet
from bearoff.app.output import note, say, say_json, say_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bearoff.analysis.formulas import WorkedFormula
    from bearoff.analysis.review import Decision, Reviewing
    from bearoff.app.position_lists import Listed
    from bearoff.game.records import MatchRecord

WORST, LISTED = 10, 5
"""Numbers of mistakes listed at the end and during the review."""

_NAME = attrgetter("name")

_LONGEST_LIST = 4_000_000
"""Maximum size in bytes of a list of positions."""

_REDRAWN = 0.2
"""Interval in seconds between two updates of the list in the terminal."""


def review(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="MATCH...",
            help="Matches as .xg, .bgf, .mat, .sgf, OGXM or text, lists of positions as "
            "text, or folders of them.",
            show_default=False,
        ),
    ],
    to: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder to write review.html, review.csv, review.parquet and "
            "mistakes.apkg to.",
            show_default=False,
        ),
    ] = None,
    formula: FormulaBeside = None,
    error: Annotated[
        float,
        typer.Option(
            metavar="POINTS",
            min=0.0001,
            max=1.0,
            help="Standard error at which a rollout stops. Races without an exact answer "
            "are rolled out.",
        ),
    ] = 0.01,
    model: Annotated[
        bool,
        typer.Option(
            "--model",
            help="Judge by the fast model, without rollouts, if there is no exact answer.",
        ),
    ] = False,
    patience: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=0.0,
            max=1e6,
            help="Time limit, after which the fast model judges all remaining decisions.",
            show_default=False,
        ),
    ] = None,
    races_only: Annotated[
        bool,
        typer.Option(
            "--races-only",
            help="Leave out decisions before the races, which are only estimated.",
        ),
    ] = False,
    deep: Annotated[
        bool,
        typer.Option(
            "--deep",
            help="Look two rolls ahead before the races where two choices are close; takes "
            "about half a minute more per match.",
        ),
    ] = False,
    library: Annotated[
        bool,
        typer.Option(help="Store the matches in the library; see bearoff library."),
    ] = True,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Judge matches: the cost of each decision, and ratings (PR).

    Races are judged exactly if possible, otherwise by the fast model and by rollouts.
    Earlier decisions are estimated by a search one roll ahead. A decision is a mistake if
    its cost is larger than the error of that cost. After Ctrl-C, the fast model judges the
    remaining decisions in races, and a net those before them.

    \b
    bearoff review match.mat
    bearoff review matches/ --to review
    """
    from bearoff import BearoffError
    from bearoff.analysis.review import Estimates, Reviewing
    from bearoff.app.library.keeper import Keeper, each_once
    from bearoff.app.library.library import open_library
    from bearoff.app.reviews import (
        judge_lists,
        nothing_found,
        review_judge,
        review_rollouts,
    )

    if deep and races_only:
        raise BearoffError(
            "--deep looks at decisions before the races, which --races-only leaves out; "
            "leave one out"
        )
    chosen = formula_named(formula, formulas_by_name(None))
    paths = _matches(files)
    large = sum(path.stat().st_size for path in paths if path.is_file()) / 1e6
    if large > 2 and not quiet:  # smaller files are read without a noticeable delay
        note(f"reading {large:.0f} MB and replaying the games: some seconds per MB")
    matches, listed, problems = _read(paths)
    matches, again = each_once(matches)
    judge, rollouts = review_judge(), None if model else review_rollouts(error)
    keeper = Keeper(open_library() if library else None)
    estimates = None if races_only else Estimates(deep=deep)
    reviewing = Reviewing(matches, judge, chosen, rollouts, keeper.keep, estimates)
    stopped, looked_at = False, 0
    in_lists: list[Decision] = []
    try:
        shown = not quiet and len(reviewing) > 0
        _watch(reviewing, math.inf if patience is None else patience, show=shown)
        for one in judge_lists(listed, judge, chosen, rollouts, estimates):
            looked_at += 1
            if isinstance(one, str):
                problems.append(one)
            else:
                in_lists.append(one)
    except KeyboardInterrupt:
        stopped = True
    if stopped:
        reviewing.estimate_rest()
    found = reviewing.review()
    judged = [*found.judged, *in_lists]
    problems += again + found.problems
    for match, known in reviewing.by_match():
        keeper.keep(match, known)
    keeper.keep_lists(in_lists)
    if keeper.sentence():
        note(keeper.sentence())
    if to is not None:
        subject = "Races of" if races_only else "Review of"
        _write(to, judged, problems, title=f"{subject} {paths[0].stem}")
    if json:
        say_json(_as_json(judged, problems))
    else:
        none = "nothing was judged"
        if not len(reviewing) and not listed:
            none = nothing_found(matches, races_only=races_only)
        _show(
            judged,
            problems,
            chosen,
            none,
            rolled_out=not model,
            whole=not races_only,
        )
    left = f"{found.left} of {len(reviewing)} decisions have only a first estimate"
    if stopped:
        missing = len(reviewing) - reviewing.answered
        told = f", {missing} have no answer" if missing else ""
        if looked_at < len(listed):
            told += f"; {len(listed) - looked_at} positions in lists are not judged"
        raise Interrupted(f"interrupted; {left}{told}")
    if found.left and not model:
        note(f"the time limit is reached: {left}")


def _read(
    paths: "Sequence[Path]",
) -> "tuple[list[MatchRecord], list[Listed], list[str]]":
    """Read the matches and the lists of positions, and the errors of all other files.

    Raises
    ------
    BearoffError
        If the only file is neither a match nor a list.
    """
    from bearoff import BearoffError
    from bearoff.game.records import read_match

    matches, listed, problems = [], [], []
    for path in paths:
        try:
            matches.append(read_match(path))
        except BearoffError as problem:
            if lines := _positions(path):
                listed += lines
            elif len(paths) == 1:
                raise
            else:
                problems.append(str(problem))
    return matches, listed, problems


def _positions(path: Path) -> "list[Listed]":
    """Return the lines of a list of positions; none if the file is not one."""
    from bearoff import BearoffError
    from bearoff.app.position_lists import is_of_match, read_list

    if is_of_match(path.name) or not path.is_file():
        return []
    with path.open("rb") as file:
        data = file.read(_LONGEST_LIST + 1)
    if len(data) > _LONGEST_LIST:
        return []
    try:
        text = data.decode("utf-8-sig")
        return [(path.name, *one) for one in read_list(text, sys.maxsize - 1)]
    except (BearoffError, UnicodeDecodeError):
        return []


def _matches(files: "Sequence[str]") -> list[Path]:
    """Return the given files, and the match files in the given folders."""
    from bearoff.game.records import SUFFIXES_READ, RecordError

    found: list[Path] = []
    for name in files:
        if not name.strip():
            raise RecordError(
                "a match must be a file such as match.mat, or a folder of such files; got "
                f"{name!r}"
            )
        path = Path(name)
        if path.is_dir():
            inside = sorted(p for p in path.iterdir() if p.suffix.lower() in SUFFIXES_READ)
            if not inside:
                ends = ", ".join(SUFFIXES_READ)
                raise RecordError(
                    f"{path} contains no match files; their names must end in {ends}"
                )
            found += inside
        else:
            found.append(path)
    return found


def _watch(reviewing: "Reviewing", seconds: float, *, show: bool) -> None:
    """Run the review, showing progress and the costliest mistakes so far."""
    from bearoff.sim.engine import progress_bar

    if show and sys.stderr.isatty():
        _watch_live(reviewing, seconds)
        return
    guessed = 0

    def first_look() -> None:
        nonlocal guessed
        guessed += 1
        if show and guessed == len(reviewing):
            for judged, _ in reviewing.costliest(1):
                note(f"so far by the fast model, the costliest: {_line(judged)}")

    with progress_bar("review", len(reviewing), show=show, unit="decisions") as bar:
        for _ in reviewing.run(seconds, first_look):
            bar.update()


def _watch_live(reviewing: "Reviewing", seconds: float) -> None:
    """Run the review, updating a list of the costliest mistakes in the terminal."""
    from bearoff.app.progress import LiveLines

    lines, started, shown, done = LiveLines(), time.monotonic(), 0.0, 0

    def look(now: bool = False) -> None:
        nonlocal shown
        if not now and time.monotonic() < shown + _REDRAWN:
            return
        shown = time.monotonic()
        seconds = shown - started
        head = f"review: {done} of {len(reviewing)} decisions, {seconds:.0f} s"
        costly = [
            f"  {'~' if guess else ' '}{_line(judged)}"
            for judged, guess in reviewing.costliest(LISTED)
        ]
        about = "; the costliest so far, ~ by a guess:" if costly else ""
        lines.show([head + about, *costly])

    for _ in reviewing.run(seconds, look):
        done += 1
        look()
    look(now=True)


def _line(one: "Decision") -> str:
    """Format a mistake as one line."""
    from bearoff.analysis.review import UNIT

    where = ", ".join(filter(None, (_place(one), one.player)))
    return f"{one.cost:.{one.digits}f} {UNIT}  {where}: {one.done}; right: {one.best}"


def _write(
    folder: Path, judged: "Sequence[Decision]", problems: "Sequence[str]", title: str
) -> None:
    from bearoff.analysis.output import writing_to
    from bearoff.analysis.review import card_of, review_page, write_cards, write_rows
    from bearoff.storage import write_atomic

    with writing_to(folder):
        page = review_page(judged, problems, title)
        write_atomic(folder / "review.html", page.encode())
        for suffix in (".csv", ".parquet"):
            write_rows(folder / f"review{suffix}", judged)
        mistakes = [one for one in judged if one.is_mistake]
        cards = write_cards(folder / "mistakes.apkg", map(card_of, mistakes), title)
    note(
        f"{folder}: review.html, review.csv, review.parquet, mistakes.apkg ({cards} cards)"
    )


def _made(judged: "Sequence[Decision]") -> "list[Decision]":
    """Return the decisions in which a choice was made."""
    return [one for one in judged if one.decided]


def _unsure(judged: "Sequence[Decision]", *, rolled_out: bool) -> str:
    """Return a note on the costliest decision whose cost does not exceed its error.

    Without rollouts (`rolled_out` is false), the note recommends omitting `--model`.
    """
    from bearoff.stakes import is_mistake

    one = max(judged, key=lambda one: one.cost, default=None)
    if one is None or not is_mistake(one.cost):
        return ""
    told = f"\nThe costliest, {_where(one, judged)}, may have cost {one.cost:.4f}"
    look = one.method == "model" and not rolled_out
    closer = " Without --model rollouts look closer." if look else ""
    return f"{told}; its error is {one.error:.4f}.{closer}"


def _where(one: "Decision", judged: "Sequence[Decision]") -> str:
    """Return the location of a decision, with the file name if there are several files."""
    file = f"{one.source}, " if len({each.source for each in judged}) > 1 else ""
    return f"{file}{_place(one)}"


def _place(one: "Decision") -> str:
    """Return the game and the line of a decision; a list has lines alone."""
    return f"game {one.game}, line {one.line}" if one.game else f"line {one.line}"


def _kind(one: "Decision") -> tuple[str, ...]:
    return one.player, one.kind, one.length


def _match(one: "Decision") -> tuple[str, ...]:
    return one.source, one.player


def _as_json(judged: "Sequence[Decision]", problems: "Sequence[str]") -> dict[str, object]:
    from dataclasses import asdict

    from bearoff.analysis.review import MEASURED, UNIT, decision_json, totals
    from bearoff.app.reviews import PATIENCE

    made = _made(judged)
    return {
        "unit": UNIT,
        "solving_seconds": PATIENCE,
        "decisions": [decision_json(one) for one in judged],
        "totals": [asdict(one) for one in sorted(totals(made, _kind), key=_NAME)],
        "players": [asdict(one) for one in totals(made, _match)],
        "races": [asdict(one) for one in totals(_of_races(made), _match)],
        "estimates": asdict(MEASURED),
        "problems": list(problems),
    }


def _show_positions(judged: "Sequence[Decision]") -> None:
    """Print the right choices in positions without a choice, here and in the file."""
    from bearoff.analysis.review import UNIT

    say(f"Positions without a decision; equities are in {UNIT}:")
    said = any(one.file is not None for one in judged)
    say_table(
        ["<position", "<right", "equity", "<how", *["<by the file", "equity"] * said],
        [
            [
                one.position.xgid.removeprefix("XGID="),
                one.best,
                f"{one.equity:.{one.digits}f}",
                _how(one),
                *_of_file(one) * said,
            ]
            for one in judged
        ],
    )
    say()


def _how(one: "Decision") -> str:
    """Describe how a decision was judged."""
    return one.method if one.in_race else "estimate"


def _of_races(judged: "Sequence[Decision]") -> "list[Decision]":
    return [one for one in judged if one.in_race]


def _of_file(one: "Decision") -> list[str]:
    return ["", ""] if one.file is None else [one.file.best, f"{one.file.equity:.4f}"]


def _show(
    judged: "Sequence[Decision]",
    problems: "Sequence[str]",
    formula: "WorkedFormula",
    none: str,
    *,
    rolled_out: bool,
    whole: bool,
) -> None:
    for problem in problems:
        note(problem)
    if not judged:  # decisions without an answer are named above
        say(f"{none[:1].upper()}{none[1:]}.")
        return
    from bearoff.analysis.review import UNIT, totals

    made = _made(judged)
    if len(made) < len(judged):
        _show_positions([one for one in judged if not one.decided])
    if not made:
        return
    say(f"Costs are in {UNIT}: 1 is the value of the cube.")
    say("A mistake is a decision whose cost is larger than the error of that cost.")
    head = ["player", "<kind", "<race", "decisions", "mistakes", "lost", "formula wrong"]
    rows = [
        [
            *total.name,
            f"{total.decisions:,}",
            f"{total.mistakes:,}",
            f"{total.lost:.4f}",
            f"{total.formula_differs:,}" if _has_formula(total.name) else "",
        ]
        for total in sorted(totals(made, _kind), key=_NAME)
    ]
    say_table(head, rows)
    say()
    _show_players(made, whole=whole)
    mistakes = sorted((one for one in judged if one.is_mistake), key=lambda one: -one.cost)
    say()
    if not mistakes:
        unsure = _unsure(judged, rolled_out=rolled_out)
        say(f"No decision cost more than its error.{unsure}")
        return
    say("The costliest:")
    say_table(
        ["where", "<player", "<chosen", "<right", f"cost, {UNIT}", *["<how"] * whole],
        [
            [
                *(_where(one, judged), one.player, one.done, one.best),
                f"{one.cost:.{one.digits}f}",
                *[_how(one)] * whole,
            ]
            for one in mistakes[:WORST]
        ],
    )
    say(f"The formula is {formula.name}; it ignores the score.")


def _show_players(made: "Sequence[Decision]", *, whole: bool) -> None:
    """Print the totals of each player in each match: in races, and overall."""
    from bearoff.analysis.review import RATING, UNIT, totals

    say_table(
        [
            *("match", "<player", "in races" if whole else "decisions", "mistakes"),
            *(f"lost, {UNIT}", "a decision"),
        ],
        [
            [
                *total.name,
                f"{total.decisions:,}",
                f"{total.mistakes:,}",
                f"{total.lost:.4f}",
                f"{total.lost / total.decisions:.4f}",
            ]
            for total in totals(_of_races(made), _match)
        ],
    )
    if not whole:
        return
    say()
    say_table(
        [
            *("match", "<player", "all, estimates", "mistakes"),
            *(f"lost, {UNIT}", "count for PR", "PR"),
        ],
        [
            [
                *total.name,
                f"{total.decisions:,}",
                f"{total.mistakes:,}",
                f"{total.lost:.4f}",
                f"{total.counted:,}",
                "" if total.rating is None else f"{total.rating:.1f}",
            ]
            for total in totals(made, _match)
        ],
    )
    say(RATING)


def _has_formula(name: "Sequence[str]") -> bool:
    """Return whether decisions of a kind can be compared with a formula."""
    from bearoff.analysis.review import CONTACT

    return name[1] != "play" and name[2] != CONTACT
