"""Compiled kernels that train the bear-in model; see `research.training.bear_in`.

The model is trained in floating point; the result is rounded to integers once, at the end.
"""

import numpy as np

from bearoff.runtime import njit


@njit(cache=True, nogil=True, fastmath=True)
def add_gradients(examples, chosen, net, into, squares):
    """Add up the gradients of half the squared error over a batch of examples.

    `examples` contains the indices of each example's features (-1 for none), its group of
    weights, and its target. `net` contains the arrays `rows`, `lines` and `weights` of the
    model. The gradients of these arrays are added to the arrays in `into`, and the squared
    errors to ``squares[0]``.
    """
    features, groups, targets = examples
    rows, lines, weights = net
    row_steps, line_steps, weight_steps = into
    hidden = weights.shape[1]
    sums = np.empty(hidden, dtype=np.float32)
    back = np.empty(hidden, dtype=np.float32)
    for example in chosen:
        group = groups[example]
        value = np.float32(0)
        for h in range(hidden):
            sums[h] = 0
        for k in range(features.shape[1]):
            feature = features[example, k]
            if feature < 0:
                continue
            value += lines[feature]
            for h in range(hidden):
                sums[h] += rows[feature, h]
        for h in range(hidden):
            value += weights[group, h] * min(max(sums[h], np.float32(0)), np.float32(1))
        error = value - targets[example]
        squares[0] += error * error
        for h in range(hidden):
            clipped = min(max(sums[h], np.float32(0)), np.float32(1))
            weight_steps[group, h] += error * clipped
            bent = sums[h] > 0 and sums[h] < 1
            back[h] = error * weights[group, h] if bent else np.float32(0)
        for k in range(features.shape[1]):
            feature = features[example, k]
            if feature < 0:
                continue
            line_steps[feature] += error
            for h in range(hidden):
                row_steps[feature, h] += back[h]


@njit(cache=True, nogil=True, fastmath=True)
def step(values, gradients, first, second, rate, examples, time):
    """Make one step of Adam (Kingma and Ba, 2015), and set the summed gradients to zero."""
    fade, fade_2 = np.float32(0.9), np.float32(0.999)
    grown = np.float32(1 / (1 - 0.9**time))
    grown_2 = np.float32(1 / (1 - 0.999**time))
    rate, share = np.float32(rate), np.float32(1 / examples)
    for i in range(values.size):
        gradient = gradients[i] * share
        first[i] = fade * first[i] + (1 - fade) * gradient
        second[i] = fade_2 * second[i] + (1 - fade_2) * gradient * gradient
        values[i] -= rate * first[i] * grown / (np.sqrt(second[i] * grown_2) + 1e-8)
        gradients[i] = 0
