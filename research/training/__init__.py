"""Training of shipped data: neural networks, the bear-in model, the page's drills."""
