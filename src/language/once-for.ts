/**
 * Memoization: of pure functions of declarations, and of values that are loaded on first use. A promise that is rejected is
 * forgotten, so that the next use tries again.
 */

/** Calls a function if a value turns out to be a failure; its promise stays as it is. */
function ifRejected(value: unknown, forget: () => void): void {
  if (value instanceof Promise) value.catch(forget);
}

/** Memoizes a function of an object, as long as the object lives. */
export function onceFor<K extends object, V>(work: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const found = known.get(key);
    if (found) return found.value;
    const value = work(key);
    known.set(key, { value });
    ifRejected(value, () => known.delete(key));
    return value;
  };
}

/** A function that is called for one value. */
export interface Lazy<A extends readonly unknown[], T> {
  (...args: A): T;
  /** What it keeps: undefined before the first call, and after a failure until the next one. */
  peek(): T | undefined;
}

/**
 * Memoizes a function that is called for one value, such as one that loads a module or reads a file.
 * @returns The function, which passes on the arguments of the first call that does not fail, and ignores those of all others.
 */
export function lazily<A extends readonly unknown[], T>(work: (...args: A) => T): Lazy<A, T> {
  let done: { readonly value: T } | undefined;
  const once = (...args: A): T => {
    if (done) return done.value;
    const value = work(...args);
    done = { value };
    ifRejected(value, () => {
      done = undefined;
    });
    return value;
  };
  return Object.assign(once, { peek: () => done?.value });
}
