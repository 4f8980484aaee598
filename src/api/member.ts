/** A member deep inside a value, named by a path. */

/** The value at a path (`a.b`, or its steps); undefined where a step leads nowhere. */
export function memberAt(root: unknown, path: string | readonly PropertyKey[]): unknown {
  const steps = typeof path === "string" ? path.split(".") : path;
  return steps.reduce<unknown>(
    (value, key) => (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key],
    root,
  );
}
