"""Games of backgammon at the terminal, and over a socket."""
