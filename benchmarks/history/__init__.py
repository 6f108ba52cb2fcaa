"""Records of what was measured, their page, and what has become slower since."""
