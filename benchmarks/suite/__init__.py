"""All speed benchmarks, in the order in which they are measured."""

from benchmarks.suite import commands, formulas, play, runs, tables, waits

SUITE = {
    benchmark.name: benchmark
    for module in (tables, play, runs, formulas, commands, waits)
    for benchmark in module.BENCHMARKS
}
