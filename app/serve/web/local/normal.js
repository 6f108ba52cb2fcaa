// Distribution of a number of rolls, as a discretised normal distribution.
// @ts-check

/**
 * Return the probabilities of 0, 1, ... rolls. The standard deviation is increased to the
 * smallest one that whole numbers with this mean can have.
 * @param {number} mean
 * @param {number} std
 */
export function normal(mean, std) {
  const over = mean % 1, wide = Math.max(std, Math.sqrt(over * (1 - over)), 0.1);
  const below = Array.from({ length: Math.trunc(mean + 6 * wide) + 2 }, (_, n) => (1 + erf((n - 0.5 - mean) / (wide * Math.SQRT2))) / 2);
  const chances = below.slice(1).map((chance, n) => chance - below[n]);
  chances[0] = 0;
  const total = chances.reduce((sum, chance) => sum + chance, 0);
  return chances.map((chance) => chance / total);
}

/** Error function, computed by a series near 0 and by a continued fraction elsewhere. */
function erf(x) {
  const z = Math.abs(x);
  if (z > 6) return Math.sign(x);
  if (z < 3) {
    let term = x, sum = x;
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
      term *= -(x * x) / n;
      sum += term / (2 * n + 1);
    }
    return (2 / Math.sqrt(Math.PI)) * sum;
  }
  let fraction = 0;
  for (let n = 60; n > 0; n--) fraction = n / 2 / (z + fraction);
  return Math.sign(x) * (1 - Math.exp(-z * z) / (Math.sqrt(Math.PI) * (z + fraction)));
}
