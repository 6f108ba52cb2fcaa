"""Statistics of dice and of confidence intervals."""
