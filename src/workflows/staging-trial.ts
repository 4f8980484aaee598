/** Tests hostnames on the staging network before production, by the diagnostics of a generation. */
import { quoteValue } from "../language/failure.js";
import type { NextCall } from "../language/next-call.js";
import type { Lookups } from "./lookups.js";
import type { Steps } from "./steps.js";

/** More hostnames than these are named and not tested: diagnostics take some seconds each, and are rate-limited. */
export const maxTried = 3;

/** What was found on staging: observations, what speaks against production, and requests that are left to the caller. */
interface TrialResult {
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  readonly requests: readonly NextCall[];
}

/** The result where nothing is to be tested. */
export const noTrial: TrialResult = { notes: [], warnings: [], requests: [] };

/** How diagnostics look at staging. */
export interface Probes extends Lookups {
  /** The response to a URL at an address; undefined if it could not be requested. */
  readonly request: (steps: Steps, url: string, edgeIp: string) => Promise<Partial<TrialResult> | undefined>;
}

/** A hostname of a version. */
export interface VersionHostname {
  readonly cnameFrom: string;
  readonly cnameTo?: string | undefined;
}

/**
 * The name of the staging network: the zone of the edge hostname with `-staging` (edgesuite.net,
 * edgesuite-staging.net).
 */
function stagingNameOf(edgeHostname: string | undefined): string | undefined {
  const [, name, zone, top] = /^(.+)\.([\w-]+)\.(\w+)\.?$/.exec(edgeHostname ?? "") ?? [];
  if (name === undefined || zone === undefined || zone.endsWith("-staging")) return undefined;
  return `${name}.${zone}-staging.${top}`;
}

/**
 * Tests the first hostnames on staging.
 * @returns The observations, and what speaks against production: an error on staging, or no observation at all.
 */
export async function tryOnStaging(
  hostnames: readonly VersionHostname[],
  steps: Steps,
  probes: Probes,
): Promise<TrialResult> {
  const stepsBefore = steps.record.length;
  const notes: string[] = [];
  const warnings: string[] = [];
  const requests: NextCall[] = [];
  const candidates = hostnames.flatMap(({ cnameFrom, cnameTo }) => {
    const staging = stagingNameOf(cnameTo);
    return staging === undefined || cnameFrom.startsWith("*") ? [] : [{ host: cnameFrom, staging }];
  });
  const chosen = candidates.slice(0, maxTried);
  if (chosen.length < hostnames.length)
    notes.push(
      `${chosen.length} of ${hostnames.length} hostnames ${chosen.length === 1 ? "is" : "are"} tested on staging.`,
    );
  if (chosen.length === 0) return { notes, warnings: ["None of its hostnames could be tested on staging."], requests };
  const locations = await probes.locations(steps);
  const [from] = locations ?? [];
  if (locations?.length === 0) warnings.push("There is no location from which staging could be looked up.");
  const tries = chosen.map(async ({ host, staging }) => {
    const addresses = from === undefined ? undefined : await probes.addresses(steps, from, staging);
    if (addresses === undefined) return;
    const [edgeIp] = addresses;
    if (edgeIp === undefined)
      return void warnings.push(`${quoteValue(staging)}, the staging hostname, has no address.`);
    const answer = await probes.request(steps, `http://${host}/`, edgeIp);
    notes.push(...(answer?.notes ?? []));
    warnings.push(...(answer?.warnings ?? []));
    requests.push(...(answer?.requests ?? []));
  });
  await Promise.all(tries);
  for (const { step, tool, why } of steps.record.slice(stepsBefore).filter(({ outcome }) => outcome !== "done"))
    warnings.push(`The check on staging is incomplete: ${tool} (${step}) failed: ${why ?? "no reason was given"}`);
  return { notes, warnings, requests };
}
