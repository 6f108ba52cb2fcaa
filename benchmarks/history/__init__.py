"""Records of measurements, their page, and a check for slower benchmarks."""
