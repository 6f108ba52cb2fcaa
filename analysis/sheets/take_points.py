"""Take points and doubling windows at all match scores, on one page."""

from bearoff import MatchEquities, Score, match_equities, match_thresholds
from bearoff.analysis.sheets.match_leads import LongWindow, long_window
from bearoff.analysis.sheets.sheet import Sheet, SheetTable, numbers

EPCS = (60.0, 90.0)
"""Roller's EPCs for which the sheet lists leads in long races, in pips."""


def take_point_sheet(equities: MatchEquities | None = None, most_away: int = 9) -> Sheet:
    """Return the sheet of take points, doubling points, leads and gammon values."""
    table = match_equities() if equities is None else equities
    away = range(2, most_away + 1)
    far = table.length, table.length
    pairs = [(a, b) for a in away for b in away]
    at = {pair: match_thresholds(Score(pair), 1, table) for pair in pairs}
    # The cache holds only a few solved scores, so all windows of a score are computed
    # before those of the next.
    windows = {
        pair: [long_window(Score(pair), epc, table) for epc in EPCS] for pair in pairs
    }
    races = {
        epc: {pair: found[place] for pair, found in windows.items()}
        for place, epc in enumerate(EPCS)
    }

    def grid(title: str, cells: dict[tuple[int, int], str]) -> SheetTable:
        rows = tuple((f"{a}-away", *(cells[a, b] for b in away)) for a in away)
        widths = (0.8, *(1.0 for _ in away))
        return SheetTable(title, ("roller", *(f"{b}-away" for b in away)), rows, widths)

    takes = {
        pair: f"{_percent(one.take_point)} / {_percent(one.live_take_point)}"
        for pair, one in at.items()
    }
    doubles = {
        pair: f"{_percent(one.double)} / {one.gammon_value:.2f}" for pair, one in at.items()
    }
    leads = {
        epc: {pair: _leads(window) for pair, window in found.items()}
        for epc, found in races.items()
    }
    return Sheet(
        "scores",
        "The cube at a score",
        "Each row is for a number of points that the roller needs to win the match, and "
        "each column for a number of points that the opponent needs. The cube is at 1, "
        "and the roller may double. For money, the take points are 25% in the last roll "
        "and 20% with a live cube, the doubling point in the last roll is 50%, and the "
        "gammon value is 0.50.",
        (
            grid("Take point of the opponent: last roll / live cube (%)", takes),
            grid("Doubling point in the last roll (%) / gammon value", doubles),
            *(
                grid(
                    f"Leads for a double and for the last take, if the roller's EPC is "
                    f"{epc:.0f} (money: {_leads(long_window(Score(far), epc, table))})",
                    cells,
                )
                for epc, cells in leads.items()
            ),
        ),
        (
            f"Match equities: {table.name}. In the last roll, nobody turns the cube "
            "again. A live cube is always turned at the best moment. The take point of a "
            "race lies between the take point in the last roll and the take point with a "
            "live cube. The longer the race, the closer its take point is to that with a "
            "live cube. With a live cube, the roller doubles at the "
            "opponent's take point. Leads are for typical positions, by the fast model "
            "(docs/rollouts.md) solved at the score. Nobody doubles in the Crawford "
            "game; after it, the trailer doubles at once.",
        ),
        (
            "roller_away", "opponent_away", "take_point", "live_take_point", "double",
            "gammon_value",
            *(f"{name}_{epc:.0f}" for epc in EPCS for name in ("double_lead", "take_lead")),
        ),
        tuple(
            (
                *pair,
                *numbers(
                    at[pair].take_point, at[pair].live_take_point, at[pair].double,
                    at[pair].gammon_value,
                    *(
                        lead
                        for epc in EPCS
                        for lead in (
                            races[epc][pair].double_lead, races[epc][pair].take_lead
                        )
                    ),
                ),
            )
            for pair in pairs
        ),
    )  # fmt: skip


def _leads(window: LongWindow) -> str:
    return f"{window.double_lead:.1f} to {window.take_lead:.1f}"


def _percent(chance: float | None) -> str:
    assert chance is not None
    return f"{100 * chance:.0f}"
