"""All kinds of questions, by name."""

from app.serve.drills.asked import Drill, Marked, Question
from app.serve.drills.counting import Chance, Epc, Pips
from app.serve.drills.cubes import Double, Take
from app.serve.drills.endings import Endings, TakePoints
from app.serve.drills.plays import PlayDrill
from bearoff import BearoffError

DRILLS: dict[str, Drill] = {
    drill.name: drill
    for drill in (
        Pips(), Epc(), Chance(), Double(), Take(), PlayDrill(), Endings(), TakePoints()
    )
}  # fmt: skip
"""In the order in which they are offered."""


def drill_of(key: str) -> tuple[Drill, str]:
    """Return the drill of a key, and the rest of the key.

    Raises
    ------
    BearoffError
        If there is none.
    """
    name, _, rest = key.partition(" ")
    return drill_named(name), rest


def drill_named(name: str) -> Drill:
    """Return a drill.

    Raises
    ------
    BearoffError
        If there is none.
    """
    if name not in DRILLS:
        raise BearoffError(
            f"there is no drill {name[:40]!r}; there are {', '.join(DRILLS)}"
        )
    return DRILLS[name]


def question_of(key: str) -> Question:
    """Return the question of a key."""
    drill, rest = drill_of(key)
    return drill.question(rest)


def mark(key: str, given: str) -> Marked:
    """Mark an answer to the question of a key."""
    drill, rest = drill_of(key)
    return drill.mark(rest, given)
