"""Export of tables for other programs: rows of position pairs, or GNU Backgammon files."""
