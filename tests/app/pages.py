"""Markdown pages of the documentation: their code blocks, commands and links."""

import re

from bearoff.app.serve.application import create_app
from tests.app.conftest import ROOT, ran

SHOWN = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
"""Paths of the documentation pages whose examples are run."""

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

_COMMAND = re.compile(r"^ {4}((?:bearoff|make|python -m) .+)$", re.MULTILINE)

_LINE = re.compile(r"^(?:bearoff|make|python -m) .+$", re.MULTILINE)

_INLINE = re.compile(r"`((?:bearoff|make|python -m)\s[^`]+)`")


def json_keys():
    """Return the names of all documented JSON keys."""
    schemas = create_app().openapi()["components"]["schemas"].values()
    costs = ROOT / "results" / "formulas" / "mental-costs.md"
    pages = (ROOT / "docs" / "commands.md", ROOT / "docs" / "files.md", costs)
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    described = (schema.get("properties", {}) for schema in schemas)
    return set(re.findall(r"`(\w+)`", text)).union(*described)


def every_page():
    """Return the paths of all Markdown files in the repository."""
    listed = ran("git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md")
    if listed.code == 0:
        pages = (ROOT / name for name in listed.out.splitlines())
        return [page for page in pages if page.exists()]
    return [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("results/**/*.md")]


def name_of(page):
    """Return the path of a documentation page, relative to the repository."""
    return page.relative_to(ROOT).as_posix()


def anchors(page):
    """Return the link targets of the headings of a documentation page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def blocks(page, kind):
    """Return the fenced code blocks of one language on a documentation page."""
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [block for language, block in found if language == kind]


def transcripts(page):
    """Return the commands in the ``console`` blocks of a page, with their output."""
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            yield command, shown


def commands(page):
    """Return all commands that a documentation page shows."""
    text = page.read_text(encoding="utf-8")
    named = [*_COMMAND.findall(text), *_INLINE.findall(text)]
    named += [line for block in blocks(page, "sh") for line in _LINE.findall(block)]
    return [*(command for command, _ in transcripts(page)), *named]
