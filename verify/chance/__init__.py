"""Statistics of dice and of intervals: the battery, sources of throws, streams, truths."""
