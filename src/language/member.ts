/** Access to nested fields by their paths. */

/** Whether a value is an object and not a list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value may stand for none: many clients and models write null or an empty text for what they leave out. */
export const isNothing = (value: unknown): value is null | "" => value === null || value === "";

/** Whether a value is empty: null, an empty text, list or object. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (typeof value === "object" && (Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0));

/** An object without its undefined members. */
export function defined(members: object): Readonly<Record<string, unknown>> {
  const definedMembers: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(members)) if (member !== undefined) definedMembers[name] = member;
  return definedMembers;
}

/** The value at a path (`a.b`, or its steps); undefined if the path does not exist. What every object inherits is no value. */
export function memberAt(root: unknown, path: string | readonly PropertyKey[]): unknown {
  const steps = typeof path === "string" ? path.split(".") : path;
  return steps.reduce<unknown>(
    (value, key) =>
      value !== undefined && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<PropertyKey, unknown>>)[key]
        : undefined,
    root,
  );
}

/** The list at a path; empty if there is none. */
export function listAt(root: unknown, path: string | readonly PropertyKey[]): readonly unknown[] {
  const list = memberAt(root, path);
  return Array.isArray(list) ? list : [];
}

/** The number at a path; undefined for anything else. */
export function numberAt(root: unknown, path: string | readonly PropertyKey[]): number | undefined {
  const number = memberAt(root, path);
  return typeof number === "number" ? number : undefined;
}

/** A copy of the value with the member at a path replaced; everything off the path is shared. */
export function withMember(root: unknown, [key, ...rest]: readonly PropertyKey[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(root)) return root.map((item, at) => (at === key ? withMember(item, rest, value) : item));
  const members = root as Readonly<Record<PropertyKey, unknown>>;
  return { ...members, [key]: withMember(members[key], rest, value) };
}

/** The replacement by which `withEach` leaves a member out. */
export const omitted = Symbol("omitted");

/**
 * A list or record with each value replaced, or left out for `omitted`. If no value changes, the same object is returned,
 * so that large values are not copied and unchanged ones are recognized by identity.
 */
export function withEach(value: object, change: (member: unknown, key: string | number) => unknown): unknown {
  if (Array.isArray(value)) {
    let list: unknown[] | undefined;
    for (let at = 0; at < value.length; at += 1) {
      const member = change(value[at], at);
      if (list === undefined && member !== value[at]) list = value.slice(0, at);
      if (member !== omitted) list?.push(member);
    }
    return list ?? value;
  }
  const changed: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    const now = change(member, key);
    if (now !== member) changed.push([key, now]);
  }
  if (changed.length === 0) return value;
  const now = new Map(changed);
  const members = Object.entries(value).map(([key, member]) => [key, now.has(key) ? now.get(key) : member] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== omitted));
}

const maxNameLength = 60;

/**
 * A path extended by one member, in words: `a.b[0]`. A name that is not a plain word is quoted and a long one shortened,
 * because names can come from outside and must not read like part of our sentences.
 */
export function pathTo(at: string, key: PropertyKey): string {
  if (typeof key === "number") return `${at}[${key}]`;
  const name = String(key);
  const short = name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…` : name;
  const written = /^[A-Za-z0-9_.\-[\]]+…?$/.test(short) ? short : JSON.stringify(short.toWellFormed());
  return at === "" ? written : `${at}.${written}`;
}
/** A path into the arguments in words: `body.objects[0]`. */
export const fieldOf = (path: readonly PropertyKey[]): string => path.reduce<string>(pathTo, "") || "arguments";
