"""Random damage to stored files, and the functions that must notice the damage."""
