"""Tables and pages in Markdown."""

from collections.abc import Iterable, Sequence


def markdown_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool = True
) -> str:
    """Return a Markdown table, by default with all columns after the first right-aligned.

    Examples
    --------
    >>> print(markdown_table(["pair", "games"], [["a", "100"]]))
    | pair | games |
    |:---|---:|
    | a | 100 |
    """
    lines = [
        "| " + " | ".join(head) + " |",
        "|" + "|".join([":---", *["---:" if numbers else ":---"] * (len(head) - 1)]) + "|",
        *("| " + " | ".join(row) + " |" for row in rows),
    ]
    return "\n".join(lines)


def markdown_page(sections: Iterable[str]) -> str:
    r"""Join sections by blank lines, omitting empty sections.

    Examples
    --------
    >>> markdown_page(["# Title", "", "A paragraph."])
    '# Title\n\nA paragraph.\n'
    """
    return "\n\n".join(filter(None, sections)) + "\n"
