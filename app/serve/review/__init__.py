"""API for reviewing matches and lists of positions."""
