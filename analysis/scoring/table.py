"""Table of losses of formulas, as JSON, Parquet and Markdown."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bearoff.analysis.outcomes import Gains, intervals
from bearoff.analysis.output import markdown_table, write_table, write_text
from bearoff.analysis.scoring.cost import MentalCost
from bearoff.analysis.scoring.decisions import HOPELESS, REASONABLE, ValuedDecisions
from bearoff.analysis.scoring.measured_loss import scores_seal
from bearoff.analysis.scoring.scores import FormulaLoss

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class ScoreRow:
    """Row of the table of losses: the losses and the mental cost of one formula.

    Attributes
    ----------
    difference : Mean or None
        Points lost per position by the formula, minus the points lost by the reference
        formula; None for the reference formula itself.
    per_game : float or None
        Mean points per game that a perfect opponent wins; None if not computed.
    """

    loss: FormulaLoss
    cost: MentalCost
    difference: intervals.Mean | None
    per_game: float | None = None


def score_json(scored: ScoreRow, decisions: ValuedDecisions) -> dict[str, Any]:
    """Return a formula's row of the table as JSON values: points and proportions."""
    loss = scored.loss
    chance = loss.chance
    return {
        "name": loss.name,
        "mental_cost": {
            "total": scored.cost.total,
            "beyond_pips": scored.cost.beyond_pips,
        },
        "actions": {
            action: {
                "decisions": found.decisions,
                "lost": _mean(found.lost),
                "wrong": _mean(found.wrong),
                "worst": found.worst,
                "worst_position": _position(decisions, found.worst_row),
            }
            for action, found in loss.actions.items()
        },
        "together": _mean(loss.total),
        "per_game": _mean(loss.per_game),
        "difference": _mean(scored.difference) if scored.difference else None,
        "against_perfect_play": scored.per_game,
        "chance": None
        if chance is None
        else {
            "absolute": _mean(chance.absolute),
            "rms": chance.rms,
            "bias": _mean(chance.bias),
            "calibration": [
                {"decisions": n, "estimated": estimate, "win_probability": true}
                for n, estimate, true in chance.calibration
            ],
        },
    }


def _mean(mean: intervals.Mean) -> dict[str, float]:
    return {"value": mean.value, "error": mean.error}


def _position(decisions: ValuedDecisions, row: int) -> dict[str, Any]:
    return {
        "roller": [int(n) for n in decisions.rollers[row]],
        "opponent": [int(n) for n in decisions.opponents[row]],
    }


def score_rows(scored: Sequence[ScoreRow]) -> "pa.Table":
    """Return a Parquet table with one row per formula and cube action, and total rows."""
    import pyarrow as pa

    rows = []
    for line in scored:
        common = {
            "formula": line.loss.name,
            "units": line.cost.total,
            "units_beyond_pips": line.cost.beyond_pips,
        }
        for action in Gains.ACTIONS:
            found = line.loss.actions[action]
            rows.append(
                common
                | {
                    "decision": action,
                    "decisions": found.decisions,
                    "lost": found.lost.value,
                    "lost_error": found.lost.error,
                    "wrong": found.wrong.value,
                    "wrong_error": found.wrong.error,
                    "worst": found.worst,
                }
            )
        loss, more = line.loss, line.difference
        chance = loss.chance
        rows.append(
            common
            | {
                "decision": "together",
                "lost": loss.total.value,
                "lost_error": loss.total.error,
                "lost_a_game": loss.per_game.value,
                "lost_a_game_error": loss.per_game.error,
                "difference": more.value if more else None,
                "difference_error": more.error if more else None,
                "against_perfect_play": line.per_game,
                "chance_absolute": chance.absolute.value if chance else None,
                "chance_rms": chance.rms if chance else None,
            }
        )
    names = list(dict.fromkeys(name for row in rows for name in row))
    types = {"formula": pa.string(), "decision": pa.string(), "units": pa.int64()}
    types["units_beyond_pips"] = pa.int64()
    schema = pa.schema([(name, types.get(name, pa.float64())) for name in names])
    return pa.Table.from_pylist(rows, schema=schema)


def score_page(
    scored: Sequence[ScoreRow],
    decisions: ValuedDecisions,
    reference: str,
    starts: str | None,
    command: str,
    valued: str,
) -> str:
    """Return the table of losses as a Markdown page."""
    head = ["formula", "units", *Gains.ACTIONS, "total error", f"difference to {reference}"]
    head += ["wrong", "worst", "per game"] + (["against perfect play"] if starts else [])
    rows = []
    for line in scored:
        actions = line.loss.actions
        wrong = " / ".join(f"{100 * actions[a].wrong.value:.1f}" for a in Gains.ACTIONS)
        row = [line.loss.name, str(line.cost.total)]
        row += [_thousandths(actions[a].lost) for a in Gains.ACTIONS]
        row += [_thousandths(line.loss.total)]
        row += [_thousandths(line.difference, sign="+") if line.difference else ""]
        row += [wrong, f"{max(a.worst for a in actions.values()):.2f}"]
        row += [_thousandths(line.loss.per_game)]
        if starts:
            row.append("" if line.per_game is None else f"{1000 * line.per_game:.1f}")
        rows.append(row)
    chances = [
        [
            line.loss.name,
            f"{100 * chance.absolute.value:.2f} ± {100 * chance.absolute.error:.2f}",
            f"{100 * chance.rms:.2f}",
            f"{100 * chance.bias.value:+.2f}",
        ]
        for line in scored
        if (chance := line.loss.chance)
    ]
    visits = decisions.weights.sum()
    parts = [
        "# Losses of formulas on cube decisions",
        f"`{command}` computed this page. The decisions are from the population "
        f"{decisions.name}: {len(decisions):,} positions with a total frequency of "
        f"{visits:,.0f}, digest {decisions.digest[:16]}. {valued}",
        markdown_table(head, rows),
        "The table shows the losses of each formula in thousandths of a point per "
        "decision, at a cube value of 1, with standard errors. *Total error* is the mean "
        "over the positions, weighted by frequency, of the loss that the double, "
        f"redouble and take in the position cause together. *Difference to {reference}* "
        f"is the total error minus the total error of the formula {reference} in the same "
        "positions. *Wrong* is the percentage of the formula's decisions to double, "
        "redouble and take that are wrong. *Worst* is the largest loss of one decision, "
        "in points. *Per game* is the total error summed over the positions of a game. A "
        "decision to take is included only if the double before it loses at most "
        f"{REASONABLE} points and the take at most {HOPELESS} points. A unit of mental "
        "cost takes a trained player about a second."
        + (
            f" *Against perfect play* is the gain of a perfect opponent per game, "
            f"{starts}, "
            "in thousandths of a point."
            if starts
            else ""
        ),
    ]
    if chances:
        parts += [
            "## Win probabilities",
            markdown_table(["formula", "mean error", "rms error", "bias"], chances),
            "The errors of win probabilities are in percentage points, weighted by "
            "frequency.",
        ]
    return "\n\n".join(parts) + "\n"


def write_scores(
    scored: Sequence[ScoreRow],
    decisions: ValuedDecisions,
    reference: str,
    starts: str | None,
    command: str,
    valued: str,
    folder: Path,
) -> list[Path]:
    """Write ``scores.parquet`` and ``scores.md`` into a folder; return their paths."""
    from bearoff.sim.storage import provenance

    folder.mkdir(parents=True, exist_ok=True)
    data = folder / "scores.parquet"
    head, changed = provenance.commit()
    about = {
        "command": command,
        "population": decisions.name,
        "digest": decisions.digest,
        "reference": reference,
        "starts": starts,
        "commit": head,
        "changed": changed,
        "versions": provenance.versions(),
    }
    rows = score_rows(scored)
    about["seal"] = scores_seal(about, rows.to_pylist())
    table = rows.replace_schema_metadata({"bearoff": json.dumps(about)})
    write_table(table, data)
    page = score_page(scored, decisions, reference, starts, command, valued)
    return [write_text(page, folder / "scores.md"), data]


def _thousandths(mean: intervals.Mean, sign: str = "") -> str:
    return f"{1000 * mean.value:{sign}.2f} ± {1000 * mean.error:.2f}"
