"""Recorded measurements, the page that shows them, and a check for slower benchmarks."""
