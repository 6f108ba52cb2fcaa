"""Other methods for comparison: plain Python, numpy and other programs."""
