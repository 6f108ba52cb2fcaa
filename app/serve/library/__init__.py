"""The library on the page: matches, decisions, saved positions and progress.

They are there for the one player at this machine, as the trainer is; an example is there
for everybody.
"""
