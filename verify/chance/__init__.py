"""Statistics of dice and of intervals: streams, truths, pools of games."""
