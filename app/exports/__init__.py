"""Tables as files for other programs: chosen pairs in columns, and GNU Backgammon's."""
