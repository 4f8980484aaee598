/** Hostnames, and the names with a wildcard that stand for them. */
import { domainToASCII } from "node:url";

const label = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
const whole = new RegExp(`^(?:\\*\\.)?(?:${label}\\.)+${label}$`);

/** A text as a whole hostname in lower case and ASCII (`xn--…`), without a final dot; undefined if it is none. */
export function hostnameIn(text: string): string | undefined {
  const given = text.trim();
  const name = (/^[\0-\x7f]*$/.test(given) ? given : domainToASCII(given)).toLowerCase().replace(/\.$/, "");
  return name.length <= 253 && whole.test(name) ? name : undefined;
}

/** The name with a wildcard that would stand for a hostname; undefined for one that has a wildcard, or whose parent has no dot. */
export function wildcardOf(hostname: string): string | undefined {
  const parent = hostname.slice(hostname.indexOf(".") + 1);
  return hostname.startsWith("*") || !parent.includes(".") ? undefined : `*.${parent}`;
}

const inLowerCase = (name: string): string => name.toLowerCase().replace(/\.$/, "");

/** Whether a hostname is one of some names, or one of them stands for it by a wildcard: for many hostnames. */
export function namedBy(names: readonly string[]): (hostname: string) => boolean {
  const all = new Set(names.map(inLowerCase));
  return (hostname) => {
    const name = inLowerCase(hostname);
    return all.has(name) || all.has(wildcardOf(name) ?? name);
  };
}

/** The same for one hostname. */
export const isNamed = (hostname: string, names: readonly string[]): boolean => namedBy(names)(hostname);

/** Whether a name is one of some hostnames, or stands for one of them by a wildcard: for many names. */
export function namingOf(hostnames: readonly string[]): (name: string) => boolean {
  const all = new Set(hostnames.map(inLowerCase).flatMap((name) => [name, wildcardOf(name) ?? name]));
  return (name) => all.has(inLowerCase(name));
}

/** The zones that a hostname can be in, the longest name first. */
export function zonesAbove(hostname: string): readonly string[] {
  const labels = hostname.replace(/^\*\./, "").split(".");
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join("."));
}
