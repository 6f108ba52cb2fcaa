"""Training of data that the package ships: networks, the bear-in model, and drills."""
