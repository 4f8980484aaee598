/** Which properties a bulk search, patch or activation is about, and what came of each. */
import type { Arguments } from "../language/conduct.js";
import { defined } from "../language/member.js";
import { z } from "../language/z.js";
import type { Steps } from "./steps.js";

/** A property to roll out. */
export interface BulkProperty {
  /** The arguments that find it. */
  readonly of: Arguments;
  /** The version; the newest if it is undefined. */
  readonly version?: number | undefined;
  /** What the job says of it. */
  readonly job?: string;
  readonly failure?: string | undefined;
}

export interface BulkIds {
  readonly bulkSearchId?: number | undefined;
  readonly bulkPatchId?: number | undefined;
  readonly bulkActivationId?: number | undefined;
}

interface Job {
  readonly wanted: readonly BulkProperty[];
  readonly isOpen: boolean;
  readonly findings: readonly string[];
}

const text = z.string();
const Search = z.looseObject({
  searchTargetStatus: text,
  results: z.array(z.looseObject({ propertyId: text, includeId: text.optional() })),
});
const Patches = z.looseObject({
  bulkPatchStatus: text,
  patchPropertyVersions: z.array(
    z.looseObject({
      patchPropertyId: text,
      patchPropertyVersion: z.int(),
      patchPropertyVersionStatus: text.optional(),
      fatalError: text.optional(),
    }),
  ),
});
const Activations = z.looseObject({
  bulkActivationStatus: text,
  activatePropertyVersions: z
    .array(
      z.looseObject({
        propertyId: text,
        propertyVersion: z.int(),
        network: text,
        activationStatus: text,
        taskStatus: text.optional(),
        fatalError: text.optional(),
        activationErrors: z.array(z.looseObject({ title: text.optional(), detail: text.optional() })).optional(),
      }),
    )
    .optional(),
});

/** A job with its properties; `others` are its findings besides their number. */
function jobWith(job: string, status: string, wanted: readonly BulkProperty[], others: readonly string[] = []): Job {
  const count = new Set(wanted.map(({ of }) => of["propertyId"])).size;
  const failed = wanted.filter(({ failure }) => failure !== undefined).length;
  const finding = `The ${job} is ${status}, with ${count} ${count === 1 ? "property" : "properties"}${failed === 0 ? "" : `; ${failed} failed`}.`;
  return { wanted, isOpen: /^(PENDING|SUBMITTED|IN_PROGRESS)$/.test(status), findings: [finding, ...others] };
}

async function searchOf(steps: Steps, bulkSearchId: number, place: Arguments): Promise<Job | undefined> {
  const search = await steps.call("the bulk search", "bulk_search_result", { ...place, bulkSearchId }, Search);
  if (search === undefined) return undefined;
  // A hit is an active version or the newest one; the newest is rolled out.
  const ids = new Set(search.results.filter((one) => one.includeId === undefined).map(({ propertyId }) => propertyId));
  const wanted = [...ids].map((propertyId) => ({ of: { ...place, propertyId } }));
  const includes = new Set(search.results.flatMap(({ includeId }) => includeId ?? [])).size;
  const others = includes === 0 ? [] : [`Includes that it found: ${includes}; each is rolled out with include.`];
  return jobWith("bulk search", search.searchTargetStatus, wanted, others);
}

async function patchOf(steps: Steps, bulkPatchId: number, place: Arguments): Promise<Job | undefined> {
  const patch = await steps.call("the bulk patch", "bulk_patch_status", { ...place, bulkPatchId }, Patches);
  if (patch === undefined) return undefined;
  const wanted = patch.patchPropertyVersions.map((entry) => ({
    of: { ...place, propertyId: entry.patchPropertyId },
    version: entry.patchPropertyVersion,
    job: entry.patchPropertyVersionStatus ?? "unknown",
    failure: entry.fatalError,
  }));
  return jobWith("bulk patch", patch.bulkPatchStatus, wanted);
}

async function activationOf(steps: Steps, bulkActivationId: number, place: Arguments): Promise<Job | undefined> {
  const args = { ...place, bulkActivationId };
  const job = await steps.call("the bulk activation", "bulk_activation_status", args, Activations);
  if (job === undefined) return undefined;
  const wanted = (job.activatePropertyVersions ?? []).map((entry) => {
    const [error] = entry.activationErrors ?? [];
    const isFailed = /FAILED|ERROR|ABORTED/.test(`${entry.activationStatus} ${entry.taskStatus ?? ""}`);
    const failure =
      entry.fatalError ?? error?.detail ?? error?.title ?? (isFailed ? entry.activationStatus : undefined);
    return {
      of: { ...place, propertyId: entry.propertyId },
      version: entry.propertyVersion,
      job: `${entry.network} ${entry.activationStatus}`,
      failure: failure === "" ? undefined : failure,
    };
  });
  return jobWith("bulk activation", job.bulkActivationStatus, wanted);
}

/** Each property once, with the first version that is known of it and what all jobs say. */
export function mergeByProperty(all: readonly BulkProperty[]): readonly BulkProperty[] {
  const each = new Map<unknown, BulkProperty>();
  for (const property of all) {
    const id = property.of["propertyId"];
    const known = each.get(id);
    const joinTexts = (member: "job" | "failure") =>
      [known?.[member], property[member]].filter((text) => text !== undefined).join(", ") || undefined;
    const facts = defined({
      version: known?.version ?? property.version,
      job: joinTexts("job"),
      failure: joinTexts("failure"),
    });
    each.set(id, { of: known?.of ?? property.of, ...facts });
  }
  return [...each.values()];
}

/** The properties of the jobs that were named. */
export async function jobOf(steps: Steps, ids: BulkIds, place: Arguments): Promise<Job> {
  const { bulkSearchId, bulkPatchId, bulkActivationId } = ids;
  const jobs = [
    bulkSearchId && (await searchOf(steps, bulkSearchId, place)),
    bulkPatchId && (await patchOf(steps, bulkPatchId, place)),
    bulkActivationId && (await activationOf(steps, bulkActivationId, place)),
  ].filter((one) => typeof one === "object");
  return {
    wanted: jobs.flatMap(({ wanted }) => wanted).map((one) => ({ ...one, of: defined(one.of) })),
    isOpen: jobs.some((one) => one.isOpen),
    findings: jobs.flatMap(({ findings }) => findings),
  };
}
