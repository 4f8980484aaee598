/** Hostnames, and the names with a wildcard that stand for them. */

const label = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
const whole = new RegExp(`^(?:\\*\\.)?(?:${label}\\.)+${label}$`);

/** A text as a whole hostname in lower case, without a final dot; undefined if it is none. */
export function hostnameIn(text: string): string | undefined {
  const name = text.trim().toLowerCase().replace(/\.$/, "");
  return name.length <= 253 && whole.test(name) ? name : undefined;
}

/** The name with a wildcard that would stand for a hostname; undefined for one that has a wildcard, or whose parent has no dot. */
export function wildcardOf(hostname: string): string | undefined {
  const parent = hostname.slice(hostname.indexOf(".") + 1);
  return hostname.startsWith("*") || !parent.includes(".") ? undefined : `*.${parent}`;
}

/** Whether one of the names is the hostname, or stands for it by a wildcard. */
export const isNamed = (hostname: string, names: readonly string[]): boolean =>
  names.some((name) => [hostname, wildcardOf(hostname)].includes(name.toLowerCase().replace(/\.$/, "")));

/** The zones that a hostname can be in, the longest name first. */
export function zonesAbove(hostname: string): readonly string[] {
  const labels = hostname.replace(/^\*\./, "").split(".");
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join("."));
}
