"""Route of the glossary, which is parsed from the documentation."""

import re
from functools import cache
from pathlib import Path

from pydantic import BaseModel

from bearoff.app.serve.json_route import new_router

SOURCE = Path(__file__).parents[1] / "glossary.md"
"""Markdown file of the glossary."""

_WORD = re.compile(
    r"\*\*(?P<name>[^*]+)\*\*(?P<more>[^:*]*): (?P<text>.*?)(?=\s*\*\*[^*]+\*\*[^:*]*: |$)"
)


class TermOut(BaseModel):
    """Term of the glossary with its definition."""

    id: str
    """Identifier for links: the first word of the name, in lower case."""
    name: str
    text: str


class GlossaryOut(BaseModel):
    """All terms of the glossary."""

    terms: list[TermOut]


router = new_router()


@router.get("/glossary")
async def glossary() -> GlossaryOut:
    """Return the definitions of the terms used in answers."""
    return GlossaryOut(terms=_terms())


@cache
def _terms() -> list[TermOut]:
    return terms_of(SOURCE.read_text(encoding="utf-8"))


def terms_of(page: str) -> list[TermOut]:
    r"""Return the terms that a list in a Markdown page defines.

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
