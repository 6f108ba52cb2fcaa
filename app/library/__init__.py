"""Library of the user's reviewed matches, positions and notes, in one SQLite file.

`library` stores and finds decisions in one file of `sealed`, the format that the trainer
uses too. `searching` builds search conditions, `exporting` writes files, and `questions`
turns the user's mistakes into questions.
"""
