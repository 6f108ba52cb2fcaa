"""Pages of results that a benchmark writes as a whole: speeds, and what they depend on."""

from benchmarks.pages import library, rollouts, search, serve

PAGES = {
    module.__name__.rpartition(".")[2]: module
    for module in (rollouts, search, library, serve)
}
"""Modules that write pages. Each has a `PATH` in results/ and a function `page`, which
measures and returns the page."""
