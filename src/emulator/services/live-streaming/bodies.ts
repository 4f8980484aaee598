/** The answers about configurations, streams and events, as they are at the world's present time. */
import type { z } from "../../../language/z.js";
import type {
  Domain as DomainShape,
  Event as EventShape,
  Stream as StreamShape,
  Version as VersionShape,
} from "../../../tools/live-streaming/shapes.js";
import { eventTime } from "../../../tools/live-streaming/times.js";
import { standing } from "../../primitives/activation.js";
import type { World } from "../../world.js";
import { type Domain, type Environment, type Event, streamOf, versionOf } from "./store.js";

const words = { pending: "Pending", active: "Activated", deactivated: "Deactivated" } as const;
const provisionedAfterMs = 120_000;

/** The status of a version in an environment; undefined if it was never activated there. */
export function deploymentStatus(
  world: World,
  { activations }: Domain,
  number: number,
  environment: Environment,
): string | undefined {
  const own = activations.filter((one) => one.environment === environment);
  const last = own.findLast(({ version }) => version === number);
  return last && words[standing(world, own, last)];
}

/** Where a version is active, with the environment of its last activation. */
export function activationBody(world: World, domain: Domain, number: number) {
  const [production, staging] = (["Production", "Staging"] as const).map((environment) =>
    deploymentStatus(world, domain, number, environment),
  );
  const last = domain.activations.findLast(({ version }) => version === number);
  return {
    version: String(versionOf(domain, number).number),
    "production-deployment-status": production ?? "Inactive",
    ...(staging === undefined ? {} : { "staging-deployment-status": staging }),
    ...(last === undefined ? {} : { "activate-environment": last.environment }),
  };
}

export function versionBody(world: World, domain: Domain, number: number): z.output<typeof VersionShape> {
  const { version, ...state } = activationBody(world, domain, number);
  return { version, ...versionOf(domain, number).content, ...state };
}

export function domainBody(world: World, domain: Domain): z.output<typeof DomainShape> {
  const { content, versions } = domain;
  const { "archive-storage-location": _, ...archive } = content["archive-configuration"];
  return {
    ...content,
    "archive-configuration": { ...archive, "domain-name": `archive-${content["configuration-details"].hostname}` },
    "domain-versions": { "domain-version": versions.map(({ number }) => versionBody(world, domain, number)) },
  };
}

export function streamBody(world: World, hostname: string, id: string): z.output<typeof StreamShape> {
  const { shared, own } = streamOf(world, hostname, id);
  const { "encoder-settings": encoder, "dvr-settings": dvr, ...rest } = own.content;
  const { password: _, ...addresses } = encoder ?? {};
  const isProvisioned = world.now() >= shared.createdAtMs + provisionedAfterMs;
  const entrypoint = ["Primary", "Backup"].map((type) => ({
    type,
    "domain-name": `${type.slice(0, 1).toLowerCase()}.ep${shared.id}.i.${world.vendor}entrypoint.net`,
  }));
  return {
    "stream-id": shared.id,
    ...rest,
    status: isProvisioned ? "Provisioned" : "Pending",
    "encoder-settings": { username: shared.id, ...addresses },
    ...(dvr === undefined ? {} : { "dvr-settings": dvr }),
    ...(isProvisioned ? { entrypoints: { entrypoint } } : {}),
  };
}

export function eventBody(world: World, { name, startMs, endMs, deleteAtMs }: Event): z.output<typeof EventShape> {
  const now = world.now();
  // What has not happened yet is empty.
  const passed = (ms: number) => (ms <= now ? eventTime(ms) : "");
  const times = (at: number | undefined, isOnAir: boolean) =>
    at !== undefined && at <= now
      ? undefined
      : {
          "archive-start-time": passed(startMs),
          "archive-end-time": passed(endMs),
          "on-air-time": isOnAir ? passed(startMs) : "",
          "off-air-time": isOnAir ? passed(endMs) : "",
          "delete-time": at === undefined ? "" : eventTime(at),
        };
  const [primary, backup] = [times(deleteAtMs.primary, true), times(deleteAtMs.backup, false)];
  return {
    "event-name": name,
    ...(primary ? { "primary-event": primary } : {}),
    ...(backup ? { "backup-event": backup } : {}),
  };
}
