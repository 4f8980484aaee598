/** What is worked out once: what a pure function makes of a declaration, and what is loaded or read on its first use. */

/** The same function, with what it returns for an object remembered as long as the object lives. */
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

/** The same function, which works once: a module that is loaded, a file that is read, what one answer comes to. */
export function lazily<T>(work: () => T): () => T {
  let done: { readonly value: T } | undefined;
  return () => {
    done ??= { value: work() };
    return done.value;
  };
}
