/** Whether data may be sent to a destination: a mail address or a host that the policy's lists name. */
import type { Destination } from "../api/destination.js";
import { matchesGlob } from "../api/glob.js";
import type { Policy } from "./rule.js";

/** One address and nothing beside it: no name, no quotes, no second `@` that a mail server could read in another way. */
const plainAddress = /^[^\s@,;:<>"()[\]\\]+@[^\s@,;:<>"()[\]\\]+$/;

/** The addresses that a text names; several can stand in one. */
const addressesIn = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .filter((part) => part !== "")
    .map((part) => part.replace(/^<(.*)>$/, "$1").toLowerCase());

/** The host of a host or a URL, as it is looked up; undefined when there is none. */
function hostOf(text: string): string | undefined {
  const url = text.includes("://") ? text : `https://${text}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") : undefined;
}

const isListed = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => matchesGlob(pattern.toLowerCase(), name));

function isAllowed({ emails, hosts }: Policy["egress"], { kind, value }: Destination): boolean {
  if (kind === "host") {
    const host = hostOf(value);
    return hosts === undefined || (host !== undefined && isListed(hosts, host));
  }
  const addresses = addressesIn(value);
  return (
    emails === undefined ||
    (addresses.length > 0 && addresses.every((address) => plainAddress.test(address) && isListed(emails, address)))
  );
}

/** The destinations that the policy does not allow. */
export const refusedDestinations = (egress: Policy["egress"], destinations: readonly Destination[]): Destination[] =>
  destinations.filter((destination) => !isAllowed(egress, destination));
