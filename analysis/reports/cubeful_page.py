"""Text of the report on a run of games with the cube."""

from dataclasses import astuple

import numpy as np

from bearoff.analysis.outcomes import Calibration, Run, cubeful
from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.analysis.reports.race_page import provenance
from bearoff.analysis.reports.tables import SKIPPED, selection, spread
from bearoff.sim.storage import schema

Int64Array = np.ndarray[tuple[int], np.dtype[np.int64]]


def write_cubeful_page(
    run: Run,
    outcomes: cubeful.CubefulOutcomes,
    calibration: Calibration,
    pictures: dict[str, str],
) -> str:
    """Return the text of the report as Markdown, given the file names of the figures."""
    skipped = calibration.skipped
    chosen = spread(outcomes.equity)
    at_score = outcomes.score is not None
    ends = markdown_table(_END_HEAD, end_rows(outcomes)) if at_score else ""
    shown = selection(len(chosen), len(outcomes), _measure(outcomes))
    sections = [
        f"# Run {run.name}",
        str(run.config.get("description") or ""),
        "" if run.complete else f"**Unfinished run**: {run.describe()}.",
        f"{_play(outcomes)} The number after ± is one standard error.",
        markdown_table(["", "run"], summary_rows(run, outcomes)),
        "## Simulated and expected values",
        f"The run {calibration.verdict}."
        + (f" {SKIPPED}: {skipped:,}." if skipped else ""),
        f"![equities]({pictures['equities']})" if "equities" in pictures else "",
        "## Final cubes",
        markdown_table(["final cube value", "games"], cube_rows(outcomes)),
        ends,
        markdown_table(["per game", "roller", "opponent"], action_rows(outcomes)),
        "## Match-winning chances" if at_score else "## Equities",
        f"The table lists {shown}. A position is written as the number of checkers on "
        "each point, beginning with the ace point. *Expected* is the exact value for the "
        "players and cube strategies of the run, where it is known.",
        markdown_table(*pair_table(outcomes, chosen)),
        "## How to repeat the run",
        provenance(run),
    ]
    return markdown_page(sections)


def _play(outcomes: cubeful.CubefulOutcomes) -> str:
    if outcomes.score is None:
        return "Money play. Equities are those of the roller, in points per game."
    return (
        f"Each game is played at {outcomes.score}. Values are the roller's match-winning "
        "chances."
    )


def _measure(outcomes: cubeful.CubefulOutcomes) -> str:
    return "equity" if outcomes.score is None else "match-winning chance"


_END_HEAD = ["points won", "roller", "opponent"]


def end_rows(outcomes: cubeful.CubefulOutcomes) -> list[list[str]]:
    """Return table rows with the proportion of games won for each number of points."""
    shares = {name: outcomes.share(counts) for name, counts in outcomes.ends.items()}
    rows = []
    for level in range(schema.CUBE_BINS):
        value = outcomes.value << level
        for gammon in (False, True):
            won = [
                shares[f"cube_gammons_{end}"][level]
                if gammon
                else shares[f"cube_{end}"][level] - shares[f"cube_gammons_{end}"][level]
                for end in ("won", "lost")
            ]
            if max(won) > 0:
                points = f"{2 * value:,} (gammon)" if gammon else f"{value:,}"
                rows.append([points, *(f"{share:.4%}" for share in won)])
    return rows


def summary_rows(run: Run, outcomes: cubeful.CubefulOutcomes) -> list[list[str]]:
    """Return table rows with the settings and results of a simulation run."""
    players, cube = run.config["players"], run.config["cube"]
    sides = [
        f"{players[side]}, cube {strategy_name(cube[side])}"
        for side in ("roller", "opponent")
    ]
    rows = [
        ["roller", sides[0]],
        ["opponent", sides[1]],
        [
            "initial cube",
            f"{cube['position']}, value {cube['value']}"
            + (", Jacoby rule" if cube["jacoby"] else ""),
        ],
        ["pairs", f"{run.pairs:,}"],
        ["games", f"{run.games:,}"],
        ["gammons won", f"{outcomes.gammons[:, 0].sum():,}"],
        ["gammons lost", f"{outcomes.gammons[:, 1].sum():,}"],
        [_measure(outcomes), outcomes.written(*astuple(outcomes.mean_equity()))],
        [
            "largest standard error of a pair's mean result",
            outcomes.written(outcomes.error.max()),
        ],
        [
            "mean number of rolls in a game, both sides together",
            f"{np.average(outcomes.length, weights=outcomes.weight):.2f}",
        ],
    ]
    if outcomes.has_rival:
        rival = strategy_name(cube["rival"])
        gain = outcomes.written(*astuple(outcomes.mean_difference()))
        rows.append([f"mean gain over the rival strategy, cube {rival}", gain])
    return rows


def strategy_name(strategy: object) -> str:
    """Describe a cube strategy from a run's configuration in a few words.

    Examples
    --------
    >>> strategy_name({"centred": "keith", "owned": {"janowski": 0.7}, "take": "never"})
    'keith (redoubles: janowski 0.7; takes: never)'
    """
    if not isinstance(strategy, dict):
        return str(strategy)
    if "thresholds" in strategy:
        return "thresholds " + ", ".join(
            f"{at:g}" for at in strategy["thresholds"].values()
        )
    if "janowski" in strategy:
        return f"janowski {strategy['janowski']:g}"
    centred, owned, take = (
        strategy_name(strategy[state]) for state in ("centred", "owned", "take")
    )
    return f"{centred} (redoubles: {owned}; takes: {take})"


def cube_rows(outcomes: cubeful.CubefulOutcomes) -> list[list[str]]:
    """Return table rows with the proportions of games by final cube value."""
    shares = outcomes.share(outcomes.cubes)
    last = int(np.flatnonzero(shares)[-1])
    rows = []
    for level in range(last + 1):
        more = " or more" if level == len(shares) - 1 else ""
        share = "below 0.0001%" if 0 < shares[level] < 1e-6 else f"{shares[level]:.4%}"
        rows.append([f"{outcomes.value * 2**level:,}{more}", share])
    return rows


def action_rows(outcomes: cubeful.CubefulOutcomes) -> list[list[str]]:
    """Return table rows with the doubles and passes per game of both sides."""
    return [
        [what, *(f"{mean:.4f}" for mean in outcomes.share(counted))]
        for what, counted in (("doubles", outcomes.doubles), ("passes", outcomes.passes))
    ]


def pair_table(
    outcomes: cubeful.CubefulOutcomes, chosen: Int64Array
) -> tuple[list[str], list[list[str]]]:
    """Return the header and rows of a table of simulated and expected equities."""
    head = ["roller", "opponent", "games", _measure(outcomes), "expected", "z"]
    head += ["gain over the rival strategy"] if outcomes.has_rival else []
    sides = outcomes.counts(outcomes.roller), outcomes.counts(outcomes.opponent)
    rows = []
    for i in chosen.tolist():
        expected, error = float(outcomes.expected[i]), float(outcomes.error[i])
        known = np.isfinite(expected)
        seen = outcomes.seen_error[i]
        z = (outcomes.equity[i] - expected) / seen if known and seen > 0 else np.nan
        row = [
            ",".join(map(str, sides[0][i].tolist())),
            ",".join(map(str, sides[1][i].tolist())),
            f"{outcomes.games[i]:,}",
            outcomes.written(outcomes.equity[i], error),
            outcomes.written(expected) if known else "unknown",
            f"{z:+.2f}" if np.isfinite(z) else "",
        ]
        if outcomes.has_rival:
            difference = outcomes.difference[i], outcomes.difference_error[i]
            row.append(outcomes.written(*difference))
        rows.append(row)
    return head, rows
