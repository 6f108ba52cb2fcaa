"""All benchmarks of the suite, in the order they are told in."""

from benchmarks import (
    suite_commands,
    suite_formulas,
    suite_play,
    suite_runs,
    suite_tables,
)

SUITE = {
    benchmark.name: benchmark
    for module in (suite_tables, suite_play, suite_runs, suite_formulas, suite_commands)
    for benchmark in module.BENCHMARKS
}
