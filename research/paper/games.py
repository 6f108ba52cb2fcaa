"""Facts for the paper about self-play: simulated games compared with expected values."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from research.paper.facts import Facts, plus_minus
from research.paper.results import Results

if TYPE_CHECKING:
    from bearoff.analysis import Run
    from bearoff.analysis.outcomes import Calibration

RUNS = (
    "quick",
    "chart",
    "agreement/cubeful",
    "agreement/match",
    "agreement/formulas-at-play",
    "agreement/laboratory-at-play",
)
"""Names of the runs of simulated games whose expected values are known."""


@dataclass(frozen=True, eq=False)
class Agreement:
    """Run of simulated games, compared with its expected values.

    Attributes
    ----------
    run : Run
        Run of simulated games.
    calibration : Calibration
        Z-scores of all pairs of the run.
    gain : str
        Points per game that a doubling formula gains over a second formula with the same
        dice; empty if the run has no second formula.
    """

    run: "Run"
    calibration: "Calibration"
    gain: str = ""

    @property
    def players(self) -> str:
        """Description of how the two players play their checkers and use the cube."""
        cube = self.run.config.get("cube")
        plays = self.run.config["players"]
        if not cube:
            return f"{plays['roller']}, no cube"
        where = (
            f", at {self.run.config['match']['score']}"
            if self.run.config.get("match")
            else ""
        )
        return f"cube {cube['roller']} against {cube['opponent']}{where}"


def agreements(results: Results) -> list[Agreement]:
    """Compare all runs of simulated games with their expected values."""
    from bearoff.analysis import Outcomes, calibrate
    from bearoff.analysis.outcomes import cubeful

    found = []
    for name in RUNS:
        run = results.run(name)
        if run.kind == "races":
            found.append(Agreement(run, calibrate(Outcomes.of(run))))
            continue
        outcomes = cubeful.CubefulOutcomes.of(run)
        gain = ""
        if outcomes.has_rival:
            mean = outcomes.mean_difference()
            over = run.config["cube"]["rival"]
            gain = f"{plus_minus(mean.value, mean.error, 4)} over {over}"
        found.append(Agreement(run, cubeful.calibrate(outcomes), gain))
    return found


def gather(results: Results, facts: Facts) -> None:
    """Add facts about the runs of games, and about comparisons with GNU Backgammon."""
    runs = agreements(results)
    facts.put(
        games__games=sum(each.run.games for each in runs),
        games__billion=f"{sum(each.run.games for each in runs) / 1e9:.1f}",
        games__runs=len(runs),
        games__pairs=sum(each.run.pairs for each in runs),
        games__agree=sum(each.calibration.agrees is True for each in runs),
    )
    facts.put_table(
        "games.agreement",
        (
            "run",
            "players",
            "games",
            "pairs judged",
            "mean z",
            "rms z",
            "worst z",
            "probability",
        ),
        [
            (
                each.run.name,
                each.players,
                f"{each.run.games:,}",
                f"{each.calibration.pairs:,}",
                f"{each.calibration.mean:+.3f}",
                f"{each.calibration.rms:.3f}",
                f"{each.calibration.worst:+.2f}",
                f"{100 * each.calibration.chi_square_chance:.0f}%",
            )
            for each in runs
        ],
        words=2,
    )
    facts.put_table(
        "games.gains",
        ("run", "formula of the roller", "gain, points per game"),
        [
            (each.run.name, each.run.config["cube"]["roller"], each.gain)
            for each in runs
            if each.gain
        ],
        words=2,
    )
    _peers(results, facts)


def _peers(results: Results, facts: Facts) -> None:
    """Add facts about comparisons with other programs on the same plays and decisions."""
    legal = results.page("agreement/legal-plays.md")
    review = results.page("agreement/review.md")
    every = review.table("decisions", "number", "costs within 0.005")
    chosen = [
        row for row in every if row["decisions"] in ("all", "exact", "rollout", "model")
    ]
    facts.put(
        peers__plays=legal.find(r"([\d,]+) plays\. No"),
        peers__differ=legal.find(r"legal plays differ: \*\*(\d+)\*\*"),
        peers__decisions=review.find(r"judged the same ([\d,]+) decisions"),
        peers__limit=list(every[0])[2].removeprefix("costs within "),
        peers__within=every[0]["costs within 0.005"],
    )
    facts.put_table(
        "peers.review",
        ("method", "decisions", "within the limit", "rms difference", "largest"),
        [
            (
                row["decisions"],
                row["number"],
                row["costs within 0.005"],
                row["rms difference in cost"],
                row["largest difference in cost"],
            )
            for row in chosen
        ],
    )
    held = results.page("agreement/rollouts.md").table("equity", "largest")
    facts.put_table(
        "rollouts.exact",
        (
            "equity",
            "mean difference",
            "rms",
            "largest",
            "rms standard error",
            "systematic error, rms",
        ),
        [
            (
                row["equity"],
                row["mean difference"],
                row["rms difference"],
                row["largest"],
                row["rms standard error"],
                row["rms error caused by the simulated players"],
            )
            for row in held
        ],
    )
    facts.put(
        rollouts__races=results.page("agreement/rollouts.md").find(r"Each of (\d+) races")
    )
