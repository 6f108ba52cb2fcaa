"""Code that several trials share."""
