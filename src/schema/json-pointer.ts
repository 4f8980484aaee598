/** JSON Pointer (RFC 6901): a location inside a JSON value, as text. */

/** The steps of a pointer; undefined for an invalid one. */
export function pointerSteps(pointer: string): readonly string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A pointer extended by a step. */
export const pointerTo = (pointer: string, step: string | number): string =>
  `${pointer}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** The index that a step means in a list; undefined for an invalid one. */
export const indexOf = (step: string): number | undefined => (/^(0|[1-9]\d*)$/.test(step) ? Number(step) : undefined);

/** The member at a step, and whether it exists. */
export function stepInto(value: unknown, step: string): { readonly isThere: boolean; readonly value?: unknown } {
  if (Array.isArray(value)) {
    const at = indexOf(step);
    return at !== undefined && at < value.length ? { isThere: true, value: value[at] } : { isThere: false };
  }
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return { isThere: false };
  return { isThere: true, value: (value as Readonly<Record<string, unknown>>)[step] };
}

/** The value at a pointer; undefined if it does not exist, which no JSON value is. */
export function valueAt(root: unknown, pointer: string): unknown {
  const steps = pointerSteps(pointer);
  let value: unknown = steps && root;
  for (const step of steps ?? []) value = stepInto(value, step).value;
  return value;
}

/** The longest existing prefix of a pointer. */
export function nearestPlace(root: unknown, pointer: string): string {
  let [value, at] = [root, ""];
  for (const step of pointerSteps(pointer) ?? []) {
    const next = stepInto(value, step);
    if (!next.isThere) break;
    [value, at] = [next.value, pointerTo(at, step)];
  }
  return at;
}
