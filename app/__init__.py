"""The doors: the command line `bearoff`. Thin: parse, call one function, show."""
