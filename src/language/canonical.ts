/** The one text of a JSON value, whatever the order of its keys, for hashes and for comparing. */

/** Appends the canonical text of a value; undefined members are left out, as in JSON. */
function append(value: unknown, parts: string[]): void {
  if (typeof value !== "object" || value === null) {
    parts.push(JSON.stringify(value) ?? "null");
    return;
  }
  const isList = Array.isArray(value);
  parts.push(isList ? "[" : "{");
  let count = 0;
  const next = (label: string, member: unknown) => {
    parts.push(count > 0 ? `,${label}` : label);
    count += 1;
    append(member, parts);
  };
  if (isList) for (const item of value) next("", item);
  else
    for (const key of Object.keys(value).sort()) {
      const member = (value as Readonly<Record<string, unknown>>)[key];
      if (member !== undefined) next(`${JSON.stringify(key)}:`, member);
    }
  parts.push(isList ? "]" : "}");
}

/** The canonical JSON of a value, with the keys of every object sorted. */
export function canonical(value: unknown): string {
  if (value === undefined) return "";
  const parts: string[] = [];
  append(value, parts);
  return parts.join("");
}
