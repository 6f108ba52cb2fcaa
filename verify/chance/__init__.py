"""Statistical checks of dice and of confidence intervals, for the trials."""
