"""All benchmarks of the suite, in the order of their page."""

from benchmarks.suite import commands, exports, formulas, play, runs, tables, waits

SUITE = {
    benchmark.name: benchmark
    for module in (tables, exports, play, runs, formulas, commands, waits)
    for benchmark in module.BENCHMARKS
}
