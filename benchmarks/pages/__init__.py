"""Modules that each measure one subject, such as rollouts, and write a page of results."""

from benchmarks.pages import library, rollouts, search, serve

PAGES = {
    module.__name__.rpartition(".")[2]: module
    for module in (rollouts, search, library, serve)
}
"""Modules that write pages of results. Each has a `PATH` in results/ and a function `page`,
which measures and returns the page."""
