"""Export tables for other programs: pairs as rows, and GNU Backgammon's files."""
