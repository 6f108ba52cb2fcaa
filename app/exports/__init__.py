"""Export of tables as files: rows of pairs of positions, or GNU Backgammon files."""
