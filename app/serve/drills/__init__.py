"""The trainer's questions, marked and explained.

`sample` holds decisions that were really met, `draw` makes it; each other module has
drills, and `kinds` knows them all by name. Nothing here remembers anything.
"""
