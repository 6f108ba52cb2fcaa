"""Training of the network on batches of boards with known outcome probabilities."""

import sys

import numpy as np
from numpy.typing import NDArray

from bearoff.game.evaluation.feature_kernels import INPUTS
from bearoff.game.evaluation.net_kernels import OUTPUTS, Weights
from research.training import looking_kernels as kernels

Float32Array = NDArray[np.float32]

BATCH = 512


def widened(weights: Weights, units: int, second: int, rng: np.random.Generator) -> Weights:
    """Return a network with more units, which have no effect on the outputs at first."""
    there, inputs = len(weights.hidden_bias), len(weights.hidden)
    more = max(units - there, 0)
    further = max(second - len(weights.second_bias), 0)
    spread = (there + more) ** -0.5
    hidden = rng.normal(0.0, 0.1, (inputs, more))
    sums = np.hstack([weights.second, np.zeros((len(weights.second), more))])
    fresh = rng.normal(0.0, spread, (further, there + more))
    found = Weights(
        np.hstack([weights.hidden, hidden]),
        np.append(weights.hidden_bias, np.zeros(more)),
        np.vstack([sums, fresh]),
        np.append(weights.second_bias, np.zeros(further)),
        np.hstack([weights.out, np.zeros((OUTPUTS, more))]),
        np.hstack([weights.second_out, np.zeros((OUTPUTS, further))]),
        weights.out_bias,
    )
    return Weights(*(array.astype(np.float32) for array in found))


def features(boards: NDArray[np.int8]) -> Float32Array:
    """Return the network inputs that describe boards."""
    found = np.empty((len(boards), INPUTS), np.float32)
    kernels.features(boards, found)
    return found


def said(
    weights: Weights, x: Float32Array
) -> tuple[Float32Array, Float32Array, Float32Array]:
    """Return the values of both hidden layers and the outcome probabilities."""
    units = np.maximum(x @ weights.hidden + weights.hidden_bias, np.float32(0))
    second = np.maximum(units @ weights.second.T + weights.second_bias, np.float32(0))
    sums = units @ weights.out.T + second @ weights.second_out.T + weights.out_bias
    # The exponential of a number above 88 exceeds float32.
    return units, second, 1 / (1 + np.exp(-np.maximum(sums, np.float32(-80))))


POINTS = np.array([2, 1, 1, -1, -1], np.float32)
"""Points that each outcome (win, gammons and backgammons won or lost) adds to the result.
"""


def gradients(weights: Weights, x: Float32Array, goal: Float32Array) -> Weights:
    """Return the gradients of the mean cross entropy over a batch."""
    units, second, found = said(weights, x)
    error = (found - goal) / np.float32(len(x))
    inner = (error @ weights.second_out) * (second > 0)
    back = (error @ weights.out + inner @ weights.second) * (units > 0)
    return Weights(
        x.T @ back,
        back.sum(axis=0),
        inner.T @ units,
        inner.sum(axis=0),
        error.T @ units,
        error.T @ second,
        error.sum(axis=0),
    )


def fit(
    weights: Weights,
    boards: NDArray[np.int8],
    goal: Float32Array,
    passes: int,
    rate: float,
    rng: np.random.Generator,
) -> Weights:
    """Train a network with Adam (Kingma and Ba, 2015); return the new weights.

    The last of every 50 positions, up to 200,000 in all, are not used for training, but for
    measuring the error.
    """
    out = len(boards) - min(len(boards) // 50, 200_000)
    kept_out = features(boards[out:])
    weights = Weights(*(array.copy() for array in weights))
    first = [np.zeros_like(array) for array in weights]
    second = [np.zeros_like(array) for array in weights]
    batches, time = out // BATCH, 0
    for done in range(passes):
        order = rng.permutation(out)
        for n in range(batches):
            chosen = order[n::batches]
            time += 1
            share = time / (passes * batches)
            step = rate * min(1.0, time / 200) * (0.5 + 0.5 * np.cos(np.pi * share))
            step *= np.sqrt(1 - 0.999**time) / (1 - 0.9**time)
            found = gradients(weights, features(boards[chosen]), goal[chosen])
            for array, gradient, one, two in zip(
                weights, found, first, second, strict=True
            ):
                one += np.float32(0.1) * (gradient - one)
                two += np.float32(0.001) * (gradient * gradient - two)
                array -= np.float32(step) * one / (np.sqrt(two) + np.float32(1e-8))
        missed = said(weights, kept_out)[2] - goal[out:]
        print(
            f"pass {done + 1}: the rms error in positions not used for training is "
            f"{np.sqrt(((missed @ POINTS) ** 2).mean()):.4f} points; mean errors of the "
            f"probabilities: {np.array2string(missed.mean(axis=0), precision=4)}",
            file=sys.stderr,
            flush=True,
        )
    return weights
