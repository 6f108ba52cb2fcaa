"""Search parameters of the library, with descriptions that all interfaces use."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Annotated, Any

KINDS = ("double", "take", "play")

PHASES = ("race", "contact")

STAKES = ("money", "match", "Crawford", "post-Crawford", "double match point")


def _part(default: Any, metavar: str, words: str, choices: tuple[str, ...] = ()) -> Any:
    said = {"metavar": metavar, "words": words, "choices": choices}
    return field(default=default, metadata=said)


@dataclass(frozen=True)
class Wanted:
    """Search parameters of the library; None or an empty value matches everything.

    The metadata of each field are a placeholder, a description and choices. From the
    metadata, the command's options, the page's fields and the parameters of the Model
    Context Protocol are created.
    """

    player: str = _part("", "NAME", "Name of the player who decided.")
    opponent: str = _part("", "NAME", "Name of the opponent.")
    since: str = _part("", "DAY", "First day, month or year, such as 2026-05.")
    until: str = _part("", "DAY", "Last day, month or year, such as 2026-05.")
    kind: str = _part(
        "", "KIND", f"Decision: {', '.join(KINDS[:-1])} or {KINDS[-1]}.", KINDS
    )
    phase: str = _part(
        "", "PHASE", "Phase of the game: race, or contact (estimated).", PHASES
    )
    stakes: str = _part(
        "", "NAME", f"Stakes: {', '.join(STAKES[:-1])} or {STAKES[-1]}.", STAKES
    )
    pips: str = _part("", "A-B", "Pip count of the side on roll, such as 40-70.")
    cost: float | None = _part(None, "EMG", "Minimum cost in EMG.")
    mistakes: bool = _part(
        False, "", "Show only mistakes: decisions that cost more than their error."
    )
    feature: tuple[str, ...] = _part(
        (),
        "CONDITION",
        "Condition on a board feature of the player who decides, such as gaps>=2, or "
        "of the other player, such as their_stack<5; several conditions may be given. "
        "The error for an unknown feature lists all features.",
    )
    structure: str = _part(
        "",
        "POINTS",
        "Checkers on the ace to six points, such as 3,3,*,0,2+,1: * is any number, 2+ is "
        "2 or more.",
    )
    text: str = _part(
        "", "WORDS", "Words to find in names, events, places, comments and notes."
    )
    tag: str = _part("", "TAG", "Tag of a note.")
    match: int | None = _part(
        None, "N", "Number of a match; bearoff library list shows them."
    )


OF_MATCHES = ("player", "opponent", "since", "until", "text")
"""Names of the parameters of a search for whole matches; `player` may be either player."""

EACH = tuple(one.name for one in fields(Wanted))
"""Names of the parameters of a search for decisions in the library."""

Say = Callable[[str, str, str], object]
"""Function that returns the annotation of a parameter of a command, page or tool. Its
arguments are the parameter's name, placeholder and description."""


def wanted_by(say: Say, names: tuple[str, ...] = EACH) -> Callable[..., Wanted]:
    """Return a function that takes search fields as parameters, and returns `Wanted`.

    Examples
    --------
    >>> asks = wanted_by(lambda name, metavar, words: words, ("player", "feature"))
    >>> asks(player="Ann", feature=["gaps>=2"]).feature
    ('gaps>=2',)
    """

    def wanted(**given: Any) -> Wanted:
        lists = {name: tuple(one) for name, one in given.items() if isinstance(one, list)}
        return Wanted(**{n: one for n, one in given.items() if one is not None} | lists)

    parameters = [
        inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None if one.default == () else one.default,
            annotation=Annotated[
                list[str] | None if one.default == () else one.type,
                say(one.name, one.metadata["metavar"], one.metadata["words"]),
            ],
        )
        for one in fields(Wanted)
        if one.name in names
    ]
    wanted.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    wanted.__annotations__ = {one.name: one.annotation for one in parameters}
    return wanted
