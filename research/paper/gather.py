"""Collection of all facts for the paper."""

from research.paper import exact, games, model, people, rules, scores
from research.paper.facts import Facts
from research.paper.results import Results


def gather_facts(results: Results) -> Facts:
    """Read all facts for the paper from a folder of results.

    Raises
    ------
    RunError
        If a result file is missing.
    BearoffError
        If a result file lacks a number or table that is needed.
    """
    facts = Facts()
    for part in (exact, rules, scores, games, model, people):
        part.gather(results, facts)
    return facts


def note_files(results: Results, facts: Facts) -> None:
    """Add to the facts a table of all result files that were read."""
    facts.put(read__files=len(results.read))
    facts.put_table(
        "read.files",
        ("file in results/", "SHA-256, first digits"),
        [(name, digest[:16]) for name, digest in results.read.items()],
        words=2,
    )
