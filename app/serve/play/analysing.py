"""Analysis of a game, action by action, with totals over the match."""

from collections.abc import Sequence

from bearoff.analysis.review import Decision, verdict_json
from bearoff.app.serve.models import VerdictOut
from bearoff.app.serve.play.games import LiveMatch
from bearoff.app.serve.play.kept import PERSON
from bearoff.app.serve.play.models import (
    AnalysisOut,
    GoneThrough,
    GoneThroughOut,
    MomentOut,
    SumOut,
)
from bearoff.app.serve.play.shown import board_of
from bearoff.app.serve.play.thinking import Thinker, costliest
from bearoff.game.records import Moment


def analysis(match: LiveMatch, thinker: Thinker, number: int | None = None) -> AnalysisOut:
    """Return the analysis of a game: win probabilities, luck and costs of decisions.

    Results are cached until the game changes. The match totals include the games that have
    been analysed.

    Parameters
    ----------
    match : LiveMatch
    thinker : Thinker
    number : int, optional
        Number of the game; by default the current game, or the one just finished.
    """
    with match.lock:
        number = number or match.number
        moments = match.moments(number)
    done = tuple(moment.action for moment in moments)
    if number not in thinker.games or thinker.games[number][0] != done:
        thinker.games[number] = done, _gone_through(moments, thinker)
    with match.lock:
        known = {
            one: found
            for one, (actions, found) in sorted(thinker.games.copy().items())
            if actions == tuple(moment.action for moment in match.moments(one))
        }
    games = [totals for _, totals in known.values()]
    mine, theirs = (_sum_of([pair[player] for pair in games]) for player in (0, 1))
    judged, totals = thinker.games[number][1]
    return AnalysisOut(
        number=number,
        moments=judged,
        totals=totals,
        match=GoneThroughOut(games=list(known), totals=(mine, theirs)),
    )


def _gone_through(moments: list[Moment], thinker: Thinker) -> GoneThrough:
    found: list[MomentOut] = []
    totals = _sum_of([]), _sum_of([])
    turn = 1
    for place, moment in enumerate(moments):
        with thinker.lock:
            every, luck = thinker.judged(moment), thinker.luck(moment)
            chance = thinker.chance(moment.before.board)
        total = totals[moment.action.player]
        add_decisions(total, every)
        total.luck += luck or 0.0
        found.append(_told(moment, every, place, turn, chance, luck))
        turn += moment.action.kind == "play"
    return found, totals


def add_decisions(total: SumOut, every: tuple[Decision, ...]) -> None:
    """Add the decisions of an action to the totals of the player who acted."""
    for one in every:
        total.decisions += 1
        total.lost += one.cost
        if one.is_counted:
            total.counted += 1
            total.lost_counted += one.cost
        total.mistakes += one.is_mistake
        total.open += one.is_seen and not one.is_mistake


def _sum_of(games: Sequence[SumOut]) -> SumOut:
    """Return the totals of one player over several games."""
    names = SumOut.model_fields
    return SumOut(**{name: sum(getattr(one, name) for one in games) for name in names})


def _told(
    moment: Moment,
    every: tuple[Decision, ...],
    place: int,
    turn: int,
    chance: float,
    luck: float | None,
) -> MomentOut:
    """Return an action as a JSON model, with its costliest decision."""
    before, judged = moment.before, costliest(every)
    board = board_of(before)
    return MomentOut(
        place=place,
        turn_number=turn,
        player=moment.action.player,
        kind=moment.action.kind,
        dice=moment.action.roll,
        text=moment.action.text,
        board=board.points,
        pips=board.pips,
        # While a double waits for an answer, the cube shows its new value and lies on the
        # side that must answer.
        cube_value=before.cube_value << before.offers,
        cube_owner=before.to_act if before.offers else before.cube_owner,
        xgid=before.xgid if judged is None else judged.position.xgid,
        chance=chance if before.turn == PERSON else 1.0 - chance,
        luck=luck,
        decision=None if judged is None else VerdictOut(**verdict_json(judged)),
    )
