"""Inputs for fuzzing: targets, random and mutated inputs, and rules for valid answers."""
