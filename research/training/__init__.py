"""Training of data in the package: networks, bear-in model, and drill decisions."""
