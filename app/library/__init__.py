"""One's own games, kept: matches, decisions, positions and notes, in one SQLite file.

`library` keeps and finds, `searching` says what is searched for, `exporting` writes what
was found, `questions` asks one's own mistakes again.
"""
