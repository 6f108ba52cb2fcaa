"""Review of matches and lists of positions on the page, decision by decision."""
