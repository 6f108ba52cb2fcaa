// What the program is asked and answers, made from its OpenAPI document:
//     python -m tests.app.serve.described

export interface ActionIn {
  do: "roll" | "play" | "double" | "beaver" | "take" | "pass" | "resign" | "undo" | "next" | "end";
  play?: number[] | string | null;
  dice?: unknown[] | null;
  lost?: number;
  version?: number | null;
}

export interface ActionOut {
  player: number;
  kind: "play" | "double" | "take" | "pass" | "resign";
  dice: unknown[] | null;
  text: string;
  value: number;
  moves: unknown[][];
  board: number[];
}

export interface AnalysisOut {
  number: number;
  moments: MomentOut[];
  totals: unknown[];
  match: GoneThroughOut;
}

export interface AnswerIn {
  id: string;
  given: string;
  seconds?: number;
  hints?: number;
}

export interface AnswerOut {
  board: number[];
  off: number[];
  position_id: string;
  gnu_id: string;
  xgid: string;
  ogid: string;
  cube: "centred" | "owned" | "opponent";
  cube_value: number;
  score: string | null;
  jacoby: boolean;
  dice: number[] | null;
  kind: "exact" | "model" | "rollout" | null;
  win_probability: number | null;
  gammons_won: number | null;
  gammons_lost: number | null;
  equity: number | null;
  error: number | null;
  chance_per_equity: number | null;
  action: string | null;
  too_close: boolean | null;
  cube_dead: boolean | null;
  no_double: number | null;
  double_take: number | null;
  missed_double: number | null;
  wrong_double: number | null;
  wrong_take: number | null;
  wrong_pass: number | null;
  no_double_error: number | null;
  double_take_error: number | null;
  best_play: string | null;
  best_equity: number | null;
  best_error: number | null;
  played_equity: number | null;
  played_cost: number | null;
  played_error: number | null;
  decided_equity: number | null;
  decided_cost: number | null;
  decided_error: number | null;
  roller: SideOut;
  opponent: SideOut;
  table: TableOut | null;
  match_chance: number | null;
  take_points: number[] | null;
  plays: PlayOut[];
  market: MarketOut | null;
  window: WindowOut | null;
  thresholds: ThresholdsOut | null;
  rolls: RollOut[] | null;
}

export interface AskIn {
  depth?: "0" | "1" | "2" | "3";
  play?: number[] | string | null;
}

export interface AskedIn {
  position?: string | null;
  roller?: string | number[] | null;
  opponent?: string | number[] | null;
  dice?: string | number[] | null;
  cube?: string | null;
  cube_value?: number | null;
  score?: string | number[] | null;
  match?: number | null;
  crawford?: boolean | null;
  money?: boolean;
  jacoby?: boolean | null;
  played?: string | null;
  decided?: string | null;
  market?: boolean;
  rolls?: boolean;
  patience?: number;
}

export interface AskedOut {
  question: string;
}

export interface Block {
  since: string;
  answers: number;
  mistakes: number;
  seconds: number;
  error: number | null;
  off: number | null;
  cost: number | null;
}

export interface ChartOut {
  step: number;
  counts: number[];
  double: (number | null)[];
  redouble: (number | null)[];
  last_take: (number | null)[];
  by: "pips" | "epc";
  wastage: number;
  score: string | null;
  formula: RuleOut | null;
}

export interface ComparedOut {
  kind: "exact" | "model" | "rollout";
  centred: TruthOut;
  owned: TruthOut;
  costs: CostsOut;
}

export interface CostOut {
  total: number;
  beyond_pips: number;
  items: Record<string, number>;
  numbers: string[];
}

export interface CostsOut {
  double: number;
  redouble: number;
  take: number;
}

export interface DecisionOut {
  number: number;
  source: string;
  game: number;
  line: number;
  player: string;
  kind: "double" | "take" | "play";
  xgid: string;
  roller: number[];
  opponent: number[];
  cube: string;
  cube_value: number;
  dice: number[] | null;
  score: string | null;
  decided: string;
  best: string;
  cost: number;
  error: number;
  unit: string;
  mistake: boolean;
  method: string;
  formula: string;
  equity: number;
  file_program: string;
  file_level: string;
  file_best: string;
  file_equity: number | null;
  file_cost: number | null;
  file_equities: EquityOut[];
  comment: string;
  equities: EquityOut[];
}

export interface DistributionOut {
  kind: "exact" | "estimate";
  mean_rolls: number;
  std_rolls: number;
  chances: number[];
}

export interface DistributionsOut {
  roller: DistributionOut;
  opponent: DistributionOut;
  first_off: number[];
}

export interface DrillOut {
  name: string;
  title: string;
  text: string;
}

export interface DrillsOut {
  drills: DrillOut[];
  levels: ("fitting" | "easy" | "medium" | "hard")[];
}

export interface EquityOut {
  name: string;
  equity: number;
}

export interface Error {
  error: string;
}

export interface ExampleOut {
  question: Question;
  marked: Marked;
}

export interface ExplanationOut {
  formula: string;
  source: string;
  text: string;
  roller: number[];
  opponent: number[];
  steps: StepOut[];
  double: boolean;
  redouble: boolean;
  take: boolean;
  mental_cost: CostOut;
  truth: ComparedOut;
}

export interface FieldOut {
  name: string;
  placeholder: string;
  words: string;
  choices: string[];
  of_matches: boolean;
}

export interface FileIn {
  name: string;
  text?: string;
  data?: string | null;
}

export interface Finding {
  kind: string;
  text: string;
  effect: number;
  low: number | null;
  high: number | null;
  probability: number;
}

export interface FindingOut {
  about: string;
  text: string;
  effect: number;
  low: number;
  high: number;
  probability: number;
  matches: number;
}

export interface FormulaIn {
  position?: string | null;
  roller?: string | number[] | null;
  opponent?: string | number[] | null;
  dice?: string | number[] | null;
  cube?: string | null;
  cube_value?: number | null;
  score?: string | number[] | null;
  match?: number | null;
  crawford?: boolean | null;
  money?: boolean;
  jacoby?: boolean | null;
  played?: string | null;
  decided?: string | null;
  formula?: string | null;
  patience?: number;
}

export interface FormulasOut {
  formulas: ListedOut[];
}

export interface FoundOut {
  found: number;
  decisions: MadeOut[];
}

export interface GameOut {
  number: number;
  won: unknown[];
  winner: number | null;
  points: number;
}

export interface Given {
  key: string;
  xgid: string;
  title: string;
  given: string;
  answer: string;
  unit: string;
  right: boolean;
  knew: boolean;
  hints: number;
  seconds: number;
  cost: number | null;
  error: number | null;
  due: string | null;
}

export interface GoingOut {
  id: string;
  status: "running" | "done" | "failed" | "stopped";
  error: string | null;
  done: number;
  decisions: number;
  news: number;
  found: ReviewOut | null;
}

export interface GoneThroughOut {
  games: number[];
  totals: unknown[];
}

export interface GroupOut {
  by: string;
  name: string;
  errors: MeanOut;
  mistakes: number;
}

export interface HealthOut {
  status: "ok";
  version: string;
  tables: TableOut[];
  busy: number;
  waiting: number;
}

export interface HintIn {
  id: string;
  number?: number;
}

export interface IdIn {
  id: string;
}

export interface KeptMatchOut {
  id: number;
  source: string;
  format: string;
  players: string[];
  length: number;
  won: number[];
  day: string;
  dated: boolean;
  event: string;
  place: string;
  comment: string;
  kept: string;
  decisions: number;
  mistakes: number;
  lost: number;
}

export interface LibraryOut {
  path: string;
  bytes: number;
  matches: number;
  decisions: number;
  players: PlayerOut[];
  fields: FieldOut[];
}

export interface Line {
  words: string;
  arithmetic: string;
}

export interface ListedOut {
  name: string;
  source: string;
  text: string;
  estimates_chance: boolean;
  has_lines: boolean;
  recommended: boolean;
  mental_cost: CostOut;
}

export interface LobbyOut {
  hints_error: number;
  opponents: OpponentOut[];
  default: string;
  matches: SummaryOut[];
  damaged: string[];
  folder: string;
}

export interface LuckOut {
  unit: string;
  races: number;
  start: number;
  result: number;
  lost: number;
  their_lost: number;
  luck: number;
  fair: number;
}

export interface MadeOut {
  number: number;
  source: string;
  game: number;
  line: number;
  player: string;
  kind: "double" | "take" | "play";
  xgid: string;
  roller: number[];
  opponent: number[];
  cube: string;
  cube_value: number;
  dice: number[] | null;
  score: string | null;
  decided: string;
  best: string;
  cost: number;
  error: number;
  unit: string;
  mistake: boolean;
  method: string;
  formula: string;
  equity: number;
  file_program: string;
  file_level: string;
  file_best: string;
  file_equity: number | null;
  file_cost: number | null;
  file_equities: EquityOut[];
  comment: string;
  equities: EquityOut[];
  reference: string;
  day: string;
  opponent_name: string;
  stakes: string;
  formula_cost: number | null;
}

export interface Marked {
  key: string;
  kind: string;
  given: string;
  answer: string;
  right: boolean;
  error?: number | null;
  cost?: number | null;
  method: string;
  notes?: string[];
  steps: Line[];
  options?: Option[];
}

export interface MarkedOut {
  key: string;
  kind: string;
  given: string;
  answer: string;
  right: boolean;
  error?: number | null;
  cost?: number | null;
  method: string;
  notes?: string[];
  steps: Line[];
  options?: Option[];
  id: string;
  due: string | null;
  rating: number | null;
  hints: number;
  knew: boolean;
}

export interface MarketOut {
  losing_probability: number;
  too_close: boolean;
  probabilities: Record<string, number>;
  sequences: Record<string, Record<string, string>>;
}

export interface MatchIn {
  length?: number;
  opponent?: string;
  crawford?: boolean;
  jacoby?: boolean;
  beavers?: number;
  by_hand?: boolean;
  seed?: string | null;
}

export interface MatchOut {
  key: string;
  version: number;
  begun: string;
  length: number;
  crawford: boolean;
  jacoby: boolean;
  beavers: number;
  by_hand: boolean;
  opponent: string;
  opponent_title: string;
  seconds: number;
  number: number;
  won: unknown[];
  score_after: unknown[];
  crawford_game: boolean;
  needs: "roll" | "play" | "answer" | "opponent" | "dice" | "next" | "nothing";
  board: number[];
  pips: unknown[];
  xgid: string;
  turn: number | null;
  dice: unknown[] | null;
  legal: number[][];
  cube_value: number;
  cube_owner: number | null;
  offers: number;
  cube_dead: boolean;
  may_double: boolean;
  may_beaver: boolean;
  may_undo: boolean;
  winner: number | null;
  points: number;
  match_winner: number | null;
  over: boolean;
  games: GameOut[];
  actions: ActionOut[];
  hints: unknown[];
  undone: number;
  seed_hash: string;
  seed: string | null;
  said: string;
}

export interface MatchesOut {
  matches: KeptMatchOut[];
}

export interface MeanOut {
  value: number;
  low: number | null;
  high: number | null;
  decisions: number;
  matches: number;
  probability: number;
}

export interface MomentOut {
  place: number;
  turn_number: number;
  player: number;
  kind: string;
  dice: unknown[] | null;
  text: string;
  board: number[];
  pips: unknown[];
  cube_value: number;
  cube_owner: number | null;
  xgid: string;
  chance: number;
  luck: number | null;
  decided: string | null;
  cost: number | null;
  error: number | null;
  best: string | null;
  reason: string | null;
  source: "exact" | "model" | "search" | null;
}

export interface NameableOut {
  number: number;
  double: boolean;
  silent: boolean;
  legal: number[][];
}

export interface NamedIn {
  do: "name" | "play" | "undo";
  number?: number | null;
  play?: number[] | string | null;
  version?: number | null;
}

export interface NoChanceHintOut {
  numbers: NumberOut[];
}

export interface NoChanceIn {
  numbers?: number;
  doubles?: number;
  first?: "you" | "opponent";
  opponent?: string;
}

export interface NoChanceLobbyOut {
  opponents: NoChanceOpponentOut[];
  games: NoChanceSummaryOut[];
  damaged: string[];
}

export interface NoChanceOpponentOut {
  name: string;
  title: string;
  text: string;
  seconds: number;
}

export interface NoChanceOut {
  key: string;
  version: number;
  begun: string;
  numbers: number;
  doubles: unknown[];
  first: number;
  opponent: string;
  opponent_title: string;
  seconds: number;
  needs: "name" | "play" | "opponent" | "nothing";
  named: unknown[];
  nameable: NameableOut[];
  board: number[];
  pips: unknown[];
  xgid: string;
  turn: number;
  may_undo: boolean;
  winner: number | null;
  points: number;
  actions: TurnOut[];
  hints: number;
  undone: number;
}

export interface NoChanceSummaryOut {
  key: string;
  begun: string;
  opponent_title: string;
  numbers: number;
  turns: number;
  over: boolean;
}

export interface NoteIn {
  about: string;
  text?: string;
  tags?: string[];
}

export interface NoteOut {
  id: number;
  about: string;
  xgid: string;
  at: string;
  text: string;
  tags: string[];
}

export interface NumberOut {
  number: number;
  text: string;
  board: number[];
  points: number | null;
  turns: number | null;
  value: number | null;
  exact: boolean;
  depth: number;
}

export interface OfKind {
  title: string;
  answers: number;
  right: number;
  cost: number | null;
  off: number | null;
  unit: string;
}

export interface OpenedOut {
  match: KeptMatchOut;
  decisions: MadeOut[];
  totals: TotalOut[];
  notes: NoteOut[];
}

export interface OpponentOut {
  name: string;
  title: string;
  text: string;
  seconds: number;
  beavers: boolean;
  lost: number;
  lost_error: number;
}

export interface Option {
  name: string;
  equity: number;
  cost: number;
}

export interface OwnOut {
  players: string[];
  player: string;
  questions: number;
  empty: string;
}

export interface PlaceIn {
  game?: number | null;
  place: number;
}

export interface PlayOut {
  name: string;
  after: number[];
  equity: number;
  cost: number;
  error: number;
  equity_error: number;
  wins: number;
  kind: "exact" | "model" | "rollout";
}

export interface PlayerOut {
  name: string;
  decisions: number;
}

export interface PositionOut {
  board: number[];
  off: number[];
  position_id: string;
  gnu_id: string;
  xgid: string;
  ogid: string;
  cube: "centred" | "owned" | "opponent";
  cube_value: number;
  score: string | null;
  jacoby: boolean;
  dice: number[] | null;
}

export interface ProgressOut {
  player: string;
  whole: GroupOut;
  groups: GroupOut[];
  course: GroupOut[];
  opponents: GroupOut[];
  beside_opponents: MeanOut;
  formula: MeanOut;
  beside_formula: MeanOut;
  luck: LuckOut[];
  findings: FindingOut[];
  tests: number;
  fewest: number;
}

export interface Question {
  key: string;
  id?: string;
  kind: string;
  title: string;
  text: string;
  form: "number" | "choice";
  choices?: string[];
  hints?: number;
  unit?: string;
  within?: number | null;
  xgid?: string | null;
  roller?: number[] | null;
  opponent?: number[] | null;
  cube?: string | null;
  cube_value?: number;
  dice?: number[] | null;
  of?: "double" | "take" | "play" | "";
  again?: boolean;
}

export interface RaceIn {
  position?: string | null;
  roller?: string | number[] | null;
  opponent?: string | number[] | null;
  dice?: string | number[] | null;
  cube?: string | null;
  cube_value?: number | null;
  score?: string | number[] | null;
  match?: number | null;
  crawford?: boolean | null;
  money?: boolean;
  jacoby?: boolean | null;
  played?: string | null;
  decided?: string | null;
}

export interface RacesIn {
  races: unknown[];
  patience?: number;
}

export interface RatedOut {
  text: string;
  board: number[];
  equity: number;
  cost: number;
  error: number;
  reason: string;
}

export interface ReadyOut {
  with_dice: boolean;
  without_dice: boolean;
}

export interface ReviewIn {
  files?: FileIn[];
  positions?: string;
  error?: number | null;
  keep?: boolean;
}

export interface ReviewOut {
  decisions: DecisionOut[];
  totals: TotalOut[];
  problems: string[];
  kept: number[];
  skipped: number;
}

export interface RollOut {
  dice: number[];
  chance: number;
  best_play: string;
  after: number[];
  best_equity: number;
  best_error: number;
  second_play: string | null;
  second_cost: number | null;
  most_wins: string;
  win_probability: number;
  luck: number;
  losing: number | null;
  outcomes: Record<string, number> | null;
}

export interface RowOut {
  kind: "exact" | "model" | "rollout" | null;
  win_probability: number | null;
  gammons_won: number | null;
  gammons_lost: number | null;
  equity: number | null;
  error: number | null;
  chance_per_equity: number | null;
  action: string | null;
  too_close: boolean | null;
  cube_dead: boolean | null;
  no_double: number | null;
  double_take: number | null;
  missed_double: number | null;
  wrong_double: number | null;
  wrong_take: number | null;
  wrong_pass: number | null;
  no_double_error: number | null;
  double_take_error: number | null;
  best_play: string | null;
  best_equity: number | null;
  best_error: number | null;
  played_equity: number | null;
  played_cost: number | null;
  played_error: number | null;
  decided_equity: number | null;
  decided_cost: number | null;
  decided_error: number | null;
  problem: string | null;
}

export interface RowsOut {
  answers: RowOut[];
}

export interface RuleOut {
  step: number;
  counts: number[];
  double: (number | null)[];
  redouble: (number | null)[];
  last_take: (number | null)[];
  name: string;
}

export interface SaveIn {
  position: string;
  text?: string;
  tags?: string[];
}

export interface SavedOut {
  saved: SavedPositionOut[];
}

export interface SavedPositionOut {
  id: number;
  about: string;
  xgid: string;
  at: string;
  text: string;
  tags: string[];
  roller: number[];
  opponent: number[];
  cube: string;
  cube_value: number;
  dice: number[] | null;
  score: string | null;
}

export interface SheetOut {
  name: string;
  title: string;
  pdf: string;
  png: string;
}

export interface SheetsOut {
  sheets: SheetOut[];
}

export interface SideOut {
  counts: number[];
  pips: number;
  epc: number;
  epc_error: number;
  std_rolls: number;
  wastage: number;
  mean_rolls: number;
}

export interface Standing {
  now: string;
  answered: number;
  due: number;
  today: number;
  a_day: number;
  streak: number;
  longest: number;
  rating: number;
  deviation: number;
  rated: boolean;
}

export interface Statistics {
  answers: number;
  again: number;
  totals: Total[];
  findings: Finding[];
}

export interface StepOut {
  words: string;
  arithmetic: string;
  units: number;
}

export interface SumOut {
  decisions: number;
  mistakes: number;
  open: number;
  lost: number;
  plays: number;
  lost_in_plays: number;
  luck: number;
}

export interface Summary {
  standing: Standing;
  since: string;
  answers: number;
  right: number;
  knew: number;
  hinted: number;
  late: number;
  cost: number;
  seconds: number | null;
  rating_before: number;
  kinds: OfKind[];
  given: Given[];
  slowest: number | null;
}

export interface SummaryOut {
  key: string;
  begun: string;
  opponent_title: string;
  length: number;
  won: unknown[];
  number: number;
  over: boolean;
}

export interface TableOut {
  points: number;
  checkers: number;
}

export interface ThresholdsOut {
  double: number | null;
  live_double: number | null;
  cash: number | null;
  live_cash: number | null;
  gammon_value: number;
  gammon_loss: number;
}

export interface Total {
  kind: string;
  title: string;
  unit: string;
  whole: Block;
  blocks: Block[];
}

export interface TotalOut {
  name: string[];
  decisions: number;
  mistakes: number;
  lost: number;
  formula_differs: number;
}

export interface TruthOut {
  action: string;
  no_double: number;
  double_take: number;
  win_probability: number;
  error: number;
}

export interface TurnOut {
  player: number;
  kind: "name" | "play";
  number: number;
  met: number | null;
  dice: unknown[] | null;
  double: boolean;
  silent: boolean;
  text: string;
  moves: unknown[][];
  board: number[];
}

export interface WindowOut {
  first_double: number | null;
  last_no_double: number | null;
  first_pass: number | null;
  last_take: number | null;
  first_too_good: number | null;
  by_model: boolean;
}

export interface app__serve__play__models__HintOut {
  kind: "exact" | "model" | "search";
  better?: boolean | null;
  cost?: number | null;
  error?: number | null;
  best?: string | null;
  reason?: string | null;
  checkers?: number[] | null;
  plays?: RatedOut[] | null;
  more?: number | null;
  action?: string | null;
  equities?: Record<string, number> | null;
  costs?: Record<string, number> | null;
  errors?: Record<string, number> | null;
  close_lost?: unknown[] | null;
}

export interface app__serve__training__routes__HintOut {
  text: string;
}

export interface Answers {
  "/chart": ChartOut;
  "/distribution": DistributionsOut;
  "/formula": ExplanationOut;
  "/formulas": FormulasOut;
  "/library": LibraryOut;
  "/library/decisions": FoundOut;
  "/library/matches": MatchesOut;
  "/library/matches/{number}": OpenedOut;
  "/library/notes": NoteOut;
  "/library/positions": SavedPositionOut;
  "/library/progress": ProgressOut;
  "/library/saved": SavedOut;
  "/play": LobbyOut;
  "/play/matches": MatchOut;
  "/play/matches/{key}": MatchOut;
  "/play/matches/{key}/actions": MatchOut;
  "/play/matches/{key}/analysis": AnalysisOut;
  "/play/matches/{key}/ask": app__serve__play__models__HintOut;
  "/play/matches/{key}/decide": MatchOut;
  "/play/matches/{key}/stop": MatchOut;
  "/play/matches/{key}/trainer": AskedOut;
  "/play/no-chance": NoChanceLobbyOut;
  "/play/no-chance/games": NoChanceOut;
  "/play/no-chance/games/{key}": NoChanceOut;
  "/play/no-chance/games/{key}/actions": NoChanceOut;
  "/play/no-chance/games/{key}/decide": NoChanceOut;
  "/play/no-chance/games/{key}/hint": NoChanceHintOut;
  "/play/no-chance/games/{key}/stop": NoChanceOut;
  "/play/ready": ReadyOut;
  "/position": PositionOut;
  "/race": AnswerOut;
  "/races": RowsOut;
  "/review": ReviewOut;
  "/reviews": GoingOut;
  "/reviews/{id}": GoingOut;
  "/sheets": SheetsOut;
  "/training/answers": MarkedOut;
  "/training/answers/knew": MarkedOut;
  "/training/answers/undo": Question;
  "/training/drills": DrillsOut;
  "/training/example": ExampleOut;
  "/training/hint": app__serve__training__routes__HintOut;
  "/training/own": OwnOut;
  "/training/question": Question;
  "/training/statistics": Statistics;
  "/training/summary": Summary;
}

export interface Bodies {
  "/distribution": RaceIn;
  "/formula": FormulaIn;
  "/library/notes": NoteIn;
  "/library/positions": SaveIn;
  "/play/matches": MatchIn;
  "/play/matches/{key}/actions": ActionIn;
  "/play/matches/{key}/ask": AskIn;
  "/play/matches/{key}/trainer": PlaceIn;
  "/play/no-chance/games": NoChanceIn;
  "/play/no-chance/games/{key}/actions": NamedIn;
  "/position": RaceIn;
  "/race": AskedIn;
  "/races": RacesIn;
  "/review": ReviewIn;
  "/reviews": ReviewIn;
  "/training/answers": AnswerIn;
  "/training/answers/knew": IdIn;
  "/training/answers/undo": IdIn;
  "/training/hint": HintIn;
}
