"""Games of backgammon in the terminal, and over a socket."""
