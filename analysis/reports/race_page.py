"""Text of the report on a run of cubeless races."""

import json
from collections.abc import Iterable

from bearoff import CubeThresholds
from bearoff.analysis.outcomes import Outcomes, Run, RunAnalysis, fits
from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.analysis.reports.tables import (
    SKIPPED,
    chance_table,
    pair_table,
    rule_table,
    selection,
    spread,
)


def write_page(study: RunAnalysis, pictures: dict[str, str]) -> str:
    """Return the text of the report as Markdown, given the file names of the figures."""
    run, outcomes = study.run, study.outcomes
    calibration, fits = study.calibration, study.fits
    skipped = calibration.skipped
    chosen = spread(outcomes.win_probability)
    sections = [
        f"# Run {run.name}",
        str(run.config.get("description") or ""),
        "" if run.complete else f"**Unfinished run**: {run.describe()}.",
        _summary(run, outcomes),
        "## Simulated and expected values",
        f"The run {calibration.verdict}."
        + (f" {SKIPPED}: {skipped:,}." if skipped else ""),
        "\n\n".join(study.shortages),
        _picture(pictures, "calibration", "z-scores of all pairs of positions"),
        *(_fitted(fits, pictures) if fits else _not_fitted(study, pictures)),
        "## Win probabilities",
        f"The table lists {selection(len(chosen), len(outcomes), 'win probability')}. A "
        "position is written as the number of checkers on each point, beginning with the "
        "ace point, followed by its position number. *Expected* is the exact win "
        "probability for these players.",
        pair_table(outcomes[chosen]),
        "## How to repeat the run",
        provenance(run),
    ]
    return markdown_page(sections)


def _summary(run: Run, outcomes: Outcomes) -> str:
    p = outcomes.win_probability
    players = run.config.get("players", {})
    return markdown_table(
        ["", "run"],
        [
            ["players (roller and opponent)", " and ".join(map(str, players.values()))],
            ["pairs", f"{run.pairs:,}"],
            ["games", f"{run.games:,}"],
            ["games per pair", f"{outcomes.games.min():,} to {outcomes.games.max():,}"],
            ["simulated win probability", f"{p.min():.2%} to {p.max():.2%}"],
            ["gammons won", f"{outcomes.gammons_won.sum():,}"],
            ["gammons lost", f"{outcomes.gammons_lost.sum():,}"],
            ["largest standard error", f"{outcomes.variance.max() ** 0.5:.3%}"],
            [
                "roller's pips",
                f"{outcomes.roller_pips.min():.0f} to {outcomes.roller_pips.max():.0f}",
            ],
        ],
    )


def _fitted(fits: fits.Fits, pictures: dict[str, str]) -> list[str]:
    """Return the report's sections on fitted cube rules and win probability formulas."""
    at = CubeThresholds.janowski(fits.efficiency)
    noise = fits.chances[0].score
    return [
        "## Doubling rules",
        f"In Janowski's model at cube efficiency {fits.efficiency:g}, the roller doubles "
        f"with a winning chance of at least {at.double:.1%} and redoubles with at least "
        f"{at.redouble:.1%}, and the opponent takes up to {at.cash:.1%}. The rules in the "
        "table are those with simple numbers that lose the least equity on "
        f"{fits.trained:,} pairs of positions. A *lead rule* uses the same share of the "
        "roller's count for doubling, redoubling and taking. A lead rule *with separate "
        "shares* uses a different share of the roller's count for each of the three "
        "decisions. The *lead* is the opponent's count minus the roller's.",
        _written(fits.rules),
        *(
            _picture(pictures, f"doubling-{m}", f"doubling chart, {m}")
            for m in Outcomes.MEASURES
        ),
        f"The rules were tested on {fits.held_out:,} other pairs. *Wrong* is the "
        "proportion of decisions that are wrong at the simulated win probability. "
        "*Clearly* is the proportion of decisions that are wrong at both ends of the 95% "
        "interval of the simulated win probability. *Lost* is the mean equity lost per "
        "pair, in thousandths of a point at a cube value of 1, ± one standard error. "
        "Takes are scored for every pair, as if the roller had doubled.",
        rule_table(sorted([*fits.rules, *fits.known_rules], key=_lost)),
        "## Win probability formulas",
        _written(fits.chances),
        *(
            _picture(pictures, f"chance-{m}", f"win probability, {m}")
            for m in Outcomes.MEASURES
        ),
        f"The table shows the errors of the win probabilities on the {fits.held_out:,} "
        "pairs that were not used for fitting, in percentage points, ± one standard "
        "error. Because the simulated win probabilities have standard errors, even a "
        f"perfect formula would show a mean error of {100 * noise.floor_absolute:.2f} and "
        f"an rms error of {100 * noise.floor_rms:.2f} percentage points.",
        chance_table([*fits.chances, *fits.known_chances]),
    ]


def _lost(entry: fits.FittedRule) -> float:
    return entry.score.total.value


def _not_fitted(study: RunAnalysis, pictures: dict[str, str]) -> list[str]:
    charts = (_picture(pictures, f"doubling-{m}", f"chart, {m}") for m in Outcomes.MEASURES)
    return ["## Formulas", f"No formulas were fitted: {study.why_no_fits}.", *charts]


def _written(entries: Iterable[fits.FittedRule | fits.FittedChance]) -> str:
    rows = [[entry.formula.name, entry.formula.text] for entry in entries]
    return markdown_table(["formula", "rule"], rows, numbers=False)


def _picture(pictures: dict[str, str], name: str, text: str) -> str:
    return f"![{text}]({pictures[name]})" if name in pictures else ""


def provenance(run: Run) -> str:
    """Return the information needed to repeat the run, taken from its manifest."""
    manifest = run.manifest
    facts = [
        [
            "commit",
            f"{manifest.commit}{' (dirty)' if manifest.dirty else ''}",
        ],
        ["seed", str(manifest.seed)],
        ["digest of the configuration", manifest.digest],
        ["started", manifest.started],
        ["finished", str(manifest.finished)],
        ["seconds", f"{manifest.seconds:,.1f}"],
        ["machine", f"{manifest.cpu}, {manifest.workers} workers"],
        *([name, v] for name, v in sorted(manifest.versions.items())),
    ]
    config = json.dumps(run.config, indent=2, sort_keys=True)
    return f"{markdown_table(['', 'value'], facts)}\n\n```json\n{config}\n```"
