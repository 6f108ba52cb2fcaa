"""What answers at a score print alike: the score, its take points and gammon values."""

from typing import TYPE_CHECKING, Any

from app.output import say, say_table

if TYPE_CHECKING:
    from bearoff import MatchEquities, MatchThresholds, Race, Score


def cube_named(race: "Race") -> str:
    """Say where the cube is, and what it shows if it has been turned."""
    return {
        "centred": "centred",
        "owned": f"owned at {race.cube_value}",
        "opponent": f"at {race.cube_value}, the opponent's",
    }[race.cube]


def no_action(race: "Race", score: "Score") -> str:
    """Say why the roller may not double; empty if that is allowed."""
    if not score.has_cube:
        return "No double: in Crawford's game nobody may turn the cube."
    return "No double: the opponent owns the cube." if race.cube == "opponent" else ""


def is_dead(race: "Race", score: "Score") -> bool:
    """Whether the roller wins the match with the cube as it is."""
    return score.away[0] <= race.cube_value


def score_json(
    race: "Race", score: "Score", equities: "MatchEquities", at: "MatchThresholds"
) -> dict[str, Any]:
    """Return race, score and what holds there, with the keys of the JSON output."""
    return {
        "roller": list(race.roller.counts),
        "opponent": list(race.opponent.counts),
        "position_id": race.position_id,
        "score": {"away": list(score.away), "game": score.game, "length": score.length},
        "match_equities": equities.name,
        "cube": race.cube,
        "cube_value": race.cube_value,
        "last_roll": _window(at.double, at.cash),
        "live": _window(at.live_double, at.live_cash),
        "gammon_value": at.gammon_value,
        "gammon_loss": at.gammon_loss,
    }


def _window(double: float | None, cash: float | None) -> dict[str, float | None]:
    take = None if cash is None else 1 - cash
    return {"double": double, "cash": cash, "take_point": take}


def show_thresholds(race: "Race", at: "MatchThresholds") -> None:
    """Write doubling, cash and take points of a last roll and of a live cube."""
    double = "redoubling" if race.cube == "owned" else "doubling"
    columns = _window(at.double, at.cash), _window(at.live_double, at.live_cash)
    say_table(
        ("at this score, wins", "last roll", "live cube"),
        [
            (f"{name} point", *(_percent(window[key]) for window in columns))
            for name, key in ((double, "double"), ("cash", "cash"), ("take", "take_point"))
        ],
    )


def _percent(chance: float | None) -> str:
    if chance is None:
        return "-"
    return {0.0: "always", 1.0: "never"}.get(chance, f"{chance:.2%}")


def say_gammons(at: "MatchThresholds") -> None:
    """Write what gammons are worth at the score."""
    say(
        f"A gammon won adds {at.gammon_value:.0%} of what a win is worth, one lost costs "
        f"{at.gammon_loss:.0%}\nmore; for money 50%."
    )
