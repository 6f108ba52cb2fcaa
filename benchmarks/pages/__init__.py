"""Pages of results that a benchmark writes whole: speeds, and what they depend on."""

from benchmarks.pages import library, rollouts, search, serve

PAGES = {
    module.__name__.rpartition(".")[2]: module
    for module in (rollouts, search, library, serve)
}
"""Each with its `PATH` in results/, and `page`, which measures and returns it."""
