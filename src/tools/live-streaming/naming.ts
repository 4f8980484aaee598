/** How the guards read configurations, streams and versions, and what they call them. */
import type { Arguments } from "../../language/conduct.js";
import { listAt, memberAt } from "../../language/member.js";
import { plain } from "../../language/words.js";

/** The status of a version in an environment, in lower case; empty where it has none. */
export const statusIn = (version: unknown, environment: unknown): string =>
  String(memberAt(version, [`${String(environment).toLowerCase()}-deployment-status`]) ?? "").toLowerCase();

export const versionsIn = (domain: unknown) => listAt(domain, "domain-versions.domain-version");
export const numberOf = (version: unknown): string => plain(memberAt(version, "version"));

/** A configuration as people know it: its hostname, and its name where it could be read. */
export function domainName({ domain }: Arguments, present: unknown): string {
  const name = memberAt(present, ["configuration-details", "configuration-name"]);
  return typeof name === "string" && name !== "" ? `${String(domain)} (${plain(name)})` : String(domain);
}

/** A stream as people know it: its name, where it could be read, its id, and its configuration. */
export function streamName({ domain, streamId }: Arguments, present: unknown): string {
  const name = memberAt(present, ["stream-name"]);
  const known = typeof name === "string" && name !== "" ? `${plain(name)} (${String(streamId)})` : String(streamId);
  return `${known} of ${String(domain)}`;
}
