"""After a game: it is gone through, and its mistakes are taken along."""
