"""Methods to which the program is compared: plain Python, numpy and other programs."""
