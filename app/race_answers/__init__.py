"""Answers about one race or a file of races, as text and as JSON."""
