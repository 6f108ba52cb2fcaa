// Equities of races for money before the roll, and the decisions that follow; see
// bearoff/stakes/values.py for the rules.
// @ts-check

/** @typedef {{ jacoby: boolean, beavers: boolean, hasCube: boolean }} Terms */

const PASS = 1; // Equity of a double that is passed.
const ACTIONS = ["double", "redouble"].map((double) => [
  `no ${double}`, `too good to ${double}`, `${double}, take`, `${double}, pass`, `no ${double}, beaver`, `${double}, beaver`,
]);

/**
 * Equities of many races with the same state of the cube, with one array entry for each
 * race. `owner` is 1 if the roller owns the cube, -1 if the opponent does, and 0 if it is
 * centred.
 */
export class Values {
  /**
   * @param {Terms} terms
   * @param {number} owner
   * @param {number} count
   * @param {number} [tie] What differs by no more counts as equal.
   */
  constructor(terms, owner, count, tie = 0) {
    this.terms = terms;
    this.owner = owner;
    this.count = count;
    this.tie = tie;
    this.noDouble = new Float64Array(count);
    this.doubleTake = new Float64Array(count).fill(NaN);
    this.noDoubleError = new Float64Array(count);
    this.doubleTakeError = new Float64Array(count).fill(NaN);
    this.wins = new Float64Array(count);
    this.winsError = new Float64Array(count);
    this.playError = new Float64Array(count).fill(NaN); // Computed like `cost_error` in bearoff/stakes/values.py.
    this.gammonsWon = new Float64Array(count);
    this.gammonsLost = new Float64Array(count);
    this.mayDouble = owner >= 0 && terms.hasCube;
  }

  /** Return the decision in one race. */
  row(place) {
    const { tie, mayDouble } = this;
    const waits = this.noDouble[place], taken = this.doubleTake[place];
    const error = this.noDoubleError[place], takenError = this.doubleTakeError[place];
    if (!mayDouble) {
      return { waits, taken: null, error, waitsError: error, takenError: null, equity: waits, action: null,
        tooClose: false, doubles: false, takes: false, tooGood: false, costs: [null, null, null, null], noMatter: false, doubleTooClose: false, decisions: [] };
    }
    const beavers = this.terms.beavers && taken < -tie;
    const times = beavers ? 2 : 1;
    const doubled = Math.min(times * taken, PASS), margin = doubled - waits;
    const doubledError = taken - takenError > PASS ? 0 : times * takenError;
    const cost = (loss) => (loss > tie ? loss : 0);
    /** @type {[number, number, number, number]} */
    const costs = [cost(margin), cost(-margin), cost(taken - doubled), cost(PASS - times * taken)];
    const doubles = margin >= -tie, takes = taken <= PASS + tie, tooGood = waits > PASS + tie;
    const right = beavers ? 4 + Number(doubles) : doubles ? 3 - Number(takes) : Number(tooGood);
    const either = error + doubledError;
    const doubleTooClose = either > 0 && Math.abs(margin) <= either;
    const takeTooClose = takenError > 0 && Math.abs(taken - PASS) <= takenError;
    return {
      waits, taken, waitsError: error, takenError, costs, doubles, takes, tooGood, doubleTooClose,
      equity: Math.max(waits, doubled), error: Math.max(error - Math.max(margin, 0), doubledError + Math.min(margin, 0)),
      action: ACTIONS[this.owner > 0 ? 1 : 0][right], noMatter: Math.abs(margin) <= tie,
      tooClose: doubleTooClose || (doubles && takeTooClose), decisions: this.#decisions(taken, waits, either, takenError, costs, times, doubled),
    };
  }

  /** Return the equity and cost of each decision, and the largest error of the cost. */
  #decisions(taken, waits, either, takenError, [missed, wrong, wrongTake, wrongPass], times, doubled) {
    const double = this.owner > 0 ? "redouble" : "double", more = 2 * taken - doubled;
    const beaver = { name: "beaver", equity: 2 * taken, cost: more > this.tie ? more : 0, error: 2 * takenError };
    return [
      { name: `no ${double}`, equity: waits, cost: missed, error: either },
      { name: double, equity: doubled, cost: wrong, error: either },
      { name: "take", equity: taken, cost: wrongTake, error: takenError },
      { name: "pass", equity: PASS, cost: wrongPass, error: times * takenError },
      ...(this.terms.beavers ? [beaver] : []),
    ];
  }

  rows() {
    return Array.from({ length: this.count }, (_, place) => this.row(place));
  }
}

/**
 * Win probabilities at which the right action of the roller changes, given equities against
 * many opponents; see bearoff/sources/window.py. A limit is null if its action is right
 * against none of them.
 * @param {Values} values
 * @param {number} [share] Of their errors that is left open.
 */
export function windowOf(values, share = 1) {
  const { tie } = values;
  const least = (a, b) => (a === null || b < a ? b : a), most = (a, b) => (a === null || b > a ? b : a);
  const found = { first_double: null, last_no_double: null, first_pass: null, last_take: null, first_too_good: null };
  for (let k = 0; k < values.count; k++) {
    const chance = values.wins[k], waits = values.noDouble[k], taken = values.doubleTake[k];
    const waiting = share * values.noDoubleError[k], taking = share * values.doubleTakeError[k];
    const times = values.terms.beavers && taken < -tie ? 2 : 1;
    const doubling = taken - taking > PASS ? 0 : times * taking, gain = Math.min(times * taken, PASS) - waits;
    const open = waiting + doubling, margin = Math.max(open, tie);
    const tooGood = -gain > margin && waits > PASS + Math.max(waiting, tie);
    if (gain >= -margin) found.first_double = least(found.first_double, chance);
    // In theory, doubling is right if the opponent will certainly pass.
    const passed = taken - Math.max(taking, tie) > PASS;
    if (mayBeRight(-gain, open, tie) && !passed && !tooGood) found.last_no_double = most(found.last_no_double, chance);
    if (mayBeRight(taken - PASS, taking, tie)) found.first_pass = least(found.first_pass, chance);
    if (mayBeRight(PASS - taken, taking, tie)) found.last_take = most(found.last_take, chance);
    if (tooGood) found.first_too_good = least(found.first_too_good, chance);
  }
  return found;
}

/** Whether a decision gains equity, or may gain some because of its error. */
function mayBeRight(gain, error, tie) {
  return error > 0 ? gain >= -Math.max(error, tie) : gain > tie;
}

/**
 * Win probabilities that the opponent needs to take, with a dead and a live cube, including
 * gammons.
 */
export function takePoints(wins, won, lost) {
  const loses = 1 + (wins ? won / wins : 0), gains = 1 + (wins < 1 ? lost / (1 - wins) : 0);
  return [0, 0.5].map((half) => (loses - 0.5) / (gains + loses + half));
}
