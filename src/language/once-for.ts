/** Memoization: of pure functions of declarations, and of values that are loaded on first use. */

/** Memoizes a function of an object, as long as the object lives. */
export function onceFor<K extends object, V>(work: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const found = known.get(key);
    if (found) return found.value;
    const value = work(key);
    known.set(key, { value });
    return value;
  };
}

/** Memoizes a function without arguments, such as one that loads a module or reads a file. */
export function lazily<T>(work: () => T): () => T {
  let done: { readonly value: T } | undefined;
  return () => {
    done ??= { value: work() };
    return done.value;
  };
}
