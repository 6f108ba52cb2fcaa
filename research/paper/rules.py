"""Facts for the paper about race formulas: losses, mental costs, and worked examples.

Names, texts and mental costs come from the code, and losses from results/formulas. A
formula that is missing in the code or in the results is left out.
"""

from dataclasses import dataclass

from bearoff import BearoffError, Position, Race
from bearoff.analysis import formulas
from bearoff.analysis.scoring import explanation, mental_cost
from research.paper.facts import Facts, percent, plus_minus
from research.paper.results import Results

ROWS, JUDGED = "formulas/cube/pareto.parquet", "formulas/cube/battery.parquet"
NEAR, GAME, OWN = "near", "game", "own games"
USUAL = ("keith", "isight")
"""Published race formulas that players use, with which the project's formulas are compared.
"""

WORKED = 2
"""Number of races to which the project's best formula is applied as an example."""


@dataclass(frozen=True)
class Losses:
    """Losses of race formulas on the test sets, in thousandths of a point.

    Attributes
    ----------
    lost : dict of str to dict of str to (float, float)
        Loss and its standard error, by formula and test set.
    units : dict of str to int
        Mental cost of each formula when it was scored.
    published, ours : tuple of str
        Names of the formulas, by increasing loss in close decisions.
    searched : tuple of str
        Formulas that the search found and that have no name.
    texts : dict of str to str
        Text of each formula when it was scored.
    """

    lost: dict[str, dict[str, tuple[float, float]]]
    units: dict[str, int]
    published: tuple[str, ...]
    ours: tuple[str, ...]
    searched: tuple[str, ...]
    texts: dict[str, str]

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the test sets on which every named formula was scored."""
        everyone = [set(self.lost[name]) for name in (*self.published, *self.ours)]
        return tuple(row for row in self.lost[self.best] if all(row in e for e in everyone))

    @property
    def best(self) -> str:
        """Our formula with the smallest loss in close decisions."""
        return self.ours[0]

    def least_published(self, row: str) -> str:
        """Return the published formula with the smallest loss on a test set."""
        return min(self.published, key=lambda name: self.lost[name][row][0])

    def written(self, name: str, row: str) -> str:
        """Return a formula's loss on a test set, with its standard error, as text."""
        found = self.lost[name].get(row)
        return plus_minus(*found) if found else ""


def read_losses(results: Results) -> Losses:
    """Read the losses of all race formulas from results.

    Raises
    ------
    BearoffError
        If none of the project's formulas has been scored.
    """
    lost: dict[str, dict[str, tuple[float, float]]] = {}
    units: dict[str, int] = {}
    texts: dict[str, str] = {}
    judged: set[str] = set()
    for row in results.rows(ROWS):
        name = row["formula"]
        units[name] = row["units"]
        texts[name] = row["text"]
        lost.setdefault(name, {})[row["row"]] = 1e3 * row["lost"], 1e3 * row["lost_error"]
    for row in results.rows(JUDGED):
        # Named formulas were scored twice. The second scores, on games with another seed,
        # replace the first ones.
        name, mean = row["formula"], (1e3 * row["lost"], 1e3 * row["lost_error"])
        if name not in judged:
            judged.add(name)
            lost[name], units[name] = {}, row["units"]
        lost[name][row["decision"]] = mean
    order = sorted(lost, key=lambda name: lost[name][NEAR][0])
    known, ours = set(formulas.names()), set(formulas.found_names())
    if not ours & set(order):
        raise BearoffError(
            f"results/{ROWS} has none of the formulas found here; run make formulas"
        )
    return Losses(
        lost,
        units,
        published=tuple(name for name in order if name in known),
        ours=tuple(name for name in order if name in ours),
        searched=tuple(name for name in order if name not in known | ours),
        texts=texts,
    )


def gather(results: Results, facts: Facts) -> None:
    """Add facts about race formulas, such as losses, mental costs and worked examples."""
    losses = read_losses(results)
    _headline(results, losses, facts)
    _tables(results, losses, facts)
    _costs(losses, facts)
    _frontier(results, losses, facts)
    _chances(results, facts)
    _boards(results, losses, facts)


def _headline(results: Results, losses: Losses, facts: Facts) -> None:
    best, lost = losses.best, losses.lost
    rival = losses.least_published(NEAR)
    behind = [
        f"{row} (by {lost[best][row][0] - lost[other][row][0]:.1f} behind {other})"
        for row in losses.rows
        if lost[other := losses.least_published(row)][row][0] < lost[best][row][0]
    ]
    worst = max(
        losses.rows,
        key=lambda row: lost[best][row][0] / lost[losses.least_published(row)][row][0],
    )
    page = results.page("formulas/cube/battery.md")
    facts.put(
        rules__ours=", ".join(losses.ours),
        rules__published_count=len(losses.published),
        rules__best=best,
        rules__best_text=formulas.get(best).text,
        rules__rewritten=_rewritten(losses),
        rules__best_words=len(formulas.get(best).text.split()),
        rules__best_units=losses.units[best],
        rules__best_near=losses.written(best, NEAR),
        rules__best_game=losses.written(best, GAME),
        rules__rival=rival,
        rules__rival_near=losses.written(rival, NEAR),
        rules__near_saved=f"{100 - 100 * lost[best][NEAR][0] / lost[rival][NEAR][0]:.0f}%",
        rules__rows=len(losses.rows),
        rules__rows_won=len(losses.rows) - len(behind),
        rules__behind="; ".join(behind) or "none",
        rules__worst_row=worst,
        rules__worst=losses.written(best, worst),
        rules__worst_published=losses.written(losses.least_published(worst), worst),
        rules__worst_by=losses.least_published(worst),
        rules__populations=page.find(
            r"Positions come from [a-z ]+ of the populations ([^.]+)\."
        ),
        rules__near_decisions=page.find(r"\*\*near\*\*: [^;]*; ([\d,]+)"),
        rules__uniform_decisions=page.find(r"\*\*uniform\*\*: [^;]*; ([\d,]+)"),
        rules__near_range=page.find(
            r"\*\*near\*\*: positions with all checkers home and a win probability of "
            r"([^;]*);"
        ),
    )
    for name in USUAL:
        facts.values[f"rules.{name}_near"] = losses.written(name, NEAR)
        facts.values[f"rules.{name}_game"] = losses.written(name, GAME)
        facts.values[f"rules.{name}_own"] = losses.written(name, OWN)
    facts.values["rules.best_own"] = losses.written(best, OWN)


def _rewritten(losses: Losses) -> str:
    """Return a note on formulas whose text has changed since they were scored."""
    return " ".join(
        f"When {name} was scored it read otherwise: {losses.texts[name]}"
        for name in losses.ours
        if losses.texts[name] != formulas.get(name).text
    )


def _tables(results: Results, losses: Losses, facts: Facts) -> None:
    text = results.page("formulas/cube/battery.md").text
    held = dict(
        line[4:].split("**: ", 1) for line in text.splitlines() if line.startswith("- **")
    )
    everyone = [*losses.ours, *losses.published]
    everyone.sort(key=lambda name: losses.lost[name][NEAR][0])
    facts.put_table(
        "rules.all",
        (
            "formula",
            "mental cost",
            "per near decision",
            "per game",
            "per own game",
            "uniform pairs",
            "beyond home",
        ),
        [
            (
                name,
                str(losses.units[name]),
                *(
                    losses.written(name, row)
                    for row in (NEAR, GAME, OWN, "uniform", "beyond")
                ),
            )
            for name in everyone
        ],
        strong=[k for k, name in enumerate(everyone) if name in losses.ours],
    )
    shown = [*losses.ours, *USUAL]
    facts.put_table(
        "rules.battery",
        ("test set", *shown, "best published method"),
        [
            (
                row,
                *(losses.written(name, row) for name in shown),
                f"{losses.written(least, row)} {least}",
            )
            for row in losses.rows
            for least in [losses.least_published(row)]
        ],
    )
    facts.put_table(
        "rules.rows",
        ("test set", "content", "positions"),
        [(row, *held[row].rsplit("; ", 1)) for row in losses.rows if row in held],
        words=2,
    )


def _costs(losses: Losses, facts: Facts) -> None:
    names = sorted((*losses.ours, *losses.published), key=losses.units.__getitem__)
    costs = {name: mental_cost(formulas.get(name)) for name in names}
    rubrics = list(costs[names[0]].by_rubric())
    facts.put_table(
        "rules.costs",
        ("formula", *rubrics, "given the pip counts", "numbers to memorise"),
        [
            (
                name,
                *(str(costs[name].by_rubric()[rubric]) for rubric in rubrics),
                str(costs[name].beyond_pips),
                str(len(costs[name].numbers)),
            )
            for name in names
        ],
        strong=[k for k, name in enumerate(names) if name in losses.ours],
    )
    beyond = {name: costs[name].beyond_pips for name in names}
    cheap = [name for name in names if beyond[name] <= beyond["keith"]]
    displayed = min(cheap, key=lambda name: losses.lost[name][NEAR][0])
    facts.put(
        rules__keith_beyond=beyond["keith"],
        rules__displayed=displayed,
        rules__displayed_near=losses.written(displayed, NEAR),
        rules__displayed_beyond=beyond[displayed],
    )
    for name, rubric in ((n, r) for n in (losses.best, *USUAL) for r in rubrics):
        label = "best" if name == losses.best else name
        facts.values[f"rules.{label}_{rubric.replace(' ', '_')}"] = str(
            costs[name].by_rubric()[rubric]
        )


def _frontier(results: Results, losses: Losses, facts: Facts) -> None:
    page = results.page("formulas/frontier.md")
    rows = page.table("budget", "minimum loss", "test")
    bounded = [row for row in rows if row["budget"].isdecimal()]
    within = [row for row in bounded if int(row["budget"]) <= losses.units["isight"]]
    facts.put(
        frontier__isight=within[-1]["test"],
        frontier__least=rows[-1]["test"],
    )
    facts.put_table(
        "frontier.least",
        ("largest mental cost", "smallest loss found", "loss in the test games"),
        [(row["budget"], row["minimum loss"], row["test"]) for row in rows],
    )


def _chances(results: Results, facts: Facts) -> None:
    """Add the errors of the win probabilities that some formulas estimate."""
    judged = [
        row
        for row in results.rows("formulas/scores.parquet")
        if row["chance_rms"] is not None
    ]
    judged.sort(key=lambda row: row["chance_rms"])
    facts.put(
        chances__best=judged[0]["formula"],
        chances__best_rms=percent(judged[0]["chance_rms"], 1),
        chances__count=len(judged),
    )
    facts.put_table(
        "rules.chances",
        ("formula", "mean error", "rms error"),
        [
            (
                row["formula"],
                percent(row["chance_absolute"], 2),
                percent(row["chance_rms"], 2),
            )
            for row in judged
        ],
    )


def _boards(results: Results, losses: Losses, facts: Facts) -> None:
    """Add worked examples, in which the best formula is applied to rolled-out races."""
    played = sorted(results.outcomes("full-races"), key=lambda row: int(row["roller_pips"]))
    best = formulas.get(losses.best)
    for place, row in enumerate(played[:WORKED], 1):
        name = f"board.{'ab'[place - 1]}"
        counts = [row[f"{side}_counts"] for side in ("roller", "opponent")]
        points = max(6, *(max(k for k, n in enumerate(side, 1) if n) for side in counts))
        sides = [list(side[:points]) for side in counts]
        race = Race(*(Position(tuple(side)) for side in sides))
        worked = explanation.explain(best, race)
        facts.put_table(
            f"{name}.steps",
            ("step", "arithmetic"),
            [(step.words, step.arithmetic) for step in worked.steps],
            words=2,
        )
        verdict = worked.verdict
        said = (
            f"{'double' if verdict.double else 'no double'}, "
            f"{'redouble' if verdict.redouble else 'no redouble'}, "
            f"{'take' if verdict.take else 'pass'}"
        )
        for key, value in {
            "pips": f"{row['roller_pips']} against {row['opponent_pips']} pips",
            "said": said,
            "right": row["double_action"],
            "right_owned": row["redouble_action"],
            "no_double": plus_minus(row["no_double"], row["no_double_error"], 5),
            "double_take": plus_minus(row["double_take"], row["double_take_error"], 5),
            "games": f"{row['games']:,}",
        }.items():
            facts.values[f"{name}.{key}"] = value
        facts.tables[f"{name}.sides"] = {
            "roller": sides[0],
            "opponent": sides[1],
        }
