"""Library of the user's reviewed matches, positions and notes, in one SQLite file.

`library` stores and finds, in a file of `sealed`, which the trainer uses too; `searching`
has the search conditions, `exporting` writes files, `questions` turns the user's mistakes
into questions.
"""
