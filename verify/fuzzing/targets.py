"""All that is fuzzed, by name."""

from verify.fuzzing import cli, matches, pairs, positions, yaml

TARGETS = {
    target.name: target
    for module in (positions, yaml, pairs, matches, cli)
    for target in module.TARGETS
}
