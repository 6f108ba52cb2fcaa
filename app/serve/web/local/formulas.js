// Formulas applied to a race, as in analysis/formulas. `app/serve/site` writes the features
// and the texts of the steps as data; this module has the arithmetic. Counts are multiples
// of one half, so comparisons with the tolerance EVEN are exact.
// @ts-check

import { checkersOf, pipsOf } from "./numbering.js";
import { Refusal } from "./notation.js";

const EVEN = 1e-9;
const HOME = 6;
const WHOSE = ["your", "the opponent's"];

/**
 * Formula as written by `app/serve/site/rules.py`.
 * @typedef {{ values: number[] | null, adjustments: Adjustment[], least: { per_roll: number, plus: number, most: number | null } | null,
 *   double: Line, redouble: Line, take: Line, shared: boolean, passes_ties: boolean,
 *   chance: { base: number, per_pip: number, line: Line, double: number, redouble: number, take: number } | null,
 *   steps: { words: string, units: number }[] }} Rule
 */
/** @typedef {{ pips: number, feature: string, on: number[], beyond: number, compared: string, left: [number, number] | null }} Adjustment */
/** @typedef {{ divisor: number | null, offset: number, parts: number, rounded: string, above: number, less: number, most: number | null }} Line */

export class Formulas {
  /** @param {{ listed: any[], rules: Record<string, Rule> }} data */
  constructor({ listed, rules }) {
    this.listed = listed;
    this.rules = rules;
  }

  /** Apply a formula to a race; by default the recommended one, which is the first. */
  work(name, ...sides) {
    const known = this.listed.find((one) => (name ? one.name === name : true));
    if (!known) throw new Refusal(`unknown formula '${name}'; choose one of ${this.listed.map((one) => one.name).join(", ")}`);
    const height = Math.max(HOME, ...sides.map((side) => side.findLastIndex(Boolean) + 1));
    const sheet = new Sheet(this.rules[known.name], sides.map((side) => side.slice(0, height)));
    const { name: formula, source, text, mental_cost } = known;
    return { formula, source, text, mental_cost, ...sheet.work(), steps: sheet.steps };
  }
}

/** Number of occurrences of a feature on one point, given the number of checkers there. */
const ON_POINT = {
  checkers: (point, n, free) => Math.max(n - free, 0),
  outside: (point, n) => (point > HOME ? n : 0),
  crossovers: (point, n) => n * Math.floor((point - 1) / HOME),
  gaps: (point, n) => Number(n === 0),
  covered: (point, n) => Number(n > 0),
  made: (point, n) => Number(n > 1),
  paired: (point, n) => Math.min(n, 2),
  spread: (point, n) => Number(n > 0) + Math.min(n, 2),
};

/** Number of occurrences of a feature on a whole side. */
const OF_SIDE = {
  tallest: (side) => Math.max(...side.slice(0, HOME)),
  rolls: (side) => Math.ceil(checkersOf(side) / 2),
  odd: (side) => checkersOf(side) % 2,
  inner: (side) => side.filter((count, i) => i < HOME && !count && i < side.findLastIndex(Boolean)).length,
};

class Sheet {
  /** @param {Rule} rule @param {number[][]} sides */
  constructor(rule, sides) {
    this.rule = rule;
    this.sides = sides;
    /** @type {{ words: string, arithmetic: string, units: number }[]} */
    this.steps = [];
  }

  /** Add a step to the calculation, and return its value. */
  write(arithmetic, value, words = null, less = 0) {
    const known = this.rule.steps[this.steps.length];
    this.steps.push({ words: words ?? known.words, arithmetic, units: Math.max(0, known.units - less) });
    return value;
  }

  /** @returns {{ double: boolean, redouble: boolean, take: boolean }} */
  work() {
    const counts = this.count();
    return this.rule.chance ? this.byChance(counts) : this.rule.shared ? this.byExcess(counts) : this.byLead(counts);
  }

  /** @returns {[number, number]} */
  count() {
    const { adjustments, least } = this.rule;
    const [a, b] = this.sides;
    /** @type {[number, number]} */
    const totals = [this.start(a), this.start(b)];
    for (const one of adjustments) {
      const charged = this.charged(one);
      if (one.compared === "own") {
        charged.forEach((n, i) => {
          const each = Math.abs(one.pips) === 1 ? "" : `${written(Math.abs(one.pips))} x `;
          const total = totals[i] + one.pips * n;
          totals[i] = this.write(`${written(totals[i])} ${one.pips > 0 ? "+" : "-"} ${each}${n} = ${written(total)}`, total,
            null, isMet(one, this.sides[i]) ? 0 : Infinity);
        });
      } else {
        charged.forEach((n, i) => (totals[i] += one.pips * n));
        const changed = charged.flatMap((n, i) => (n ? [`${WHOSE[i]} ${written(totals[i])}`] : []));
        this.write(changed.join(", ") || "none", null);
      }
    }
    return least ? [this.raise(least, a, totals[0]), this.raise(least, b, totals[1])] : totals;
  }

  start(side) {
    const { values } = this.rule;
    if (!values) return this.write(String(pipsOf(side)), pipsOf(side));
    const total = side.reduce((sum, count, i) => sum + count * values[i], 0);
    const each = side.flatMap((count, i) => (count ? [`${count} x ${written(values[i])}`] : []));
    return this.write(`${each.join(" + ") || 0} = ${written(total)}`, total);
  }

  /** Number of occurrences that are adjusted for each side. @param {Adjustment} one */
  charged(one) {
    const [a, b] = this.sides;
    const of = (side) => seen(one, side);
    if (one.compared === "matched") {
      const more = (mine, theirs) => one.on.filter((point) => point <= mine.length).reduce((sum, point) =>
        sum + Math.max(0, ON_POINT[one.feature](point, mine[point - 1], one.beyond) - ON_POINT[one.feature](point, theirs[point - 1], one.beyond)), 0);
      return [more(a, b), more(b, a)];
    }
    if (one.compared === "more") return [Math.max(0, of(a) - of(b)), Math.max(0, of(b) - of(a))];
    return this.sides.map((side) => (isMet(one, side) ? of(side) : 0));
  }

  raise({ per_roll: each, plus, most }, side, total) {
    const rolls = Math.ceil(checkersOf(side) / 2), least = each * rolls + plus;
    const raised = most === null || 2 * rolls <= most ? Math.max(total, least) : total;
    if (most !== null) return this.write(written(raised), raised, null, 2 * rolls <= most ? 0 : 1);
    const more = plus ? ` ${plus > 0 ? "+" : "−"} ${mixed(Math.abs(plus))}` : "";
    return this.write(`${rolls} x ${written(each)}${more} = ${written(least)}; ${written(raised)}`, raised);
  }

  /** Compare the roller's count, raised by a fraction of it, with the opponent's count. */
  byExcess([ours, theirs]) {
    const { double, redouble, take, passes_ties: passes } = this.rule;
    let raised = ours;
    if (double.divisor !== null) {
      const share = this.divide(double, ours);
      raised = this.write(`${written(ours)} + ${written(share)} = ${written(ours + share)}`, ours + share);
    }
    const over = this.write(`${written(raised)} - ${written(theirs)} = ${written(raised - theirs)}`, raised - theirs);
    return {
      double: this.check("double", over, "<=", -double.offset),
      redouble: this.check("redouble", over, "<=", -redouble.offset),
      take: this.check("take", over, passes ? ">" : ">=", -take.offset),
    };
  }

  /** Compare the lead with the required leads for doubling, redoubling and taking. */
  byLead([ours, theirs]) {
    const { double, redouble, take, passes_ties: passes } = this.rule;
    const lead = this.write(`${written(theirs)} - ${written(ours)} = ${written(theirs - ours)}`, theirs - ours);
    const needed = [double, redouble, take].map((line) => this.needed(line, ours));
    return {
      double: this.check("double", lead, ">=", needed[0]),
      redouble: this.check("redouble", lead, ">=", needed[1]),
      take: this.check("take", lead, passes ? "<" : "<=", needed[2]),
    };
  }

  byChance([ours, theirs]) {
    const { base, per_pip: each, line, ...limits } = this.rule.chance;
    const lead = this.write(`${written(theirs)} - ${written(ours)} = ${written(theirs - ours)}`, theirs - ours);
    const share = line.divisor === null ? 0 : this.divide(line, ours);
    const found = base + each * (lead - share);
    this.write(`${written(base)} + ${written(each)} x (${written(lead)} - ${written(share)}) = ${written(found)}`, found);
    const check = (sign, limit, done) => this.write(`${rounded(found)} ${sign} ${rounded(limit)}: ${done ? "yes" : "no"}`, done);
    return {
      double: check(">=", limits.double, found >= limits.double - EVEN),
      redouble: check(">=", limits.redouble, found >= limits.redouble - EVEN),
      take: check("<=", limits.take, found <= limits.take + EVEN),
    };
  }

  /** @param {Line} line */
  divide(line, count) {
    return this.write(`${quotient(line, count)} = ${written(shareOf(line, count))}`, shareOf(line, count));
  }

  /** Lead that is required by a line. @param {Line} line */
  needed(line, count) {
    const share = shareOf(line, count), needed = share + line.offset;
    let arithmetic = written(share);
    if (line.divisor !== null) arithmetic = `${quotient(line, count)} = ${written(share)}`;
    if (line.offset) {
      const again = line.divisor !== null ? `, ${written(share)}` : "";
      arithmetic += `${again} ${line.offset > 0 ? "+" : "-"} ${written(Math.abs(line.offset))} = ${written(needed)}`;
    }
    return this.write(arithmetic, needed);
  }

  check(action, found, sign, limit) {
    const over = found - limit;
    const done = { "<=": over <= EVEN, ">=": over >= -EVEN, ">": over > EVEN, "<": over < -EVEN }[sign];
    const words = { "<=": "at most", ">=": "at least", ">": "more than", "<": "less than" }[sign];
    return this.write(`${written(found)} ${sign} ${written(limit)}: ${done ? "yes" : "no"}`, done, `${action} if ${words} ${written(limit)}`);
  }
}

/** @param {Adjustment} one */
function seen({ feature, on, beyond }, side) {
  if (feature in OF_SIDE) return Math.max(0, OF_SIDE[feature](side) - beyond);
  const points = on.length ? on.filter((point) => point <= side.length) : side.map((_, i) => i + 1);
  return points.reduce((sum, point) => sum + ON_POINT[feature](point, side[point - 1], beyond), 0);
}

/**
 * Whether an adjustment applies to this number of remaining checkers.
 * @param {Adjustment} one
 */
function isMet({ left }, side) {
  return !left || (left[0] <= checkersOf(side) && checkersOf(side) <= left[1]);
}

/** @param {Line} line */
function shareOf({ divisor, parts, rounded: how, above, less, most }, count) {
  if (divisor === null || (above && count <= above)) return 0;
  const share = (parts * (count - less)) / divisor;
  const whole = { no: share, down: Math.floor(share), up: Math.ceil(share) }[how];
  return most === null ? whole : Math.min(whole, most);
}

/** @param {Line} line */
function quotient({ divisor, parts, less }, count) {
  return `${parts > 1 ? `${parts} x ` : ""}${less ? `(${written(count)} - ${less})` : written(count)} / ${divisor}`;
}

/** Format a multiple of one half, such as 4½. */
function mixed(value) {
  const whole = Math.floor(value);
  return value === whole ? String(whole) : `${whole || ""}½`;
}

/** Format a number of the worksheet: halves as fractions, others with two decimals. */
function written(value) {
  if (Number.isInteger(2 * value)) return `${value < 0 ? "-" : ""}${mixed(Math.abs(value))}`;
  return String(Number(rounded(value)));
}

/** Round to two decimals, half to even as Python does. */
function rounded(value) {
  const middle = (Math.abs(value) * 100) % 1 === 0.5 && Number.isInteger(value * 8);
  return (middle ? (2 * Math.round((value * 100) / 2)) / 100 : value).toFixed(2);
}
