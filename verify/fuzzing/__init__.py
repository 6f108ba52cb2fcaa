"""Fuzzing of the program's parsers: random inputs, and checks of the answers."""
