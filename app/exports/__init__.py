"""Export of tables for other programs: rows of pairs, and GNU Backgammon's files."""
