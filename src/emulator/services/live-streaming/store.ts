/** The live-streaming configurations of the emulated account: versions, streams and events, and everything written since. */
import type { z } from "../../../language/z.js";
import type { NewDomain, NewStream, NewVersion } from "../../../tools/live-streaming/shapes.js";
import type { Job } from "../../primitives/job.js";
import { seedsOf } from "../../primitives/seeds.js";
import { findIn, Store } from "../../primitives/store.js";
import { badRequest, orNotFound } from "../../reply.js";
import type { World } from "../../world.js";
import { owner } from "../account.js";
import { streamsOf } from "../streams.js";
import seeds from "./seeds.json" with { type: "json" };

type VersionContent = z.output<typeof NewVersion>;
export type StreamContent = z.output<typeof NewStream>;
export type LiveEnvironment = "Production" | "Staging";

export const lastsMs: Readonly<Record<LiveEnvironment, number>> = { Staging: 15_000, Production: 120_000 };

interface Activation {
  readonly version: number;
  readonly environment: LiveEnvironment;
  readonly atMs: number;
}
export interface LiveDomain {
  readonly hostname: string;
  readonly content: Omit<z.output<typeof NewDomain>, "domain-versions">;
  /** By number, the first one first. */
  readonly versions: { readonly number: number; readonly content: VersionContent }[];
  readonly activations: (Activation & Job)[];
}
/** A broadcast with its recordings, each of which lasts until the instant of its deletion, in milliseconds since 1970. */
export interface LiveEvent {
  readonly name: string;
  readonly startAtMs: number;
  readonly endAtMs: number;
  readonly deletions: { primary?: number | undefined; backup?: number | undefined };
}
interface Stream {
  readonly id: string;
  content: StreamContent;
  readonly events: LiveEvent[];
}
interface Seeds {
  readonly streams: readonly Stream[];
  /** Each version by what distinguishes it from the usual one. */
  readonly domains: readonly (Pick<LiveDomain, "hostname" | "content"> & {
    readonly changes: readonly VersionContent[];
    readonly activations: readonly Activation[];
  })[];
}

/** The default delivery settings of a version. */
export const usualContent: VersionContent = { ...seedsOf<VersionContent>(seeds.version, 0), author: owner.email };

/** The state of the service, created with the account's seeds. */
export const stateOf = (world: World) =>
  world.state("live streaming", () => {
    const { domains, streams } = seedsOf<Seeds>(seeds, world.startedAtMs);
    const all = domains.map(({ changes, activations, ...domain }) => ({
      ...domain,
      versions: changes.map((change, at) => ({ number: at + 1, content: { ...usualContent, ...change } })),
      activations: activations.map((one) => ({ ...one, lastsMs: lastsMs[one.environment] })),
    }));
    return {
      domains: new Store<LiveDomain>("hostname", (hostname) => `There is no configuration ${hostname}`, all),
      streams: new Store<Stream>("id", (id) => `There is no stream ${id}`, streams),
    };
  });

/** The network-storage CP codes that are dedicated to live streaming, one for each configuration, and that none uses. */
export function unusedCpCodes(world: World) {
  const used = stateOf(world).domains.all.map(({ content }) => content["archive-configuration"]["archive-cpcode"]);
  return seeds.archiveCpCodes.filter(({ id }) => !used.includes(id));
}

/** The streams of a configuration that are there now; all services share the first part of each. */
export function streamsIn(world: World, hostname: string) {
  const { domains, streams } = stateOf(world);
  domains.find(hostname);
  return [...streamsOf(world).values()].flatMap((shared) => {
    const own = streams.get(shared.id);
    return own && shared.hostName === hostname && shared.deletedAtMs === undefined ? [{ shared, own }] : [];
  });
}

export function streamOf(world: World, hostname: string, id: string) {
  const found = streamsIn(world, hostname).find(({ shared }) => shared.id === id);
  return orNotFound(found, `The configuration ${hostname} has no stream ${id}`);
}

/** The types of streams; those of the second one have no events. */
export const streamTypes = ["Universal Streaming Live", "HD iPhone/iPad Live"] as const;

/** Whether a recording with an instant of deletion, if it has any, is there. */
export const isKept = (world: World, deletedAtMs: number | undefined): boolean =>
  deletedAtMs === undefined || deletedAtMs > world.now();

/** The events of a stream that have a recording left. */
export function eventsOf(world: World, hostname: string, id: string): readonly LiveEvent[] {
  const { content, events } = streamOf(world, hostname, id).own;
  const [, withoutEvents] = streamTypes;
  if (content["stream-type"] === withoutEvents) throw badRequest(`Streams of the type ${withoutEvents} have no events`);
  return events.filter(
    ({ startAtMs, deletions: { primary, backup } }) =>
      startAtMs <= world.now() && (isKept(world, primary) || isKept(world, backup)),
  );
}

export const eventOf = (world: World, hostname: string, id: string, name: string): LiveEvent =>
  findIn(eventsOf(world, hostname, id), { name }, `The stream ${id} has no event ${name}`);
