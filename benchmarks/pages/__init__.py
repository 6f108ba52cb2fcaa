"""Pages of results that a benchmark writes completely: speeds and what affects them."""

from benchmarks.pages import library, rollouts, search, serve

PAGES = {
    module.__name__.rpartition(".")[2]: module
    for module in (rollouts, search, library, serve)
}
"""Modules of pages, each with a `PATH` in results/ and a function `page`, which measures
and returns the page."""
