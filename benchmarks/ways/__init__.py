"""Other ways to do the same: peers, plain Python and numpy, and how each is timed."""
