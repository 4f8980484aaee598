/** Names of records: as the API stores them, relative to the zone, and as people write them, relative or absolute. */

const bare = (name: string): string => name.toLowerCase().replace(/\.$/, "");

/**
 * The absolute name of a stored record, in lower case and without the final dot. The API stores names relative to the
 * zone, the apex as null or an empty text, and a name with a final dot is absolute.
 */
export function ownerOf(zone: string, name: string | null | undefined): string {
  const apex = bare(zone);
  if (name === null || name === undefined || name === "" || name === "@") return apex;
  return name.endsWith(".") ? bare(name) : `${name.toLowerCase()}.${apex}`;
}

const label = /^[a-z0-9_]([a-z0-9_/-]{0,61}[a-z0-9_])?$/;

/** Whether a text is the absolute name of records, in lower case and without the final dot; its first label may be `*`. */
function isName(text: string): boolean {
  const [first, ...rest] = text.split(".");
  return text.length <= 253 && (first === "*" || label.test(first ?? "")) && rest.every((one) => label.test(one));
}

/**
 * The absolute name, in lower case and without the final dot, that a person means in a zone: `@` and nothing are the
 * apex, a name that ends with the zone's is absolute, and so is one with a final dot. Undefined for what is no name, and
 * for an absolute name of another zone.
 */
export function ownerNamed(zone: string, name: string): string | undefined {
  const apex = bare(zone);
  const given = bare(name);
  if (name === "" || name === "@") return apex;
  const isOwn = given === apex || given.endsWith(`.${apex}`);
  if (name.endsWith(".") && !isOwn) return undefined;
  const owner = isOwn ? given : `${given}.${apex}`;
  return isName(owner) ? owner : undefined;
}

/** An owner's name relative to the zone, as the API stores it; an empty text for the apex. */
export const relativeTo = (zone: string, owner: string): string => owner.slice(0, -bare(zone).length - 1);

const hostLabel = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/**
 * The absolute name of a host that a record points to, with its final dot. A name without the dot is taken only where it
 * cannot be misread: a single label is relative to the zone, and a name that ends with the zone's is absolute.
 */
export function hostNamed(zone: string, name: string): string | undefined {
  if (name === "." || name === "@") return name === "." ? name : `${bare(zone)}.`;
  const given = name.replace(/\.$/, "");
  const labels = given.split(".");
  // A last label of digits alone is part of an address, which no record can point to.
  const isHost = given.length <= 253 && labels.every((one) => hostLabel.test(one)) && /\D/.test(labels.at(-1) ?? "");
  if (!isHost) return undefined;
  if (name.endsWith(".")) return name;
  if (!given.includes(".")) return `${given}.${bare(zone)}.`;
  return given.toLowerCase() === bare(zone) || given.toLowerCase().endsWith(`.${bare(zone)}`) ? `${given}.` : undefined;
}
