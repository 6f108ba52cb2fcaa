"""Answers to one race, as text or JSON."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from app.market import market_json, show_market
from app.output import amount, say, say_json, say_table

if TYPE_CHECKING:
    from app.score_text import ScoreOptions
    from bearoff import Race
    from bearoff.answers import Answer, Choice, Judge, Side, Source
    from sim.rollouts import sums

PLAYS = 8
"""Most plays that are listed."""

ERROR = 0.002
"""Standard error of rollouts if none is asked for."""


@dataclass(frozen=True)
class Asked:
    """What is asked about a race, and how; see `app.commands.race`."""

    dice: str | None = None
    played: str | None = None
    decided: str | None = None
    match_equities: str | None = None
    error: float | None = None
    model: bool = False
    seed: int = 0
    workers: int | None = None
    quiet: bool = False
    plays_only: bool = False


def answer_race(
    position: str,
    opponent: str | None,
    options: "ScoreOptions",
    asked: Asked,
    *,
    json: bool,
) -> None:
    """Read a race, answer it and write the answer."""
    from app.score_text import equities_of
    from bearoff.answers import Judge, read_question

    own = {name: getattr(asked, name) for name in ("dice", "played", "decided")}
    sides = {"roller": position, "opponent": opponent}
    question = read_question(sides | own | asdict(options))
    race, played = question.race, question.after()
    equities = equities_of(asked.match_equities, race.score)
    judge = Judge(equities=equities, roll_out=None if asked.model else _roll_out(asked))
    if not json and not asked.model:
        _say_at_once(judge, race)
    answer = judge.answer(race, market=not asked.plays_only, played=played)
    chosen = [
        answer.decided(question.decided) if question.decided is not None else None,
        answer.played(played) if played is not None else None,
    ]
    if json:
        say_json(as_json(answer, *chosen))
    elif asked.plays_only:
        _show_plays(answer)
        say()
        say(_how(answer))
    else:
        _show(answer, [choice for choice in chosen if choice is not None])


def _roll_out(asked: Asked) -> "Callable[[Race], Source]":
    def source(race: "Race") -> "Source":
        from sim.answers import Rolled
        from sim.rollouts import Goal

        error = ERROR if asked.error is None else asked.error
        return Rolled(
            race,
            Goal(error, 1_000_000),
            seed=asked.seed,
            workers=asked.workers or "auto",
            watch=lambda: _watch(error, show=not asked.quiet),
        )

    return source


def _watch(error: float, *, show: bool) -> "Callable[[sums.Moments], object]":
    from app.progress import RolloutProgress

    return RolloutProgress(show=show, goal=error, most=1_000_000).update


def _say_at_once(judge: "Judge", race: "Race") -> None:
    """Say what the fast model makes of a race that is going to be rolled out."""
    from bearoff.answers import Judge

    if race.score is not None or judge.holds(race):
        return
    quick = Judge(()).answer(race)
    if quick.action is not None and quick.no_double and quick.take:
        say(
            f"At once, by the fast model: {quick.action} (waiting "
            f"{quick.no_double.equity:+.2f}, double/take {quick.take.equity:+.2f},\n"
            f"rarely off by more than {quick.no_double.error:.2f}). Rollouts follow.\n"
        )


def as_json(
    answer: "Answer", decided: "Choice | None" = None, played: "Choice | None" = None
) -> dict[str, Any]:
    """Return an answer with the keys of the JSON output."""
    race = answer.race
    return {
        "roller": _side_json(race.roller.counts, answer.roller),
        "opponent": _side_json(race.opponent.counts, answer.opponent),
        "xgid": race.xgid,
        "cube": race.cube,
        "cube_value": race.cube_value,
        "score": race.score and str(race.score),
        "jacoby": race.jacoby,
        "dice": list(race.dice) if race.dice else None,
        "kind": answer.kind,
        "win_probability": answer.win_probability,
        "gammons_won": answer.gammons_won,
        "gammons_lost": answer.gammons_lost,
        "equity": answer.equity,
        "error": answer.error,
        "chance_per_equity": answer.unit,
        "action": answer.action,
        "too_close": answer.too_close,
        **{
            name: choice and choice_as_json(choice)
            for name, choice in (
                ("no_double", answer.no_double),
                ("double", answer.double),
                ("take", answer.take),
                ("pass", answer.pass_),
            )
        },
        "plays": [
            {
                **choice_as_json(play),
                "after": list(play.play.after.counts),
                "kind": play.kind,
            }
            for play in answer.plays
        ],
        "market": answer.market and market_json(answer.market),
        "decided": decided and choice_as_json(decided),
        "played": played and choice_as_json(played),
    }


def _side_json(counts: tuple[int, ...], side: "Side") -> dict[str, Any]:
    return {"counts": list(counts), **asdict(side), "wastage": side.wastage}


def choice_as_json(choice: "Choice") -> dict[str, Any]:
    """Return an alternative, with the keys of the JSON."""
    return {name: getattr(choice, name) for name in ("name", "equity", "cost", "error")}


def _show(answer: "Answer", chosen: "list[Choice]") -> None:
    from app.board import OPPONENT, ROLLER, draw_race

    race = answer.race
    say(f" {OPPONENT} opponent: {_counts(answer.opponent)}")
    say(draw_race(race.roller, race.opponent))
    say(f" {ROLLER} roller:   {_counts(answer.roller)}")
    say(f"{_state(race)}.")
    say()
    for choice in chosen:
        wrong = f"costs {_value(choice.cost)}" if choice.cost else "is right"
        say(f"{choice.name}: {wrong}{_within(answer, choice)}, equity {choice.equity:+.4f}")
    if chosen:
        say()
    if answer.plays:
        _show_plays(answer)
        say()
        say("Before the roll:")
    _show_chances(answer)
    say()
    if answer.action is None:
        say(f"The roller may not double; equity {answer.equity:+.4f}.")
    else:
        _show_cube(answer)
    say()
    if answer.market is not None:
        show_market(answer.market)
        if answer.kind == "rollout":
            say("These sequences are followed by the fast model, not rolled out.")
        say()
    say(_how(answer))


def _counts(side: "Side") -> str:
    known = f"EPC {side.epc:.2f}"
    if side.epc_error:
        known += f" ± {side.epc_error:.2f}"
    return f"{amount(side.pips, 'pips')}, {known}"


def _state(race: "Race") -> str:
    where = {"centred": "centred", "owned": "the roller's", "opponent": "the opponent's"}
    parts = [f"Cube {where[race.cube]}"]
    if race.cube_value > 1:
        parts[0] += f", at {race.cube_value}"
    if race.score is None:
        parts.append(f"money play{' by Jacobys rule' if race.jacoby else ''}")
    else:
        parts.append(str(race.score))
    if race.dice:
        parts.append("{}-{} to play".format(*race.dice))
    return "; ".join(parts).replace("Jacobys", "Jacoby's")


def _within(answer: "Answer", choice: "Choice") -> str:
    return "" if answer.kind == "exact" else f" ± {_value(choice.error)}"


def _value(cost: float) -> str:
    return f"{cost:.4f}"


def _show_plays(answer: "Answer") -> None:
    unsure = answer.kind != "exact"
    say(f"Best play: {answer.plays[0].name}")
    say()
    rows = [
        (
            play.name,
            f"{play.equity:+.4f}",
            "best" if not play.cost else _value(play.cost),
            *((_value(play.error) if play.error else "", play.kind) if unsure else ()),
        )
        for play in answer.plays[:PLAYS]
    ]
    say_table(("play", "equity", "cost", *(("±", "<by") if unsure else ())), rows)
    left = len(answer.plays) - PLAYS
    if left > 0:
        say(f"{amount(left, 'other plays')} cost more.")


def _show_chances(answer: "Answer") -> None:
    rows = [("wins", answer.win_probability, 1 - answer.win_probability)]
    if answer.gammons_won is not None and answer.gammons_lost is not None:
        rows.append(("wins a gammon", answer.gammons_won, answer.gammons_lost))
    say_table(
        ("without the cube", "roller", "opponent"),
        [(name, f"{mine:.2%}", f"{theirs:.2%}") for name, mine, theirs in rows],
    )


def _show_cube(answer: "Answer") -> None:
    close = ""
    if answer.too_close:
        close = " (or not: the error leaves it open)"
    assert answer.action is not None
    say(f"{answer.action[0].upper()}{answer.action[1:]}{close}")
    say()
    unsure = answer.kind != "exact"
    rows = []
    for choice in (answer.no_double, answer.double, answer.take, answer.pass_):
        assert choice is not None
        cost = _value(choice.cost) if choice.cost else ""
        error = (_value(choice.error),) if unsure else ()
        rows.append((choice.name, f"{choice.equity:+.4f}", cost, *error))
    say_table(("decision", "equity", "cost", *(("±",) if unsure else ())), rows)


_KINDS = {
    "model": "By the fast model; errors are rarely exceeded.",
    "rollout": "Rolled out; ± is the standard and the systematic error, in squares.",
}


def _how(answer: "Answer") -> str:
    exact = f"Exact to {answer.error:.1e}." if answer.error else "Exact."
    said = _KINDS.get(answer.kind, exact)
    if answer.unit is not None:
        said += f"\nEquities are normalised: 1 is {answer.unit:.2%} of the match."
    elif answer.race.cube_value > 1:
        said += f"\nEquities and costs are at a cube of 1: times {answer.race.cube_value}."
    return said
