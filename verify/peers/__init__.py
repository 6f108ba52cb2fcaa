"""Others to compare with: GNU Backgammon, and plain ways to do the same."""
