/** Live-streaming configurations, which the API calls domains: operations, display names, and previews of deletions. */
import { type Arguments, pickArguments } from "../../language/conduct.js";
import { empty, op, xml } from "../../language/define.js";
import { guardsOf } from "../../language/guards.js";
import { listAt, memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted, withoutFalse } from "../../language/words.js";
import { z } from "../../language/z.js";
import { Domain, Domains, Hostname, Message, NewDomain } from "./shapes.js";

/** The status of a version in an environment, in lower case; empty if it has none. */
export const deploymentStatusIn = (version: unknown, environment: unknown): string =>
  String(memberAt(version, [`${String(environment).toLowerCase()}-deployment-status`]) ?? "").toLowerCase();

export const versionsIn = (domain: unknown) => listAt(domain, "domain-versions.domain-version");
export const versionNumberOf = (version: unknown): string => plainOrQuoted(memberAt(version, "version"));

/** The display name of a configuration: its hostname, and its name if it could be read. */
export function domainName({ domain }: Arguments, present: unknown): string {
  const name = memberAt(present, ["configuration-details", "configuration-name"]);
  return typeof name === "string" && name !== "" ? `${String(domain)} (${plainOrQuoted(name)})` : String(domain);
}

/** The display name of a stream: its name, if it could be read, its id, and its configuration. */
export function streamName({ domain, streamId }: Arguments, present: unknown): string {
  const name = memberAt(present, ["stream-name"]);
  const known =
    typeof name === "string" && name !== "" ? `${plainOrQuoted(name)} (${String(streamId)})` : String(streamId);
  return `${known} of ${String(domain)}`;
}

const named = (noun: string, all: readonly string[]): string =>
  `${noun}${all.length === 1 ? "" : "s"} ${listInWords(all)}`;

const domainDeletion = guardsOf(
  "live-streaming configuration",
  (args, present) => `live-streaming configuration ${domainName(args, present)}`,
)("DELETE", {
  kind: "delete",
  undo: { never: "A deleted configuration cannot be restored, and neither can its streams." },
  results: (_, present, { streams }) => {
    const names = listAt(streams, "stream").map((one) => plainOrQuoted(memberAt(one, ["stream-name"])));
    const versions = versionsIn(present).map(versionNumberOf);
    const lost = withoutFalse(
      versions.length > 0 && named("version", versions),
      streams === undefined ? "streams that could not be read" : names.length > 0 && `the ${named("stream", names)}`,
    );
    return [
      lost.length > 0 && `it is gone with ${lost.join(" and ")}`,
      streams !== undefined && names.length === 0 && "it has no stream",
    ];
  },
  warns: (_, present) => {
    const active = versionsIn(present).filter((one) => deploymentStatusIn(one, "Production") === "activated");
    return active.map(
      (one) => `Version ${versionNumberOf(one)} is active on PRODUCTION: viewers of its streams lose them.`,
    );
  },
});

/** Common parts of calls on a configuration and its streams. */
export const ofDomain = {
  path: { domain: Hostname },
  means: { 404: "There is no such configuration: live_domains_list shows all." },
} as const;
export const ofStream = {
  path: { ...ofDomain.path, streamId: z.string().regex(/^\d{1,12}$/, "the digits of a stream's id, as text") },
  means: { 404: "There is no such stream: live_streams_list shows those of a configuration." },
} as const;
export const messageMedium = xml("response-message", Message);

export const domainOperations = {
  live_domains_list: op("GET /config-media-live/v1/live", {
    does: "Lists live-streaming configurations with their versions.",
    returns: { 200: xml("domains", Domains) },
    rules: ["live-lists"],
  }),
  live_domain_create: op("POST /config-media-live/v1/live", {
    does: "Creates a live-streaming configuration, which begins with version 1.",
    body: xml("domain", NewDomain),
    returns: { 200: messageMedium },
    effect: "create",
    shownBy: "live_domains_list",
    rules: ["live-first-version", "live-archive-cpcode", "live-cpcode-each", "live-order", "live-error"],
    means: {
      400: "The configuration was refused: live_cpcodes_list shows the CP codes that are left, live_archive_locations_list the locations, live_domains_list the hostnames that are taken.",
    },
    note: "Document C does not list the required elements of a configuration; its name, its hostname and the CP codes are treated as required here.",
    example: {
      body: {
        "configuration-details": {
          "configuration-name": "Autumn collection",
          hostname: "autumn.shop.example",
          "reporting-cpcode": "67891",
        },
        "archive-configuration": {
          "archive-name": "autumn",
          "archive-cpcode": "70003",
          "archive-storage-location": "Frankfurt",
        },
        "advanced-configuration": "Enabled",
        "fms-backup-option": "Disabled",
      },
    },
  }),
  live_domain_get: op("GET /config-media-live/v1/live/{domain}", {
    does: "Reads a live-streaming configuration with its versions and where they are active.",
    ...ofDomain,
    returns: { 200: xml("domain", Domain) },
    rules: ["live-hostname", "live-text"],
    example: { domain: "live.shop.example" },
  }),
  live_domain_delete: op("DELETE /config-media-live/v1/live/{domain}", {
    does: "Deletes a live-streaming configuration with its versions.",
    ...ofDomain,
    returns: { 200: messageMedium, 204: empty },
    guard: domainDeletion,
    shownBy: "live_domain_get",
    // Its streams, which its viewers lose: the approval is bound to them.
    relatedReads: { streams: { by: "live_streams_list", args: pickArguments("domain"), isBound: true } },
    note: "It is not documented what happens to the streams of a deleted configuration; the emulator deletes them.",
    example: { domain: "events.shop.example" },
  }),
};
