/** The live-streaming configurations of the emulated account: versions, streams and events, and everything written since. */
import { dayMs, hourMs } from "../../../language/durations.js";
import { memberAt } from "../../../language/member.js";
import type { z } from "../../../language/z.js";
import type { NewDomain, NewStream, NewVersion } from "../../../tools/live-streaming/shapes.js";
import type { Job } from "../../primitives/job.js";
import { foundIn } from "../../primitives/store.js";
import { badRequest, orNotFound } from "../../reply.js";
import type { World } from "../../world.js";
import { cpCodes, owner, people } from "../account.js";
import { streams, streamsOf } from "../streams.js";

export type VersionContent = z.output<typeof NewVersion>;
export type StreamContent = z.output<typeof NewStream>;
type DomainContent = Omit<z.output<typeof NewDomain>, "domain-versions">;
export type Environment = "Production" | "Staging";

export const lastsMs: Readonly<Record<Environment, number>> = { Staging: 15_000, Production: 120_000 };

interface Activation extends Job {
  readonly version: number;
  readonly environment: Environment;
}
export interface Domain {
  readonly content: DomainContent;
  /** By number, the first one first. */
  readonly versions: { readonly number: number; readonly content: VersionContent }[];
  readonly activations: Activation[];
}
/** A broadcast with its recordings, each of which lasts until it is deleted. */
export interface Event {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly deleteAtMs: { primary?: number | undefined; backup?: number | undefined };
}
interface StoredStream {
  content: StreamContent;
  readonly events: Event[];
}
interface State {
  readonly domains: Map<string, Domain>;
  readonly streams: Map<string, StoredStream>;
}

/** The network-storage CP codes that are dedicated to live streaming: one for each configuration that there can be. */
const archiveCpCodes = [
  { id: "70001", name: "Live archive" },
  { id: "70002", name: "Live events archive" },
  { id: "70003", name: "Live archive 3" },
  { id: "70004", name: "Live archive 4" },
] as const;

const universal = "Universal Streaming Live";
const hlsIngest = "HD iPhone/iPad Live";
export const streamTypes: readonly string[] = [universal, hlsIngest];

/** The people who look after the streams. */
export const contacts = people.map(({ firstName, lastName }, at) => ({
  name: `${firstName} ${lastName}`,
  pin: `0${4_021 + at}`,
}));

/** What a version says of delivery where nothing else is given. */
export const usualContent: VersionContent = {
  "delivery-formats": { "hd-flash-1.0": "Disabled", "adobe-hds": "Enabled", "apple-hls": "Enabled" },
  security: {
    "hd-flash": { "token-authorization": "Disabled", "player-verification": "Disabled", "geo-blocking": "Disabled" },
    "securehd-policy-editor": "Disabled",
  },
  "advanced-configuration": {
    "adobe-hds-advanced-config": { "hds-segment-duration": "6" },
    "apple-hls-advanced-config": { "hls-segment-duration": "10", "audio-only-stream-from-lowest-bitrate": "Disabled" },
  },
  author: owner.email,
};
function seeds(world: World): State {
  const before = (ms: number) => world.startedAtMs - ms;
  const domain = (hostname: string, name: string, archive: string, more: VersionContent[], activations: Activation[]) =>
    [
      hostname,
      {
        content: {
          "configuration-details": {
            "configuration-name": name,
            hostname,
            "reporting-cpcode": streams.find(({ hostName }) => hostName === hostname)?.cpCode ?? cpCodes[0]?.id ?? "",
            "configuration-type": "Universal Streaming",
            "access-control-group": "Shops",
          },
          "archive-configuration": {
            "archive-name": hostname.split(".")[0] ?? hostname,
            "archive-cpcode": archive,
            "dvr-path": `/${archive}/dvr`,
          },
          "advanced-configuration": "Enabled",
          "fms-backup-option": "Disabled",
        },
        versions: [usualContent, ...more].map((content, at) => ({ number: at + 1, content })),
        activations,
      } satisfies Domain,
    ] as const;
  const live = (environment: Environment, days: number): Activation => {
    return { version: 1, environment, atMs: before(days * dayMs), lastsMs: lastsMs[environment] };
  };
  const event = (name: string, startMs: number, hours: number): Event => {
    return { name, startMs, endMs: startMs + hours * hourMs, deleteAtMs: {} };
  };
  const hlsOnly: VersionContent = {
    ...usualContent,
    "delivery-formats": { "hd-flash-1.0": "Disabled", "adobe-hds": "Disabled", "apple-hls": "Enabled" },
  };
  const eventsOf: Readonly<Record<string, readonly Event[]>> = {
    "shop-show": [
      event("spring-show", before(5 * dayMs), 2),
      // On air when the world begins, and over an hour later.
      event("evening-show", before(hourMs), 2),
    ],
    "product-launch": [event("launch-day", before(12 * dayMs), 1)],
  };
  return {
    domains: new Map([
      domain("live.shop.example", "Shop live", "70001", [hlsOnly], [live("Staging", 201), live("Production", 200)]),
      domain("events.shop.example", "Shop events", "70002", [], [live("Production", 190)]),
    ]),
    streams: new Map(
      streams.map(({ id, name }, at) => [
        id,
        {
          content: {
            "stream-type": name === "workshop" ? hlsIngest : universal,
            "stream-name": name,
            "primary-contact-name": contacts[0]?.name,
            "secondary-contact-name": contacts[1]?.name,
            "notification-email": "operations@shop.example",
            "encoder-settings": {
              "primary-encoder-ip": `203.0.113.${41 + 2 * at}`,
              "backup-encoder-ip": `203.0.113.${42 + 2 * at}`,
            },
            "dvr-settings": { dvr: "Enabled", "dvr-window": "30" },
          },
          events: [...(eventsOf[name] ?? [])],
        },
      ]),
    ),
  };
}

/** The state of the service, created with the account's seeds. */
export const stateOf = (world: World): State => world.state("live streaming", () => seeds(world));

/** The archive CP codes that no configuration uses. */
export const unusedCpCodes = (world: World) =>
  archiveCpCodes.filter(
    ({ id }) =>
      ![...stateOf(world).domains.values()].some(
        ({ content }) => memberAt(content, ["archive-configuration", "archive-cpcode"]) === id,
      ),
  );

export const domainOf = (world: World, hostname: string): Domain =>
  orNotFound(stateOf(world).domains.get(hostname), `There is no configuration ${hostname}`);

/** The streams of a configuration that are there now. */
export const streamsIn = (world: World, hostname: string) =>
  [...streamsOf(world).values()].flatMap((shared) => {
    const own = stateOf(world).streams.get(shared.id);
    return own && shared.hostName === hostname && shared.deletedAtMs === undefined ? [{ shared, own }] : [];
  });

export function streamOf(world: World, hostname: string, id: string) {
  domainOf(world, hostname);
  const found = streamsIn(world, hostname).find(({ shared }) => shared.id === id);
  return orNotFound(found, `The configuration ${hostname} has no stream ${id}`);
}

export const versionOf = (domain: Domain, number: number) =>
  foundIn(domain.versions, { number }, `There is no version ${number}`);

const isKept = (world: World, atMs: number | undefined): boolean => atMs === undefined || atMs > world.now();

/** The events of a stream that have a recording left. */
export function eventsOf(world: World, hostname: string, id: string): readonly Event[] {
  const { own } = streamOf(world, hostname, id);
  if (own.content["stream-type"] === hlsIngest) throw badRequest(`Streams of the type ${hlsIngest} have no events`);
  return own.events.filter(
    ({ startMs, deleteAtMs }) =>
      startMs <= world.now() && (isKept(world, deleteAtMs.primary) || isKept(world, deleteAtMs.backup)),
  );
}

export const eventOf = (world: World, hostname: string, id: string, name: string): Event =>
  foundIn(eventsOf(world, hostname, id), { name }, `The stream ${id} has no event ${name}`);
