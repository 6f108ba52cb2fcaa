// What the page uses of htm-preact.js; markup is not checked.

export type Effect = () => void | (() => void) | undefined;
export type Ref<T> = { current: T };

export function html(strings: TemplateStringsArray, ...values: unknown[]): any;
export function render(view: any, into: Element): void;
export function useState<S>(first: S | (() => S)): [S, (next: S | ((now: S) => S)) => void];
export function useMemo<T>(make: () => T, inputs: unknown[]): T;
export function useRef<T = any>(first: T): Ref<T extends null ? any : T>;
export function useEffect(effect: Effect, inputs?: unknown[]): void;
export function useLayoutEffect(effect: Effect, inputs?: unknown[]): void;
