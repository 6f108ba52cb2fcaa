"""HTTP API of the library: matches, decisions, saved positions and progress.

The routes exist only on a server that other machines cannot reach, except for those of the
example library, which every server has.
"""
