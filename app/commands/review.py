"""`bearoff review`: judge matches, decision by decision."""

import math
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bearoff.app.formulas import formula_named, formulas_by_name
from bearoff.app.interruption import Interrupted
from bearoff.app.options import FormulaBeside, Json, Quiet
from bearoff.app.output import BAD_INPUT, note, say_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bearoff.analysis.review import Decision, Reviewing
    from bearoff.app.commands.review_files import ReviewFiles
    from bearoff.app.library.keeper import Keeper

LISTED = 5
"""Maximum number of mistakes listed during the review."""

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
    Earlier decisions are estimated by a search one roll ahead. A mistake is a decision that
    costs more than the error of its cost, and is not shown as 0. After Ctrl-C, the fast
    model judges the remaining decisions in races, and a net those before them.

    \b
    bearoff review match.mat
    bearoff review matches/ --to review
    """
    from bearoff import BearoffError
    from bearoff.analysis.review import Estimates, Reviewing
    from bearoff.app.commands.review_files import read_files
    from bearoff.app.commands.review_output import review_json, show_review, write_review
    from bearoff.app.library.keeper import Keeper
    from bearoff.app.library.library import open_library
    from bearoff.app.reviews import judge_lists, review_judge, review_rollouts

    if deep and races_only:
        raise BearoffError(
            "--deep searches decisions before the races, which --races-only leaves "
            "out; omit one of the two options"
        )
    chosen = formula_named(formula, formulas_by_name(None))
    given = read_files(files, quiet=quiet)
    judge, rollouts = review_judge(), None if model else review_rollouts(error)
    keeper = Keeper(open_library() if library else None)
    estimates = None if races_only else Estimates(deep=deep)
    reviewing = Reviewing(given.matches, judge, chosen, rollouts, keeper.keep, estimates)
    lists = judge_lists(given.listed, judge, chosen, rollouts, estimates)
    seconds = math.inf if patience is None else patience
    found = _judge(reviewing, lists, seconds, show=not quiet)
    _keep(keeper, reviewing, given, found.in_lists)
    judged = [*reviewing.review().judged, *found.in_lists]
    failed = [*given.failed, *found.failed]
    problems = [*failed, *given.again, *reviewing.review().problems]
    if to is not None:
        write_review(to, judged, problems, f"{_subject(races_only)} {given.name}")
    if json:
        say_json(review_json(judged, problems))
    else:
        none = _why_nothing(given, reviewing, races_only=races_only)
        whole = not races_only
        show_review(judged, problems, chosen, none, rolled_out=not model, whole=whole)
    _end(reviewing, found, len(given.listed), failed, model=model)


def _subject(races_only: bool) -> str:
    return "Races of" if races_only else "Review of"


def _why_nothing(given: "ReviewFiles", reviewing: "Reviewing", *, races_only: bool) -> str:
    """Return a phrase that says why a review has judged no decision."""
    from bearoff.app.reviews import nothing_found

    if len(reviewing) or given.listed:
        return "nothing was judged"
    return nothing_found(given.matches, races_only=races_only)


@dataclass
class _JudgedLists:
    """Judged positions of all lists of positions, and whether Ctrl-C ended the review.

    Attributes
    ----------
    in_lists : list of Decision
        Judged decisions in lists of positions.
    failed : list of str
        Error message for each position of a list that cannot be judged.
    stopped : bool
    """

    in_lists: "list[Decision]"
    failed: list[str]
    stopped: bool = False


def _judge(
    reviewing: "Reviewing",
    lists: "Iterable[Decision | str]",
    seconds: float,
    *,
    show: bool,
) -> _JudgedLists:
    """Judge the matches and then the lists of positions; stop early on Ctrl-C."""
    found = _JudgedLists([], [])
    try:
        _watch(reviewing, seconds, show=show and len(reviewing) > 0)
        for one in lists:
            if isinstance(one, str):
                found.failed.append(one)
            else:
                found.in_lists.append(one)
    except KeyboardInterrupt:
        found.stopped = True
    if found.stopped:
        reviewing.estimate_rest()
    return found


def _keep(
    keeper: "Keeper",
    reviewing: "Reviewing",
    given: "ReviewFiles",
    in_lists: "list[Decision]",
) -> None:
    """Store the judged decisions in the library, and print a note on what was stored."""
    for match, known in reviewing.by_match():
        keeper.keep(match, known)
    keeper.keep_lists(given.listed, in_lists)
    if keeper.sentence():
        note(keeper.sentence())


def _end(
    reviewing: "Reviewing",
    found: _JudgedLists,
    listed: int,
    failed: "Sequence[str]",
    *,
    model: bool,
) -> None:
    """Print which decisions the review could not judge.

    Raises
    ------
    Interrupted
        If Ctrl-C ended the review.
    typer.Exit
        If a file or a position of a list could not be judged.
    """
    left = reviewing.review().left
    told = f"{left} of {len(reviewing)} decisions have only a quick first estimate"
    if found.stopped:
        missing = len(reviewing) - reviewing.answered
        told += f", and {missing} decisions are not judged" if missing else ""
        unseen = listed - len(found.in_lists) - len(found.failed)
        told += f"; {unseen} positions in lists are not judged" if unseen else ""
        raise Interrupted(f"interrupted; {told}")
    if left and not model:
        note(f"the review stopped at its time limit: {told}")
    if failed:
        note(
            f"{len(failed):,} of the files and positions could not be judged; the first: "
            f"{failed[0]}"
        )
        raise typer.Exit(BAD_INPUT)


def _watch(reviewing: "Reviewing", seconds: float, *, show: bool) -> None:
    """Run the review, showing progress and the costliest mistakes so far."""
    from bearoff.app.commands.review_output import line_of
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
                note(
                    "costliest decision so far, as judged by the fast model: "
                    f"{line_of(judged)}"
                )

    with progress_bar("review", len(reviewing), show=show, unit="decisions") as bar:
        for _ in reviewing.run(seconds, first_look):
            bar.update()


def _watch_live(reviewing: "Reviewing", seconds: float) -> None:
    """Run the review, updating a list of the costliest mistakes in the terminal."""
    from bearoff.app.commands.review_output import line_of
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
            f"  {'~' if guess else ' '}{line_of(judged)}"
            for judged, guess in reviewing.costliest(LISTED)
        ]
        about = "; costliest so far (~ marks first estimates):" if costly else ""
        lines.show([head + about, *costly])

    for _ in reviewing.run(seconds, look):
        done += 1
        look()
    look(now=True)
