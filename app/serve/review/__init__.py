"""Review on the page: matches and lists of positions, judged decision by decision."""
