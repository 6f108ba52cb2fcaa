"""All fuzz targets, by name."""

from verify.fuzzing import cli, matches, pairs, parquet, positions, states, yaml

TARGETS = {
    target.name: target
    for module in (positions, states, yaml, pairs, parquet, matches, cli)
    for target in module.TARGETS
}
