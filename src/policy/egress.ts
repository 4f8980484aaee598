/** Whether data may be sent to a destination: a mail address or a host that the policy's lists name. */
import type { Destination } from "../api/destination.js";
import { matchesGlob } from "../api/glob.js";
import type { Policy } from "./rule.js";
import { agreedHost, isPlain } from "./spelling.js";

/**
 * One address and nothing beside it: no name, no quotes, no second `@` that a mail server could read in another way, and
 * none of the signs by which a server hands mail on to another one.
 */
const plainAddress = /^[^@,;:<>"()[\]%!]+@[a-z\d.-]+$/;

/** The addresses that a text names; several can stand in one, behind commas or semicolons. */
const addressesIn = (text: string): string[] =>
  text
    .split(/[,;]/)
    .filter((part) => part !== "")
    .map((part) => part.replace(/^<(.*)>$/, "$1").toLowerCase());

const isListed = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => matchesGlob(pattern.toLowerCase(), name));

/** Whether hosts are listed: of a block of addresses the block itself, since a pattern for one of them may end within it. */
const isHostListed = (patterns: readonly string[], host: string): boolean =>
  isListed(host.includes("/") ? patterns.filter((one) => one === "*" || one.includes("/")) : patterns, host);

/** The names that a destination is held against; undefined where it can be read in several ways, or there are none. */
function namesIn({ kind, value }: Destination): readonly string[] | undefined {
  if (kind === "host") {
    const host = agreedHost(value);
    return host === undefined ? undefined : [host];
  }
  const addresses = isPlain(value) ? addressesIn(value) : [];
  return addresses.length > 0 && addresses.every((address) => plainAddress.test(address)) ? addresses : undefined;
}

/** A destination that the policy does not allow. */
export interface RefusedDestination extends Destination {
  /** Whether no pattern can allow it as it is spelled. */
  readonly isDoubtful: boolean;
}

/** The destinations that the policy does not allow. */
export const refusedDestinations = (
  egress: Policy["egress"],
  destinations: readonly Destination[],
): RefusedDestination[] =>
  destinations.flatMap((destination) => {
    const patterns = egress[`${destination.kind}s`];
    if (patterns === undefined) return [];
    const names = namesIn(destination);
    const isOneListed = destination.kind === "host" ? isHostListed : isListed;
    if (names?.every((name) => isOneListed(patterns, name))) return [];
    return [{ ...destination, isDoubtful: names === undefined }];
  });
