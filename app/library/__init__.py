"""Library of the user's reviewed matches, positions and notes, in one SQLite file.

`library` stores and finds decisions. Its file is a `sealed` SQLite file, like that of the
trainer. `searching` builds search conditions, `exporting` writes files, and `questions`
turns the user's mistakes into questions for the trainer.
"""
