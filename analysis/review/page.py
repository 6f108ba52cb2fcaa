"""Web page of reviewed decisions: a self-contained HTML file."""

from collections.abc import Sequence
from html import escape

from bearoff.analysis.review.cards import choice_rows, table_of
from bearoff.analysis.review.decision import LENGTHS, UNIT, Decision
from bearoff.analysis.review.estimates import RATING
from bearoff.analysis.review.sums import Total, totals
from bearoff.analysis.review.svg import STYLE as BOARD_STYLE, position_svg, sides_of

MOST_SHOWN = 200
"""Maximum number of mistakes shown on the page of a review. The costliest mistakes are
shown; the tables include all."""

_STYLE = """\
:root{color-scheme:light dark;--paper:#fff;--text:#1d1d1b;--soft:#6b675e;--line:#ddd8cc;
--accent:#9c2f2f}
@media screen and (prefers-color-scheme:dark){:root{--paper:#191815;--text:#eceadf;
--soft:#a5a091;--line:#3a382f;--accent:#f0938c}.board{--ink:#eceadf;--ground:#2a2822;--odd:#4a4639;
--even:#38352c;--frame:#8f8977;--dark:#111}}
body{margin:0 auto;max-width:60rem;padding:1rem;background:var(--paper);color:var(--text);
font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
table{border-collapse:collapse;margin:.5rem 0}
th,td{padding:.2rem .7rem;border-bottom:1px solid var(--line);text-align:right}
th:first-child,td:first-child{text-align:left}thead th{color:var(--soft);font-weight:500}
article{display:grid;grid-template-columns:minmax(14rem,22rem) 1fr;gap:0 1.5rem;
padding:1rem 0;border-bottom:1px solid var(--line);break-inside:avoid}
article h3{margin:0;font-size:1rem}.cost{color:var(--accent);font-weight:600}
.soft{color:var(--soft);font-size:.9rem}code{font-size:.8rem;overflow-wrap:anywhere}
table,li{break-inside:avoid}h2{break-after:avoid}
@media(max-width:40rem){article{grid-template-columns:1fr}table{font-size:.75rem}
th,td{padding:.2rem}body{padding:.6rem}}
@media print{body{max-width:none;padding:0;font-size:11pt}}
"""


def review_page(decisions: Sequence[Decision], problems: Sequence[str], title: str) -> str:
    """Return an HTML page of reviewed decisions.

    Parameters
    ----------
    decisions : sequence of Decision
    problems : sequence of str
        Error messages on parts of the input that could not be read.
    title : str
        Title of the page.

    Returns
    -------
    str
        HTML with totals by player, kind of decision and race length, and the costliest
        mistakes with their boards. If all decisions are judged, it also has each player's
        performance rating (PR).
    """
    mistakes = sorted(
        (one for one in decisions if one.is_mistake), key=lambda one: -one.cost
    )
    made = [one for one in decisions if one.decided]
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width,initial-scale=1'>",
        f"<title>{escape(title)}</title><style>{_STYLE}{BOARD_STYLE}</style>",
        f"<h1>{escape(title)}</h1>",
    ]
    if problems:
        rows = "".join(f"<li>{escape(problem)}</li>" for problem in problems)
        parts.append(f"<p>Files and positions that could not be read:</p><ul>{rows}</ul>")
    races = [one for one in made if one.in_race]
    for name, key in (
        ("By player", lambda one: (one.player,)),
        ("By kind of decision", lambda one: (one.player, one.kind)),
        ("By length of the race", lambda one: (one.player, one.length)),
    ):
        parts.append(f"<h2>{name}</h2>{_table(sorted(totals(races, key), key=_order))}")
    if len(races) < len(made):
        parts.append(f"<h2>All decisions, most of them estimates</h2>{_whole(made)}")
    parts.append(f"<h2>Mistakes</h2>{_shown(mistakes)}")
    parts += [_article(one) for one in mistakes[:MOST_SHOWN]]
    return "\n".join(parts) + "\n"


def _shown(mistakes: Sequence[Decision]) -> str:
    if not mistakes:
        return "<p>None: no decision cost more than its error.</p>"
    if len(mistakes) > MOST_SHOWN:
        return f"<p>The {MOST_SHOWN} costliest of {len(mistakes):,}.</p>"
    return ""


def _order(total: Total) -> tuple[object, ...]:
    lengths = [name for _, name in LENGTHS]
    return tuple(lengths.index(one) if one in lengths else one for one in total.name)


def _table(rows: Sequence[Total]) -> str:
    head = (
        "",
        "decisions",
        "mistakes",
        f"lost, {UNIT}",
        "a decision",
        "formula wrong",
    )
    lines = [f"<tr>{''.join(f'<th>{name}</th>' for name in head)}</tr>"]
    body = [
        "<tr>"
        f"<td>{escape(', '.join(row.name))}</td><td>{row.decisions:,}</td>"
        f"<td>{row.mistakes:,}</td><td>{row.lost:.4f}</td>"
        f"<td>{row.lost / row.decisions:.4f}</td><td>{_differs(row)}</td></tr>"
        for row in rows
    ]
    return f"<table><thead>{lines[0]}</thead><tbody>{''.join(body)}</tbody></table>"


def _whole(made: Sequence[Decision]) -> str:
    """Return totals and performance ratings of the players over all decisions, as HTML."""
    head = ("", "decisions", "mistakes", f"lost, {UNIT}", "count for the PR", "PR")
    body = []
    for total in sorted(totals(made, lambda one: (one.player,)), key=_order):
        rating = "" if total.rating is None else f"{total.rating:.1f}"
        cells = (
            f"{total.decisions:,}",
            f"{total.mistakes:,}",
            f"{total.lost:.4f}",
            f"{total.counted:,}",
            rating,
        )
        row = "".join(f"<td>{cell}</td>" for cell in (escape(total.name[0]), *cells))
        body.append(f"<tr>{row}</tr>")
    return (
        f"<table><thead><tr>{''.join(f'<th>{name}</th>' for name in head)}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table><p class='soft'>{escape(RATING)}</p>"
    )


def _differs(row: Total) -> str:
    return "" if row.formula_differs is None else f"{row.formula_differs:,}"


_WHOSE = {"take": "; the player on roll doubled, and the equities are this player's"}
"""Text added to the description of a decision, by kind of decision. On a take, the opponent
of the player on roll decides."""


LOOKED = ("by the net without a search", "one roll ahead", "two rolls ahead")
"""Descriptions of a search on the page, by the number of rolls searched ahead."""


def _how(one: Decision) -> str:
    if one.in_race:
        return f"{one.method}, error {one.error:.5f}"
    return f"an estimate, {LOOKED[one.depth]}; error {one.error:.{one.digits}f}"


def _article(one: Decision) -> str:
    position = one.position
    roller, opponent = sides_of(position)
    score = f", {position.score}" if position.score is not None else ""
    formula = f"<p>The formula says {escape(one.formula)}.</p>" if one.formula else ""
    if one.file is not None:
        formula += (
            f"<p>{escape(one.file.program)}, {escape(one.file.level)}: "
            f"{escape(one.file.best)}, {one.file.equity:+.4f}.</p>"
        )
    if one.comment:
        formula += f"<p>{escape(one.comment)}</p>"
    return (
        f"<article><div>{position_svg(position)}</div><div><h3>{escape(one.player)}: "
        f"{escape(one.done)} <span class='cost'>&minus;{one.cost:.{one.digits}f} {UNIT}"
        f"</span></h3><p class='soft'>{escape(one.source)}, game {one.game}, line "
        f"{one.line}{escape(score)}; {roller.pips} pips on roll against "
        f"{opponent.pips}{_WHOSE.get(one.kind, '')}</p>"
        f"<p>Right: <strong>{escape(one.best)}</strong> "
        f"<span class='soft'>({_how(one)})</span></p>"
        f"{table_of(choice_rows(one), head=UNIT)}{formula}"
        f"<code>{escape(position.xgid)}</code></div>"
        "</article>"
    )
