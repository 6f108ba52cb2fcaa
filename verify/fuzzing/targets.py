"""All that is fuzzed, by name."""

from verify.fuzzing import cli, pairs, positions, yaml

TARGETS = {
    target.name: target
    for module in (positions, yaml, pairs, cli)
    for target in module.TARGETS
}
