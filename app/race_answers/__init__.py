"""Answers to questions about races as text and JSON, for one race or a file."""
