/** Activations over time: how each changes its state with the clock, and what is live on a network. */
import { hourMs } from "../../../time/durations.js";
import type { World } from "../../world.js";
import type { EdgeNetwork, Property, PropertyActivation } from "./world.js";

type UnderWay = "PENDING" | "ZONE_1" | "ZONE_2" | "ZONE_3";
/** The states on the way and the seconds from the submission after which each ends; then the network has it. */
const stages: Readonly<Record<EdgeNetwork, readonly (readonly [status: UnderWay, endsAfter: number])[]>> = {
  STAGING: [
    ["PENDING", 6],
    ["ZONE_1", 9],
    ["ZONE_2", 12],
    ["ZONE_3", 15],
  ],
  PRODUCTION: [
    ["PENDING", 300],
    ["ZONE_1", 360],
    ["ZONE_2", 420],
    ["ZONE_3", 480],
  ],
};
/** How long a client should wait before it asks again, in seconds. */
export const retryAfterSeconds: Readonly<Record<EdgeNetwork, number>> = { STAGING: 3, PRODUCTION: 30 };

/** How long a fast fallback takes. */
const fastMs = 5_000;

export const completedAt = ({
  network,
  submittedAtMs,
  isFast,
}: Pick<PropertyActivation, "network" | "submittedAtMs" | "isFast">): number =>
  submittedAtMs + (isFast ? fastMs : (stages[network].at(-1)?.[1] ?? 0) * 1_000);

const isComplete = (one: PropertyActivation, now: number): boolean =>
  one.cancelledAtMs === undefined && completedAt(one) <= now;

/** The activation that determines what a network serves of a property; undefined if nothing ever reached it. */
function deciding({ activations }: Property, network: EdgeNetwork, now: number): PropertyActivation | undefined {
  const complete = activations.filter((one) => one.network === network && isComplete(one, now));
  return complete.sort((a, b) => completedAt(b) - completedAt(a))[0];
}

/** The number of the version that a network serves at an instant; undefined if it serves none. */
export function liveVersion(property: Property, network: EdgeNetwork, atMs: number): number | undefined {
  const last = deciding(property, network, atMs);
  return last?.type === "ACTIVATE" ? last.version : undefined;
}

type Status = UnderWay | "ABORTED" | "PENDING_DEACTIVATION" | "DEACTIVATED" | "ACTIVE" | "INACTIVE";
/** The status of an activation, as it follows from the clock. */
export function statusOf(property: Property, activation: PropertyActivation, world: World): Status {
  const now = world.now();
  if (activation.cancelledAtMs !== undefined) return "ABORTED";
  if (!isComplete(activation, now)) {
    if (activation.type === "DEACTIVATE") return "PENDING_DEACTIVATION";
    const elapsed = (now - activation.submittedAtMs) / 1_000;
    return stages[activation.network].find(([, endsAfter]) => elapsed < endsAfter)?.[0] ?? "ZONE_3";
  }
  if (activation.type === "DEACTIVATE") return "DEACTIVATED";
  return deciding(property, activation.network, now) === activation ? "ACTIVE" : "INACTIVE";
}

/** When the status of an activation last changed. */
export function updatedAt(property: Property, activation: PropertyActivation, world: World): number {
  if (activation.cancelledAtMs !== undefined) return activation.cancelledAtMs;
  const now = world.now();
  if (isComplete(activation, now)) {
    const later = property.activations
      .filter((other) => other.network === activation.network && isComplete(other, now))
      .map(completedAt)
      .filter((at) => at > completedAt(activation));
    return later.length === 0 ? completedAt(activation) : Math.min(...later);
  }
  const passed = stages[activation.network].map(([, endsAfter]) => activation.submittedAtMs + endsAfter * 1_000);
  return Math.max(activation.submittedAtMs, ...passed.filter((at) => at <= now));
}

/** The activation of a property that is still on its way to a network. */
export const pendingActivation = (
  { activations }: Property,
  network: EdgeNetwork,
  world: World,
): PropertyActivation | undefined =>
  activations.find(
    (one) => one.network === network && one.cancelledAtMs === undefined && !isComplete(one, world.now()),
  );

/** The status of a version on a network. */
export function versionStatus(
  property: Property,
  number: number,
  network: EdgeNetwork,
  world: World,
): "ACTIVE" | "PENDING" | "INACTIVE" {
  if (liveVersion(property, network, world.now()) === number) return "ACTIVE";
  const pending = pendingActivation(property, network, world);
  return pending?.version === number && pending.type === "ACTIVATE" ? "PENDING" : "INACTIVE";
}

/** Whether a version was ever accepted for a network, so that it cannot be written any more. */
export const wasActivated = ({ activations }: Property, number: number): boolean =>
  activations.some((one) => one.version === number && one.cancelledAtMs === undefined);

/** What an active activation says of a fast fallback to the version before it, which is possible for an hour. */
export function fallbackOf(property: Property, activation: PropertyActivation, world: World) {
  const steadyMs = completedAt(activation);
  const fallbackVersion = liveVersion(property, activation.network, steadyMs - 1);
  if (statusOf(property, activation, world) !== "ACTIVE" || fallbackVersion === undefined) return undefined;
  const hostnamesOf = (version: number) =>
    JSON.stringify(property.versions.find(({ number }) => number === version)?.hostnames);
  const expiresMs = steadyMs + hourMs;
  return {
    fastFallbackAttempted: false,
    fallbackVersion,
    canFastFallback: world.now() < expiresMs && hostnamesOf(fallbackVersion) === hostnamesOf(activation.version),
    steadyStateTime: Math.floor(steadyMs / 1_000),
    fastFallbackExpirationTime: Math.floor(expiresMs / 1_000),
    fastFallbackRecoveryState: null,
  };
}
