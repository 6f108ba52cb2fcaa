"""Errors of other programs in races, at several search depths, as judged by this program.

GNU Backgammon has analysed each match at several search depths, and exported each analysis
as a text. If the choices at all depths and the fast model's choice agree, they count as
right. Otherwise, the costs of the choices are computed: exactly if both sides are home, and
else by the fast model. The fast model's costs count only if they exceed its stated error.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff import BearoffError, Position
from bearoff.answers import Answer, Judge
from bearoff.game.records import (
    FileAnalysis,
    MatchRecord,
    RecordedDecision,
    race_decisions,
    read_match,
)
from bearoff.game.rules import read_play
from bearoff.positions import POINTS
from bearoff.stakes import is_mistake

Choice = Position | str
"""Choice in a decision: the position after a play, or the name of a cube action."""

PATIENCE = 20.0
"""Time limit in seconds for solving a race at home."""


@dataclass(frozen=True)
class Trial:
    """Decision in a race, with the choice that a program makes at each search depth.

    Attributes
    ----------
    match : int
        Index of the match among the analysed matches.
    decision : RecordedDecision
    choices : dict of str to (Position or str)
        Choice of the program at each search depth.
    """

    match: int
    decision: RecordedDecision
    choices: Mapping[str, Choice]


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Costs of a program's choices in many decisions, at several search depths.

    Attributes
    ----------
    levels : tuple of str
    match : ndarray of int64, shape (n,)
    kind : ndarray of str, shape (n,)
    home : ndarray of bool, shape (n,)
        Whether both sides have all checkers home.
    exact : ndarray of bool, shape (n,)
        Whether the costs in the decision are exact.
    agreed : ndarray of bool, shape (n,)
        Whether the program makes the same choice at all search depths.
    cost : ndarray of float64, shape (n, levels)
        Cost in EMG of the choice at each search depth; 0 if the cost is within its error.
    """

    levels: tuple[str, ...]
    match: NDArray[np.int64]
    kind: NDArray[np.str_]
    home: NDArray[np.bool_]
    exact: NDArray[np.bool_]
    agreed: NDArray[np.bool_]
    cost: NDArray[np.float64]


def trials_of(folders: Mapping[str, Path], size: int, seed: int) -> list[Trial]:
    """Read the choices of a program in the same decisions at several search depths.

    Parameters
    ----------
    folders : mapping of str to Path
        Folder of GNU Backgammon's analyses at each search depth, with the same file names.
    size : int
        Number of files that are drawn at random from the files that all folders have.
    seed : int
    """
    names = [{path.name for path in folder.glob("*.txt")} for folder in folders.values()]
    common = sorted(set.intersection(*names))
    drawn = np.random.default_rng(seed).permutation(len(common))[:size]
    trials = []
    for number, place in enumerate(drawn.tolist()):
        try:
            read = {
                level: race_decisions(read_match(folder / common[place]))[0]
                for level, folder in folders.items()
            }
        except BearoffError:
            continue
        for several in zip(*read.values(), strict=False):
            first: RecordedDecision = several[0]
            same = all(_asked(one) == _asked(first) for one in several)
            choices = {
                level: choice
                for level, one in zip(read, several, strict=True)
                if (choice := choice_of(one)) is not None
            }
            if same and len(choices) == len(folders):
                trials.append(Trial(number, first, choices))
    return trials


def trials_in(matches: Sequence[MatchRecord], level: str) -> list[Trial]:
    """Return the race decisions of matches, with the best choices by their analysis."""
    return [
        Trial(number, decision, {level: choice})
        for number, match in enumerate(matches)
        for decision in race_decisions(match)[0]
        if (choice := choice_of(decision)) is not None
    ]


def _asked(one: RecordedDecision) -> tuple[object, ...]:
    return one.kind, one.race, one.decided, one.after


def choice_of(decision: RecordedDecision) -> Choice | None:
    """Return the best choice by the match file's analysis; None without an analysis."""
    about = "play" if decision.kind == "play" else "cube"
    for said in decision.moment.action.analyses:
        if said.about != about or not said.equities:
            continue
        if about == "play":
            return _best_play(decision, said)
        known = dict(said.equities)
        if len(known) < 3:  # Three equities are needed: no double, take and pass.
            return None
        waits, taken, passed = (
            known[name] for name in ("no double", "double, take", "double, pass")
        )
        if decision.kind == "take":
            return "take" if taken <= passed else "pass"
        first = said.equities[0][0]  # The program sorts actions before it rounds equities.
        turned = min(taken, passed)
        doubles = first != "no double" if waits == turned else turned > waits
        return "double" if doubles else "no double"
    return None


def _best_play(decision: RecordedDecision, said: FileAnalysis) -> Position | None:
    assert decision.race.dice is not None  # Plays always have dice.
    try:
        board = read_play(decision.moment.board, said.equities[0][0], decision.race.dice)
    except BearoffError:
        return None
    return Position(board.roller[:24])


def judge_trials(
    trials: Sequence[Trial], progress: Callable[[float], object] = lambda done: None
) -> Verdicts:
    """Judge the choice at each search depth in all decisions."""
    judge = Judge(patience=PATIENCE)
    levels = tuple(trials[0].choices)
    cost = np.zeros((len(trials), len(levels)))
    exact = np.zeros(len(trials), dtype=bool)
    home = np.array(
        [
            max(one.decision.race.roller.highest, one.decision.race.opponent.highest)
            <= POINTS
            for one in trials
        ]
    )
    for row, trial in enumerate(trials):
        race = trial.decision.race
        answer = judge.answer(race, source=judge.model)
        chosen = list(trial.choices.values())
        doubted = len(set(chosen)) > 1 or _cost(answer, chosen[0])[0] > 0
        if doubted and home[row]:
            answer = judge.answer(race)
        exact[row] = answer.kind == "exact"
        if doubted:
            for column, choice in enumerate(chosen):
                lost, error = _cost(answer, choice)
                cost[row, column] = lost if is_mistake(lost, error) else 0.0
        progress((row + 1) / len(trials))
    return Verdicts(
        levels,
        np.array([one.match for one in trials]),
        np.array([one.decision.kind for one in trials]),
        home,
        exact,
        np.array([len(set(one.choices.values())) == 1 for one in trials]),
        cost,
    )


def _cost(answer: Answer, choice: Choice) -> tuple[float, float]:
    found = answer.decided(choice) if isinstance(choice, str) else answer.played(choice)
    return found.cost, found.error
