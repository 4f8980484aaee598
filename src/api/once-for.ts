/** Results of pure functions of a declaration, worked out on the first call about it. */

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
