"""All that is fuzzed, by name."""

from tests.reliability import fuzz_cli, fuzz_pairs, fuzz_positions, fuzz_yaml

TARGETS = {
    target.name: target
    for module in (fuzz_positions, fuzz_yaml, fuzz_pairs, fuzz_cli)
    for target in module.TARGETS
}
