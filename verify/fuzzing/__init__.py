"""What the fuzzer puts in: targets, drawn and mutated inputs, what answers must obey."""
