"""Fits that make what is shipped: nets, the bear-in model, the drills of the page."""
