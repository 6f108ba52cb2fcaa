"""Configurations of simulations that are shipped with the program."""
