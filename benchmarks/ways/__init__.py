"""Alternative methods: other programs, plain Python and numpy, and their timing."""
