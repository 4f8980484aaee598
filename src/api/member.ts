/** A member deep inside a value, named by a path. */

/** The value at a path (`a.b`, or its steps); undefined where a step leads nowhere. */
export function memberAt(root: unknown, path: string | readonly PropertyKey[]): unknown {
  const steps = typeof path === "string" ? path.split(".") : path;
  return steps.reduce<unknown>(
    (value, key) => (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key],
    root,
  );
}

/** The path of a member of what a path names: `a.b`, or `a[0]` for an item of a list. */
export const joined = (field: string, key: PropertyKey): string =>
  typeof key === "number" ? `${field}[${key}]` : field === "" ? String(key) : `${field}.${String(key)}`;

/** A path into the arguments in words: `body.objects[0]`. */
export const fieldOf = (path: readonly PropertyKey[]): string => path.reduce<string>(joined, "") || "arguments";
