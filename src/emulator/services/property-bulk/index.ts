/** The emulated bulk jobs, which act on the same properties as every single call: versions, patches and activations. */
import { memberAt } from "../../../language/member.js";
import { applyPatch } from "../../../schema/json-patch.js";
import { TopRule } from "../../../tools/properties/shapes.js";
import { propertyBulk as declared } from "../../../tools/property-bulk/index.js";
import type { Call } from "../../behaviour.js";
import { accepted, badRequest, ok } from "../../reply.js";
import { emulateService } from "../../service.js";
import { instant } from "../../values.js";
import { createWorld, type World } from "../../world.js";
import { type Include, includesIn } from "../includes/world.js";
import { startActivation } from "../properties/activations.js";
import { checkWritable, replaceVersion } from "../properties/content.js";
import {
  accountId,
  errorFormat,
  linkTo,
  propertyOf,
  propertyRefusal,
  versionOf,
  withPrefix,
} from "../properties/lookup.js";
import {
  statusOf as activationStatus,
  liveVersion,
  updatedAt,
  versionStatus,
  wasActivated,
} from "../properties/networks.js";
import { propertiesIn } from "../properties/served.js";
import { validate } from "../properties/validation.js";
import { addCopy } from "../properties/versions.js";
import {
  edgeNetworks,
  etagOf,
  type Property,
  type PropertyActivation,
  type StoredPropertyVersion,
} from "../properties/world.js";
import { attemptEach, type BulkJob, datesOf, fallbackMs, firstJobAt, jobs, statusOf } from "./jobs.js";
import { matchesOf } from "./json-path.js";

const propertyNamed = (world: World, id: string): Property =>
  propertyOf(world, { propertyId: withPrefix("prp_", id) }, {});
const contractAndGroup = ({ contractId, groupId }: Property) => ({ contractId, groupId });
/** The link to a job, which is of the account and so of the place of any of its properties. */
function jobLink(world: World, kind: string, id: number): string {
  const [first] = propertiesIn(world);
  return linkTo(`bulk/${kind}/${id}`, first ? contractAndGroup(first) : { contractId: "", groupId: "" }, "v1");
}

interface Query {
  readonly syntax: "JSONPATH";
  readonly match: string;
  readonly bulkSearchQualifiers?: readonly string[] | undefined;
}

/** A version that a search has found. */
function searchHit(
  world: World,
  property: Property | Include,
  version: StoredPropertyVersion,
  matchLocations: readonly string[],
) {
  const isInclude = "includeType" in property;
  const { number } = version;
  return {
    ...{ propertyId: property.id, propertyName: property.name, propertyVersion: number, accountId },
    propertyType: isInclude ? ("INCLUDE" as const) : ("TRADITIONAL" as const),
    ...(isInclude && {
      includeId: property.id,
      includeName: property.name,
      includeType: property.includeType,
      includeVersion: number,
    }),
    stagingStatus: versionStatus(property, number, "STAGING", world),
    productionStatus: versionStatus(property, number, "PRODUCTION", world),
    isLatest: version === property.versions.at(-1),
    isLocked: wasActivated(property, number),
    isSecure: memberAt(version.rules, "options.is_secure") === true,
    lastModifiedTime: instant(version.updatedAtMs),
    matchLocations: [...matchLocations],
  };
}

function searchVersions(
  world: World,
  query: Query,
  type: "TRADITIONAL" | "HOSTNAME_BUCKET" | "INCLUDE" = "TRADITIONAL",
) {
  const { match, bulkSearchQualifiers = [] } = query;
  const all = { TRADITIONAL: propertiesIn(world), HOSTNAME_BUCKET: [], INCLUDE: [...includesIn(world).values()] }[type];
  return all.flatMap((property) =>
    property.versions.flatMap((version) => {
      const isLive = edgeNetworks.some((network) => liveVersion(property, network, world.now()) === version.number);
      if (!isLive && version !== property.versions.at(-1)) return [];
      const root = { rules: version.rules };
      const places = bulkSearchQualifiers.every((path) => matchesOf(root, path).length > 0)
        ? matchesOf(root, match)
        : [];
      return places.length === 0 ? [] : [searchHit(world, property, version, places)];
    }),
  );
}

interface SearchJob {
  readonly id: number;
  readonly submittedAtMs: number;
  readonly query: Query;
  readonly results: ReturnType<typeof searchVersions>;
}
const firstQuery: Query = { syntax: "JSONPATH", match: '$..behaviors[?(@.name == "caching")]' };
/** The world as it was at the start: the first search ran before any change, and may be read after many. */
const initialWorld = ({ startedAtMs, seed, vendor, vendorWords }: World): World =>
  createWorld({ frozenAt: startedAtMs, seed, vendor, vendorWords });
const searches = (world: World) =>
  jobs<SearchJob>(world, "search", (id) => {
    return {
      id,
      submittedAtMs: firstJobAt(world),
      query: firstQuery,
      results: searchVersions(initialWorld(world), firstQuery),
    };
  });
const startSearch = (world: World, query: Query, type?: "TRADITIONAL" | "HOSTNAME_BUCKET" | "INCLUDE"): SearchJob => {
  const results = searchVersions(world, query, type);
  return searches(world).add((id) => ({ id, submittedAtMs: world.now(), query, results }));
};
function searchBody(job: SearchJob, world: World, status = statusOf(job, world)) {
  const { submitted, updated } = datesOf(job, world);
  const { bulkSearchQualifiers, ...query } = job.query;
  return {
    bulkSearchId: job.id,
    searchTargetStatus: status,
    ...{ searchSubmitDate: submitted, searchUpdateDate: updated },
    bulkSearchQuery: { ...query, ...(bulkSearchQualifiers && { bulkSearchQualifiers: [...bulkSearchQualifiers] }) },
    results: status === "COMPLETE" ? [...job.results] : [],
  };
}

interface CopyRequest {
  readonly propertyId: string;
  readonly createFromVersion: number;
  readonly createFromVersionEtag?: string | undefined;
}
interface WrittenVersion {
  readonly property: Property;
  readonly number: number;
}
const copies = (world: World) =>
  jobs<BulkJob<CopyRequest, WrittenVersion>>(world, "version creation", (id) => {
    const result = { property: propertyNamed(world, "prp_175780"), number: 3 };
    const request = { propertyId: result.property.id, createFromVersion: 2 };
    return { id, submittedAtMs: firstJobAt(world), entries: [{ request, result }] };
  });
function copyVersion(world: World, request: CopyRequest): WrittenVersion {
  const property = propertyNamed(world, request.propertyId);
  return { property, number: addCopy(property, request, world) };
}

type Patch = Call<(typeof declared)["operations"]["bulk_patch_submit"]>["body"]["patchPropertyVersions"][number];
const firstPatches: Patch["patches"] = [{ op: "test", path: "/rules/name", value: "default" }];
const patches = (world: World) =>
  jobs<BulkJob<Patch, WrittenVersion>>(world, "patch", (id) => {
    const result = { property: propertyNamed(world, "prp_175780"), number: 3 };
    const request = { propertyId: result.property.id, propertyVersion: 3, patches: firstPatches };
    return { id, submittedAtMs: firstJobAt(world), entries: [{ request, result }] };
  });
function patchVersion(world: World, { propertyId, propertyVersion, etag, patches: patch }: Patch): WrittenVersion {
  const property = propertyNamed(world, propertyId);
  const version = versionOf(property, propertyVersion);
  checkWritable(property, version, [etag === undefined ? undefined : `"${etag}"`]);
  const result = applyPatch({ rules: version.rules }, patch, "patches");
  if ("problem" in result) throw badRequest(`${result.problem.field}: ${result.problem.takes}`);
  const { data: rules } = TopRule.safeParse((result.value as { rules: unknown }).rules);
  if (rules === undefined) throw badRequest("The patch results in no rule tree");
  replaceVersion(property, version, { rules }, world);
  return { property, number: propertyVersion };
}
function problemsOf(world: World, { property, number }: WrittenVersion) {
  const { errors, warnings } = validate(world, property, versionOf(property, number));
  const at = `/papi/v1/properties/${property.id}/versions/${number}/rules`;
  const listed = (all: typeof errors) =>
    all.map(({ type, title, detail, errorLocation }) => ({ type, title, detail, errorLocation, instance: at }));
  return { papiErrors: listed(errors), papiWarnings: listed(warnings) };
}

interface ActivationRequest {
  readonly propertyId: string;
  readonly propertyVersion: number;
  readonly network: PropertyActivation["network"];
  readonly note?: string | undefined;
  readonly acknowledgeWarnings?: readonly string[] | undefined;
}
interface ActivationDefaults {
  readonly notifyEmails?: readonly string[] | undefined;
  readonly acknowledgeAllWarnings?: boolean | undefined;
  readonly fastPush?: boolean | undefined;
  readonly useFastFallback?: boolean | undefined;
}
interface StartedActivation {
  readonly property: Property;
  readonly activation: PropertyActivation;
}
interface ActivationJob extends BulkJob<ActivationRequest, StartedActivation> {
  readonly defaults: ActivationDefaults;
}
const activations = (world: World) =>
  jobs<ActivationJob>(world, "activation", (id) => {
    const property = propertyNamed(world, "prp_175780");
    const entries = property.activations.slice(1, 3).map((activation) => {
      const request = { propertyId: property.id, propertyVersion: activation.version, network: activation.network };
      return { request, result: { property, activation } };
    });
    return { id, submittedAtMs: firstJobAt(world), entries, defaults: {} };
  });

/** The version to which a fallback returns: the one that was active before the latest activation, for an hour. */
function formerOf(world: World, property: Property, network: PropertyActivation["network"]): number {
  const latest = property.activations
    .filter((one) => one.network === network && one.cancelledAtMs === undefined)
    .at(-1);
  const former = latest && liveVersion(property, network, latest.submittedAtMs);
  if (former === undefined || latest === undefined || world.now() - latest.submittedAtMs > fallbackMs)
    throw propertyRefusal("activation/fallback-not-possible", `There is nothing on ${network} to fall back to`);
  return former;
}
function activateProperty(world: World, wanted: ActivationRequest, defaults: ActivationDefaults): StartedActivation {
  const property = propertyNamed(world, wanted.propertyId);
  const { acknowledgeAllWarnings, notifyEmails = [], useFastFallback } = defaults;
  const propertyVersion = useFastFallback ? formerOf(world, property, wanted.network) : wanted.propertyVersion;
  const request = { ...wanted, propertyVersion, acknowledgeAllWarnings: acknowledgeAllWarnings || useFastFallback };
  return { property, activation: startActivation(world, property, { ...request, notifyEmails }) };
}
const activationEntry =
  (world: World, job: ActivationJob) =>
  ({ request, result, failure }: ActivationJob["entries"][number]) => {
    const {
      acknowledgeAllWarnings = false,
      fastPush = true,
      useFastFallback = false,
      notifyEmails = [],
    } = job.defaults;
    const { submitted, updated } = datesOf(job, world);
    const common = {
      ...{ propertyId: withPrefix("prp_", request.propertyId), propertyVersion: request.propertyVersion },
      ...{ network: request.network, note: request.note ?? "", notifyEmails: [...notifyEmails] },
      ...{ acknowledgeAllWarnings, fastPush, useFastFallback, activationErrors: [], activationWarnings: [] },
      ...{ activationSubmitDate: submitted, activationUpdateDate: updated, propertyActivationLink: "" },
    };
    if (!result)
      return {
        ...common,
        activationStatus: "FAILED" as const,
        taskStatus: "SUBMISSION_ERROR" as const,
        fatalError: failure ?? "",
      };
    const { property, activation } = result;
    return {
      ...common,
      propertyName: property.name,
      propertyVersion: activation.version,
      activationStatus: activationStatus(property, activation, world),
      activationUpdateDate: instant(updatedAt(property, activation, world)),
      taskStatus: statusOf(job, world),
      propertyActivationLink: linkTo(
        `properties/${property.id}/activations/${activation.id}`,
        contractAndGroup(property),
        "v1",
      ),
    };
  };

const isUnderWay = (status: string): boolean => /^(PENDING|ZONE_)/.test(status);

export const propertyBulk = emulateService(declared, errorFormat, {
  bulk_search_launch: ({ body }, world) => {
    const job = startSearch(world, body.bulkSearchQuery, body.propertyType);
    const bulkSearchLink = jobLink(world, "rules-search-requests", job.id);
    return accepted({ bulkSearchLink }, { location: bulkSearchLink });
  },
  bulk_search_result: ({ path }, world) => ok(searchBody(searches(world).of(path.bulkSearchId), world)),
  bulk_search_run: ({ body }, world) =>
    accepted(searchBody(startSearch(world, body.bulkSearchQuery, body.propertyType), world, "COMPLETE")),

  bulk_version_create: ({ body }, world) => {
    const entries = attemptEach(body.createPropertyVersions, (one) => copyVersion(world, one));
    const job = copies(world).add((id) => ({ id, submittedAtMs: world.now(), entries }));
    const bulkCreateVersionLink = jobLink(world, "property-version-creations", job.id);
    return accepted({ bulkCreateVersionLink }, { location: bulkCreateVersionLink });
  },
  bulk_version_status: ({ path }, world) => {
    const job = copies(world).of(path.bulkCreateId);
    const { submitted, updated } = datesOf(job, world);
    const createPropertyVersions = job.entries.map(({ request, result }) => ({
      propertyId: withPrefix("prp_", request.propertyId),
      createFromVersion: request.createFromVersion,
      ...(request.createFromVersionEtag !== undefined && { createFromVersionEtag: request.createFromVersionEtag }),
      createVersionStatus: result ? statusOf(job, world) : ("SUBMISSION_ERROR" as const),
      ...{ createVersionSubmitDate: submitted, createVersionUpdateDate: updated },
      ...(result && {
        propertyVersion: result.number,
        etag: etagOf(result.property, versionOf(result.property, result.number)),
        propertyVersionLink: linkTo(
          `properties/${result.property.id}/versions/${result.number}`,
          contractAndGroup(result.property),
          "v1",
        ),
      }),
    }));
    return ok({
      bulkCreateId: job.id,
      bulkCreateVersionsStatus: statusOf(job, world),
      ...{ bulkCreateVersionSubmitDate: submitted, bulkCreateVersionUpdateDate: updated },
      createPropertyVersions,
    });
  },

  bulk_patch_submit: ({ body }, world) => {
    const entries = attemptEach(body.patchPropertyVersions, (one) => patchVersion(world, one));
    const job = patches(world).add((id) => ({ id, submittedAtMs: world.now(), entries }));
    const bulkPatchLink = jobLink(world, "rules-patch-requests", job.id);
    return accepted({ bulkPatchLink }, { location: bulkPatchLink });
  },
  bulk_patch_status: ({ path }, world) => {
    const job = patches(world).of(path.bulkPatchId);
    const { submitted, updated } = datesOf(job, world);
    const patchPropertyVersions = job.entries.map(({ request, result, failure }) => ({
      patchPropertyId: withPrefix("prp_", request.propertyId),
      patchPropertyVersion: request.propertyVersion,
      patchPropertyVersionStatus: result ? statusOf(job, world) : ("SUBMISSION_ERROR" as const),
      ...{ patchSubmitDate: submitted, patchUpdateDate: updated, patches: request.patches.map((one) => ({ ...one })) },
      ...(failure !== undefined && { fatalError: failure }),
      ...(result && {
        etag: etagOf(result.property, versionOf(result.property, result.number)),
        propertyVersionRulesLink: linkTo(
          `properties/${result.property.id}/versions/${result.number}/rules`,
          contractAndGroup(result.property),
          "v1",
        ),
        ...problemsOf(world, result),
      }),
    }));
    return ok({
      bulkPatchId: job.id,
      bulkPatchStatus: statusOf(job, world),
      ...{ bulkPatchSubmitDate: submitted, bulkPatchUpdateDate: updated },
      patchPropertyVersions,
    });
  },

  bulk_activation_launch: ({ body }, world) => {
    const { activatePropertyVersions, defaultActivationSettings: defaults = {} } = body;
    const entries = attemptEach(activatePropertyVersions, (one) => activateProperty(world, one, defaults));
    const job = activations(world).add((id) => ({ id, submittedAtMs: world.now(), entries, defaults }));
    const bulkActivationLink = jobLink(world, "activations", job.id);
    return accepted({ bulkActivationLink }, { location: bulkActivationLink });
  },
  bulk_activation_status: ({ path }, world) => {
    const job = activations(world).of(path.bulkActivationId);
    const { submitted, updated } = datesOf(job, world);
    const activatePropertyVersions = job.entries.map(activationEntry(world, job));
    const status = statusOf(job, world);
    const isOpen = activatePropertyVersions.some(({ activationStatus: one }) => isUnderWay(one));
    return ok({
      bulkActivationId: job.id,
      bulkActivationStatus: status === "COMPLETE" && isOpen ? "IN_PROGRESS" : status,
      ...{ bulkActivationSubmitDate: submitted, bulkActivationUpdateDate: updated },
      defaultActivationSettings: { ...job.defaults },
      activatePropertyVersions,
    });
  },
});
