"""Training of the sieve, a small network that preselects plays for the large network."""

import numpy as np
from numpy.typing import NDArray

from research.training.bear_in_kernels import add_gradients, step
from research.training.looking_kernels import FEATURES, UNITS, Sieve

RATE = 5e-3
BATCH = 512
PASSES = 5


def fit_sieve(
    features: NDArray[np.int16], values: NDArray[np.float32], rng: np.random.Generator
) -> Sieve:
    """Train a sieve on the equities of plays."""
    sieve = Sieve(
        rng.normal(0.0, 0.05, (FEATURES, UNITS)).astype(np.float32),
        np.zeros(FEATURES, np.float32),
        rng.normal(0.0, 0.3, (1, UNITS)).astype(np.float32),
    )
    sieve.rows[0] += np.float32(0.5)
    given = features, np.zeros(len(values), np.int64), values
    steps = tuple(np.zeros_like(array) for array in sieve)
    moments = [(np.zeros(a.size, np.float32), np.zeros(a.size, np.float32)) for a in sieve]
    batches, squares = len(values) // BATCH, np.zeros(1)
    for done in range(PASSES * batches):
        if done % batches == 0:
            order, squares[0] = rng.permutation(len(values)), 0.0
        chosen = order[done % batches :: batches]
        add_gradients(given, chosen, tuple(sieve), steps, squares)
        rate = RATE * (0.5 + 0.5 * np.cos(np.pi * done / (PASSES * batches)))
        for array, gradient, moment in zip(sieve, steps, moments, strict=True):
            flat = array.reshape(-1), gradient.reshape(-1)
            step(*flat, *moment, rate, len(chosen), done + 1)
    return sieve
