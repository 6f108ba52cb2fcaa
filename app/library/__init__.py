"""One's own games, kept: matches, decisions, positions and notes, in one SQLite file.

`library` keeps and finds, in a `sealed` file as the trainer's answers are in, too;
`searching` says what is searched for, `exporting` writes what was found, `questions` asks
one's own mistakes again.
"""
