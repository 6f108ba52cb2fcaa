"""Answers to races as text and JSON, one by one and by the file."""
