"""HTML tables that notebooks show for equities, bear-off tables and self-play runs."""

from collections.abc import Iterable, Mapping
from html import escape


def facts(cells: Mapping[str, object]) -> str:
    """Return an HTML table with a row for the name and the value of each entry.

    Examples
    --------
    >>> facts({"points": 6})
    '<table><tr><th>points</th><td>6</td></tr></table>'
    """
    rows = (
        f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>"
        for name, value in cells.items()
    )
    return f"<table>{''.join(rows)}</table>"


def rows(head: Iterable[str], body: Iterable[Iterable[str]]) -> str:
    """Return an HTML table with a row of headings above rows of cells.

    Examples
    --------
    >>> rows(["equity"], [["+0.5"]])
    '<table><tr><th>equity</th></tr><tr><td>+0.5</td></tr></table>'
    """
    lines = [("th", head), *(("td", line) for line in body)]
    shown = (
        "".join(f"<{kind}>{escape(cell)}</{kind}>" for cell in line) for kind, line in lines
    )
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in shown)}</table>"
