"""Input for the fuzzer: targets, drawn and mutated inputs, and rules for answers."""
