"""Inputs of the fuzzer: targets, random and mutated inputs, and rules for the answers."""
