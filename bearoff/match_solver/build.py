"""Functions that build and open cached two-sided tables at a match score."""

from collections.abc import Callable
from pathlib import Path

from bearoff.match_solver.stored import StoredValues
from bearoff.match_solver.table import MatchTable
from bearoff.positions import POINTS
from bearoff.scores import Game, MatchEquities, Score, known_equities
from bearoff.stakes import Match
from bearoff.two_sided import BuildEstimate, at_score


def build_match_table(
    checkers: int,
    away: tuple[int, int],
    game: Game = "normal",
    *,
    points: int = POINTS,
    equities: MatchEquities | None = None,
    workers: int | None = None,
    memory: int | None = None,
    progress: Callable[[str, float], None] = lambda name, done: None,
) -> Path:
    """Build the table of all pairs of positions at a match score, in the cache folder.

    The table has the values of both players for every value and owner of the cube, so it
    also serves the score with the players exchanged. Files that an earlier call completed
    are reused.

    Parameters
    ----------
    checkers, points, workers, memory, progress
        Parameters of `build_two_sided_table`.
    away, game, equities
        Parameters of `match_table`.

    Returns
    -------
    Path
        Folder of the table, in which `match_table` finds it.

    Raises
    ------
    ScoreError, PositionError, TableError
        In the same cases as by `match_table` and `build_two_sided_table`.

    Examples
    --------
    >>> import bearoff
    >>> folder = bearoff.build_match_table(2, (12, 14))
    >>> bearoff.match_table(2, (14, 12)).error < 5e-6
    True
    """
    score, equities = _leader_first(Score(away, game), known_equities(equities))
    return at_score.build(
        equities.payoffs(score),
        checkers,
        points=points,
        workers=workers,
        memory=memory,
        progress=progress,
    )


def estimate_match_build(
    checkers: int,
    away: tuple[int, int],
    game: Game = "normal",
    *,
    points: int = POINTS,
    equities: MatchEquities | None = None,
    workers: int | None = None,
    memory: int | None = None,
) -> BuildEstimate:
    """Estimate the disk space, memory and time that `build_match_table` needs."""
    score, equities = _leader_first(Score(away, game), known_equities(equities))
    payoffs = equities.payoffs(score)
    return at_score.estimate(payoffs, checkers, workers, points=points, memory=memory)


def opened(
    score: Score, equities: MatchEquities, checkers: int, points: int
) -> MatchTable | None:
    """Open the smallest cached table at a match score with enough checkers per player.

    Raises `TableError` if this table is damaged.
    """
    first, seen = _leader_first(score, equities)
    planes = at_score.smallest_with(seen.payoffs(first), checkers, points)
    if planes is None:
        return None
    player = 0 if first.away == score.away else 1
    return MatchTable(Match(score, equities), StoredValues(planes), player)


def build_command(score: Score, points: int, checkers: int) -> str:
    """Return the shell command that builds the table at a match score."""
    size = "" if points == POINTS else f"--points {points} "
    game = "" if score.game == "normal" else f" --{score.game}"
    away = "{} {}".format(*score.away)
    return (
        f"bearoff tables build --two-sided {size}--checkers {checkers} --score {away}{game}"
    )


def _leader_first(score: Score, equities: MatchEquities) -> tuple[Score, MatchEquities]:
    """Return score and match equity table from the viewpoint of the leading player."""
    score = Score(score.away, score.game)  # The new score has no match length.
    if score.away[0] <= score.away[1]:
        return score, equities
    return score.exchanged(), equities.exchanged()
