"""Market losers and doubling windows of a race, as text and as JSON."""

from dataclasses import asdict
from math import isnan
from typing import TYPE_CHECKING, Any

from bearoff.app.output import say, say_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bearoff.sources import DoublingWindow, Market


def market_json(losers: "Market") -> dict[str, Any]:
    """Return the effects of the next two rolls as a dictionary for the JSON output."""
    from bearoff import ROLLS, format_roll

    return {
        "losing_probability": losers.losing_probability,
        "too_close": bool(losers.too_close.any()),
        "probabilities": losers.probabilities,
        "sequences": {
            format_roll(own): {
                format_roll(reply): losers.OUTCOMES[outcome]
                for reply, outcome in zip(ROLLS, row, strict=True)
            }
            for own, row in zip(ROLLS, losers.outcomes, strict=True)
        },
    }


def show_market(losers: "Market") -> None:
    """Print the market losers, grouping rolls with equal effects."""
    from bearoff import ROLLS, format_roll

    say(
        "If the roller does not double now, the next two rolls lose the "
        f"market\n{losers.losing_probability:.2%} of the time."
    )
    say_table(
        ("after both rolled", "chance"),
        [(name, f"{p:.2%}") for name, p in losers.probabilities.items() if p],
    )
    if losers.too_close.any():
        say(
            "For some sequences of two rolls, the table's error leaves open whether "
            "they\nlose the market."
        )
    say()
    alike: dict[bytes, list[int]] = {}
    for own, row in enumerate(losers.losing):
        alike.setdefault(row.tobytes(), []).append(own)
    say_table(
        ("roll", "<replies that lose the market"),
        [
            (
                _wrapped([format_roll(ROLLS[own]) for own in rolls], 8),
                _wrapped(_replies(losers.losing[rolls[0]]), 9),
            )
            for rolls in alike.values()
        ],
    )


def _replies(losing: "NDArray[np.bool_]") -> list[str]:
    """Name the replies that lose the market, as "all but ..." if they are the majority."""
    from bearoff import ROLLS, format_roll

    if losing.all() or not losing.any():
        return ["all" if losing.all() else "none"]
    few = losing.sum() <= len(ROLLS) // 2
    named = [format_roll(r) for r, loses in zip(ROLLS, losing, strict=True) if loses == few]
    return named if few else ["all but", *named]


def _wrapped(words: list[str], most: int) -> str:
    """Wrap words into lines of at most `most` words."""
    lines = [words[start : start + most] for start in range(0, len(words), most)]
    return "\n".join(" ".join(line) for line in lines)


def window_json(window: "DoublingWindow | None") -> dict[str, float | None] | None:
    """Return the limits of a doubling window by name; a missing limit is null."""
    if window is None:
        return None
    return {name: None if isnan(edge) else edge for name, edge in asdict(window).items()}


def show_window(window: "DoublingWindow", cube: str) -> None:
    """Print the limits of a doubling window, for a double or a redouble."""
    double = "redouble" if cube == "owned" else "double"
    rows = [
        (f"{double[:-1]}ing point", window.first_double),
        (f"last no {double}", window.last_no_double),
        ("cash point", window.first_pass),
        ("last take", window.last_take),
    ]
    if not isnan(window.first_too_good):
        rows.append((f"too good to {double}", window.first_too_good))
    say_table(
        (f"window of this race{', by the fast model' * window.by_model}", "wins"),
        [(name, "-" if isnan(edge) else f"{edge:.2%}") for name, edge in rows],
    )
