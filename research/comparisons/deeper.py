"""Gain by a search two rolls ahead instead of one, in close decisions before the race.

Decisions of the public matches are estimated by searches one and two rolls ahead. Losses
and errors are computed from eXtreme Gammon's analysis in the files.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from bearoff.analysis.output import markdown_table
from bearoff.analysis.review import Decision, Estimates
from bearoff.analysis.review.judging import estimated
from bearoff.game.records import match_decisions
from research.comparisons.pages import page_parser, write_page
from research.comparisons.whole_matches import by_file
from research.public_matches import analysed

DEPTHS = (1, 2)


@dataclass
class Found:
    """Costs, estimation errors and processor seconds of searches to one depth."""

    lost: list[float] = field(default_factory=list)
    off: list[float] = field(default_factory=list)
    seconds: float = 0.0


def loss(one: Decision, file: Decision) -> float | None:
    """Return the match file's cost of the program's choice; None if the file has none."""
    costs = dict(zip(file.choices, map(file.cost_of, file.choices), strict=True))
    return costs.get(one.choices[0] if one.kind == "play" else one.right_choice)


def measured(every: int) -> dict[tuple[str, int], Found]:
    """Measure searches of checker plays and cube decisions at both depths."""
    found = {(kind, depth): Found() for kind in ("play", "cube") for depth in DEPTHS}
    sources = dict(zip(DEPTHS, (Estimates(), Estimates(deep=True)), strict=True))
    for match in analysed():
        for recorded in match_decisions(match)[0][::every]:
            if recorded.in_race:
                continue
            judged, seconds = {}, {}
            for depth, estimates in sources.items():
                begun = time.process_time()
                judged[depth] = estimated(match, recorded, estimates, 1)
                seconds[depth] = time.process_time() - begun
            file = by_file(judged[1]) if judged[1].decided else None
            if file is None or judged[2].depth < max(DEPTHS):
                continue
            bare = {depth: replace(one, decided="") for depth, one in judged.items()}
            lost = {depth: loss(one, file) for depth, one in bare.items()}
            if None in lost.values():
                continue
            for depth, one in judged.items():
                kept = found["play" if one.kind == "play" else "cube", depth]
                kept.lost.append(lost[depth] or 0.0)
                kept.off.append(one.cost - file.cost)
                kept.seconds += seconds[depth]
    return found


def page(found: dict[tuple[str, int], Found], every: int) -> str:
    """Return the comparison of search depths as a Markdown page."""
    rows = []
    for name, kind in (("plays", "play"), ("cube decisions", "cube")):
        for depth in DEPTHS:
            one = found[kind, depth]
            lost, off = (1000 * np.array(values) for values in (one.lost, one.off))
            error = lost.std(ddof=1) / len(lost) ** 0.5
            rows.append(
                [
                    *(f"{name}, {depth} roll{'s' * (depth > 1)} ahead", f"{len(lost):,}"),
                    f"{lost.mean():.1f} ± {error:.1f}",
                    f"{np.sqrt((off**2).mean()):.1f}",
                    f"{one.seconds / len(lost):.2f} s",
                ]
            )
        gain = 1000 * (np.array(found[kind, 1].lost) - np.array(found[kind, 2].lost))
        error = gain.std(ddof=1) / len(gain) ** 0.5
        rows.append([f"*gain, {name}*", "", f"{gain.mean():.1f} ± {error:.1f}", "", ""])
    head = [
        "decisions",
        "number",
        "mean loss of the choices of the search",
        "rms error of costs",
        "processor time per decision",
    ]
    part = "all close decisions" if every == 1 else f"one in {every} close decisions"
    return f"""# Gain from searching a second roll ahead

`bearoff review --deep` searches close decisions before the race two rolls ahead instead of
one. `python -m research.comparisons.deeper{"" if every == 1 else f" --every {every}"}`
measures how much equity this saves in {part} of the 13 public matches in [the
tests](../../tests/data/README.md). A decision on a checker play is close if another play is
at most 0.03 EMG worse than the best play. A cube decision is close if its two choices
differ by at most 0.2 EMG. Losses and errors are computed from eXtreme Gammon's analysis in
the match files, in thousandths of an EMG.

{markdown_table(head, rows)}
"""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = page_parser(__doc__, Path("results/agreement/deeper.md"))
    parser.add_argument("--every", type=int, default=1, help="Use every N-th decision.")
    options = parser.parse_args(arguments)
    write_page(page(measured(options.every), options.every), options.write)


if __name__ == "__main__":
    main()
