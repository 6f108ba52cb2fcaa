// Examples for new users: a game recorded by GNU Backgammon, mistakes, and statistics of the
// trainer.
// @ts-check

const GAME = {
  name: "example.mat",
  text: `; [EventDate "2026.11.22"]

 0 point match

 Game 1
 gnubg : 0                      guest : 0
  1) 21: 13/11 24/23             41: 6/2* 2/1*
  2) 32: 25/22 25/23             65: 6/1 24/18
  3) 31: 8/5 6/5                 32: 18/15 15/13
  4) 61: 23/22 11/5              53: 24/21 21/16
  5) 61: 13/7 8/7                66: 16/10 13/7 13/7 13/7
  6) 55: 13/8 8/3 8/3 7/2        41: 10/9 13/9
  7) 65: 13/7 13/8               64: 8/2 13/9
  8) 51: 5/4 7/2                 54: 13/9 7/2
  9) 61: 6/5 7/1                 61: 9/8 8/2
 10) 52: 8/6 6/1                 11: 7/6 7/6 6/5 6/5
 11) 65: 6/1                      Doubles => 2
 12)  Takes                      53: 9/4 4/1
 13) 32: 5/2 6/4                 22: 8/6 8/6 6/4 6/4
 14) 61: 2/1                     11: 9/8 9/8 8/7 8/7
 15) 55: 22/17 22/17 17/12 17/12 43: 7/3 7/4
 16) 51: 12/11 11/6              31: 3/0 1/0
 17) 43: 12/9 9/5                63: 6/0 6/3
 18) 65: 5/0 6/0                 41: 4/0 1/0
 19) 44: 6/2 5/1 4/0 4/0         63: 6/0 3/0
 20) 65: 5/0 3/0                 33: 5/2 5/2 4/1 4/1
 21) 32: 2/0 3/0                 53: 2/0 2/0
 22) 11: 1/0 1/0 1/0 1/0         32: 2/0 2/0
 23)  Doubles => 4                Drops
      Wins 2 points

`,
};

const MISTAKES = {
  name: "example.csv",
  text: `position,dice,played,decided
XGID=--BBCBC------------cbbcba-:0:0:1:00:0:0:0:0:10,,,no double
XGID=--ABB--------------a-a--b-:0:0:1:61:0:0:0:0:10,,4/off 2/1,
XGID=-ABBABC------------cbbcba-:0:0:1:64:0:0:0:0:10,,6/2 6/off,
LwAAwC0AAAAAAA,2-1,3/1 1/off,
LwAAwC0AAAAAAA,,,take
`,
};

export const EXAMPLES = [GAME, MISTAKES];

const block = (since, answers, mistakes, off, cost) => ({ since, answers, mistakes, off, cost });

/** Invented statistics of the trainer, in the server's format. */
export const STATISTICS = {
  answers: 84,
  again: 9,
  findings: [
    { text: "Effective pip count: each checker of a stack beyond the third makes your answer 0.6 pips too low.", low: -0.83, high: -0.37, probability: 0.0004 },
  ],
  totals: [
    { kind: "epc", title: "Effective pip count", unit: "pips",
      whole: { answers: 45, mistakes: 19, off: 1.6, error: -0.7, seconds: 34 },
      blocks: [block("2026-03-02", 15, 9, 2.4), block("2026-03-09", 15, 6, 1.5), block("2026-03-16", 15, 4, 0.9)] },
    { kind: "take", title: "Take or pass", unit: "",
      whole: { answers: 30, mistakes: 8, cost: 0.021, error: null, seconds: 19 },
      blocks: [block("2026-03-02", 15, 5, null, 0.031), block("2026-03-16", 15, 3, null, 0.011)] },
  ],
};
