"""The glossary of the documentation, word by word, for the page."""

import re
from functools import cache
from pathlib import Path

from pydantic import BaseModel

from bearoff.app.serve.json_route import new_router

SOURCE = Path(__file__).parents[1] / "glossary.md"
"""In a clone a link to the documentation's page, so that there is one text."""

_WORD = re.compile(
    r"\*\*(?P<name>[^*]+)\*\*(?P<more>[^:*]*): (?P<text>.*?)(?=\s*\*\*[^*]+\*\*[^:*]*: |$)"
)


class TermOut(BaseModel):
    """A word of the field, and what it means."""

    id: str
    """The first word of its name in lower case, by which the page links to it."""
    name: str
    text: str


class GlossaryOut(BaseModel):
    """All words, in the order of the documentation."""

    terms: list[TermOut]


router = new_router()


@router.get("/glossary")
async def glossary() -> GlossaryOut:
    """What the words mean that answers are told in."""
    return GlossaryOut(terms=_terms())


@cache
def _terms() -> list[TermOut]:
    return terms_of(SOURCE.read_text(encoding="utf-8"))


def terms_of(page: str) -> list[TermOut]:
    r"""Return the words that a page of Markdown explains in its list.

    Examples
    --------
    >>> words = terms_of("# Words\n\n- **EPC**, in\n  full: *rolls*. **Pip**: a point.")
    >>> [(word.id, word.name, word.text) for word in words]
    [('epc', 'EPC, in full', 'rolls.'), ('pip', 'Pip', 'a point.')]
    """
    items = re.split(r"^- ", page, flags=re.MULTILINE)[1:]
    found = (one for item in items for one in _WORD.finditer(" ".join(item.split())))
    return [
        TermOut(
            id=re.split(r"\W", one["name"].lower(), maxsplit=1)[0],
            name=one["name"] + one["more"],
            text=re.sub(r"\*([^*]+)\*", r"\1", one["text"]),
        )
        for one in found
    ]
