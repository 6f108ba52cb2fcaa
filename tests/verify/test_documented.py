"""Counts in docs/reliability.md are those of the pages that it links to."""

import re

import pytest

from verify import ROOT

BULLETS = [
    bullet
    for bullet in re.split(
        r"\n(?=- )|\n\n", (ROOT / "docs/reliability.md").read_text("utf-8")
    )
    if bullet.startswith("- [`")
]


def counts(bullet: str) -> list[str]:
    """Return the numbers of three digits and more that stand behind a link."""
    return re.findall(r"(?<![\w.])\d[\d,]*\d\d(?![\w.])", re.sub(r"\(.*?\)", "", bullet))


@pytest.mark.parametrize("bullet", BULLETS)
def test_a_count_is_that_of_its_page(bullet: str) -> None:
    pages = re.findall(r"\((\.\./results/reliability/[\w-]+\.md)\)", bullet)
    texts = [(ROOT / "docs" / page).read_text("utf-8") for page in pages]
    assert texts
    for count in counts(bullet):
        assert any(re.search(rf"(?<![\d,]){count}(?![\d,])", text) for text in texts), count


def test_some_counts_are_documented() -> None:
    assert sum(len(counts(bullet)) for bullet in BULLETS) >= 8
