/** The rollout of several properties: each between the networks, its hostname differences, and one bulk activation of all. */
import type { Arguments, DifferenceLine } from "../language/conduct.js";
import { headLine, limitLines, lineTexts } from "../language/difference-lines.js";
import { quoteValue } from "../language/failure.js";
import { defined } from "../language/member.js";
import { NextCall } from "../language/next-call.js";
import { listInWords, plainOrQuoted } from "../language/words.js";
import { z } from "../language/z.js";
import { invalidInput } from "../schema/arguments.js";
import { problemsIn } from "../tools/properties/activations.js";
import { hostnameDifference } from "../tools/properties/difference.js";
import { PropertyId } from "../tools/properties/ids.js";
import { Activations, FoundVersions, Hostnames, RuleTree, Versions } from "../tools/properties/shapes.js";
import { type BulkIds, type BulkProperty, jobOf, mergeByProperty } from "./bulk-jobs.js";
import {
  acknowledgment,
  activeCounterpart,
  dangersOf,
  interleave,
  type Position,
  type Problems,
  parseVersionedName,
  positionOf,
  type RolloutRequest,
  type Stage,
  stageBeforeContent,
  stageOf,
} from "./rollout.js";
import { noTrial, tryOnStaging, type VersionHostname } from "./staging-trial.js";
import { probesToday } from "./staging-trial-today.js";
import { inBatches, type Steps } from "./steps.js";

const [maxProperties, atOnce, maxLines, maxDangers] = [100, 8, 60, 15];

/** A property that is rolled out, with what was read of it. */
interface PropertyStanding {
  readonly wanted: BulkProperty;
  /** Its name and id. */
  readonly what: string;
  readonly name: string | undefined;
  readonly position: Position | undefined;
  readonly stage: Stage;
  readonly problems?: Problems | undefined;
  readonly hostnames?: readonly VersionHostname[] | undefined;
  /** How its hostnames differ from those that are active; undefined if that could not be read. */
  readonly difference?: readonly DifferenceLine[] | undefined;
  /** The hostnames that production would lose. */
  readonly lost?: readonly string[];
}

/** The properties that the caller has named, and the names that could not be looked up. */
async function namedProperties(steps: Steps, texts: readonly string[], place: Arguments) {
  const unknown: string[] = [];
  const unread: string[] = [];
  const all = await inBatches(texts, async (text): Promise<BulkProperty | undefined> => {
    const { name, version } = parseVersionedName(text);
    const id = PropertyId.safeParse(name);
    if (id.success) return { of: { propertyId: id.data, ...place }, version };
    const search = { body: { propertyName: name } };
    const found = await steps.call(`the property ${name}`, "property_version_find", search, FoundVersions);
    const [property] = found?.versions.items ?? [];
    if (property === undefined) return void (found ? unknown : unread).push(name);
    const { propertyId, contractId, groupId } = property;
    return { of: defined({ propertyId, contractId, groupId }), version };
  });
  if (unknown.length > 0)
    throw invalidInput("property_rollout_run", [
      {
        field: "properties",
        given: listInWords(unknown),
        takes:
          "ids or whole names, with @ and a version for another than the newest: properties_find finds a name by a part",
      },
    ]);
  return { wanted: all.filter((property) => property !== undefined), unread };
}

const InBucket = z.looseObject({
  hostnames: z.looseObject({
    items: z.array(
      z.looseObject({
        cnameFrom: z.string(),
        ...{ stagingCnameTo: z.string().optional(), productionCnameTo: z.string().optional() },
      }),
    ),
  }),
});
/** The hostnames of a property that keeps them in a bucket, where they do not change with a version. */
async function bucketDifference(steps: Steps, of: Arguments, what: string) {
  const tool = "property_hostname_differences_list";
  const found = await steps.call(`hostnames of ${what} by network`, tool, of, InBucket);
  return found?.hostnames.items.map(({ cnameFrom, stagingCnameTo: staging, productionCnameTo: production }) =>
    headLine(
      `hostname ${cnameFrom}: ${staging ?? "none"} on STAGING, ${production ?? "none"} on PRODUCTION, whatever the version`,
    ),
  );
}

/** What is in the version, and how its hostnames differ from those of the active one. */
async function contentOf(steps: Steps, of: Arguments, what: string, position: Position) {
  const hostnamesOf = (propertyVersion: number) => {
    const step = `hostnames of version ${propertyVersion} of ${what}`;
    return steps.call(step, "property_hostnames_list", { ...of, propertyVersion }, Hostnames);
  };
  const at = { ...of, propertyVersion: position.to };
  const rules = await steps.call(`rules of version ${position.to} of ${what}`, "property_rule_tree_get", at, RuleTree);
  const hostnameList = await hostnamesOf(position.to);
  const former = activeCounterpart(position);
  const before = former === undefined ? { hostnames: { items: [] } } : await hostnamesOf(former.version);
  const [now, then] = [hostnameList?.hostnames.items, before?.hostnames.items];
  const names = new Set(now?.map(({ cnameFrom }) => cnameFrom));
  const isBucket = now?.length === 0 && then?.length === 0;
  return {
    problems: rules && hostnameList && problemsIn({ rules, hostnames: hostnameList }),
    hostnames: now,
    difference: isBucket ? await bucketDifference(steps, of, what) : now && then && hostnameDifference(then, now),
    lost:
      former?.network !== "PRODUCTION" || now === undefined
        ? []
        : (then ?? []).map(({ cnameFrom }) => cnameFrom).filter((name) => !names.has(name)),
  };
}

/** Reads where a property is. */
async function standingOf(
  steps: Steps,
  wanted: BulkProperty,
  acknowledged: readonly string[],
): Promise<PropertyStanding> {
  const { of, version } = wanted;
  const id = String(of["propertyId"]);
  const versions = await steps.call(`versions of ${id}`, "property_versions_list", of, Versions);
  const listing = await steps.call(`activations of ${id}`, "property_activations_list", of, Activations);
  const name = versions?.propertyName;
  const what = name === undefined ? id : `${plainOrQuoted(name)} (${id})`;
  const items = versions?.versions.items.map(({ propertyVersion: number, ...one }) => ({ ...one, number }));
  const activations = listing?.activations.items.map((one) => ({ ...one, version: one.propertyVersion }));
  const position = items && activations && positionOf(items, activations, version);
  if (position === undefined) return { wanted, what, name, position, stage: "unknown" };
  const stage = stageBeforeContent(position);
  if (stage !== undefined) return { wanted, what, name, position, stage };
  const content = await contentOf(steps, of, what, position);
  return { wanted, what, name, position, ...content, stage: stageOf(position, content.problems, acknowledged) };
}

/** What is grave about the properties, in sentences: first what production would lose. */
function dangersIn(all: readonly PropertyStanding[], acknowledged: readonly string[]): readonly string[] {
  const lost = all.flatMap(({ what, position, lost: names = [] }) =>
    names.length === 0
      ? []
      : [
          `Version ${position?.to} of ${what} lacks hostnames that PRODUCTION serves: ${listInWords(names, plainOrQuoted)}.`,
        ],
  );
  const failed = all.flatMap(({ what, wanted: { failure } }) =>
    failure === undefined ? [] : [`The bulk job failed for ${what}: ${quoteValue(failure)}.`],
  );
  const unread = all.flatMap(({ what, stage, wanted: { version } }) =>
    stage === "unknown"
      ? [`${what} is left out: ${version === undefined ? "it" : `version ${version}`} could not be read or found.`]
      : [],
  );
  const others = all.flatMap(({ what, position, problems }) =>
    position === undefined ? [] : dangersOf(what, position, problems, acknowledged),
  );
  const dangers = [...lost, ...failed, ...others, ...unread];
  return dangers.length === 0 ? [] : lineTexts(limitLines(dangers.map(headLine), "", maxDangers));
}

/** The contract and group that all have in common, as arguments. */
function placeOf(all: readonly PropertyStanding[]): Arguments {
  const places = new Set(all.map(({ wanted: { of } }) => JSON.stringify([of["contractId"], of["groupId"]])));
  const { contractId, groupId } = all[0]?.wanted.of ?? {};
  return places.size === 1 ? defined({ contractId, groupId }) : {};
}

const inStage = (all: readonly PropertyStanding[], ...stages: readonly Stage[]) =>
  all.filter(({ stage }) => stages.includes(stage));

/** One bulk activation on a network. */
function activationOf(
  all: readonly PropertyStanding[],
  network: Stage,
  { notifyEmails, acknowledged }: RolloutRequest,
): NextCall {
  const activatePropertyVersions = all.map(({ wanted: { of }, position, problems }) => ({
    ...{ propertyId: of["propertyId"], propertyVersion: position?.to, network },
    ...acknowledgment(problems, acknowledged),
  }));
  const body = { activatePropertyVersions, defaultActivationSettings: { notifyEmails } };
  return new NextCall("bulk_activation_launch", { ...placeOf(all), body });
}

/** The next call for all, and why it is that one. */
function nextOf(
  all: readonly PropertyStanding[],
  isOpen: boolean,
  request: RolloutRequest,
  again: NextCall,
): { readonly says: string; readonly calls: Readonly<Record<string, NextCall>> } {
  if (isOpen || inStage(all, "activating").length > 0)
    return { says: "Not finished: wait, and ask again.", calls: { askAgainWith: again } };
  if (inStage(all, "open warnings").length > 0)
    return { says: "Next: nothing until the user has accepted the warnings, or a property is left out.", calls: {} };
  for (const network of ["STAGING", "PRODUCTION"] as const) {
    const ready = inStage(all, network);
    if (ready.length === 0) continue;
    const left = inStage(all, "errors", "unknown", "needs a new version");
    const except = left.length === 0 ? "" : `; left out: ${listInWords(left, ({ what }) => what)}`;
    const then =
      network === "STAGING" ? `, then ${again.tool} again, with its bulkActivationId to see what failed` : "";
    return {
      says: `Next: activate ${listInWords(ready, ({ what, position }) => `version ${position?.to} of ${what}`)} on ${network}${then}${except}.`,
      calls: { continueWith: activationOf(ready, network, request) },
    };
  }
  const done = inStage(all, "live", "needs a new version").filter(({ position }) => position?.to === position?.latest);
  const createPropertyVersions = done.map(({ wanted: { of }, position }) => ({
    ...{ propertyId: of["propertyId"], createFromVersion: position?.production ?? position?.to },
  }));
  if (done.length === 0) return { says: "Next: nothing; no version is ready for a network.", calls: {} };
  return {
    says: "No activation is left: a change needs new versions.",
    calls: {
      newVersionWith: new NextCall("bulk_version_create", { ...placeOf(done), body: { createPropertyVersions } }),
    },
  };
}

const countOf = (lines: readonly DifferenceLine[] | undefined, verb: DifferenceLine["verb"]) =>
  lines === undefined ? null : lines.filter((line) => line.verb === verb).length;

const rowOf = ({ wanted, name, position, stage, problems, difference }: PropertyStanding) => ({
  propertyId: wanted.of["propertyId"],
  propertyName: name ?? null,
  version: position?.to ?? wanted.version ?? null,
  latest: position?.latest ?? null,
  staging: position?.staging ?? null,
  production: position?.production ?? null,
  next: position?.pending ? `${position.pending.network} ${position.pending.status}` : stage,
  ...{ hostnamesAdded: countOf(difference, "added"), hostnamesRemoved: countOf(difference, "removed") },
  ...{ errors: problems?.errors.length ?? null, warnings: problems?.warnings.length ?? null },
  ...(wanted.job === undefined ? {} : { job: wanted.job }),
});

/**
 * Reads where several properties are and prepares the next call for all.
 * @param again The call that does this again.
 */
export async function bulkRollout(
  steps: Steps,
  selection: { readonly properties: readonly string[]; readonly ids: BulkIds },
  request: RolloutRequest,
  again: NextCall,
) {
  const job = await jobOf(steps, selection.ids, request.place);
  const named = await namedProperties(steps, selection.properties, request.place);
  const properties = mergeByProperty([...named.wanted, ...job.wanted]);
  const chosen = properties.slice(0, maxProperties);
  const all = await inBatches(chosen, (one) => standingOf(steps, one, request.acknowledged), atOnce);
  const { says, calls } = nextOf(all, job.isOpen, request, again);
  const isTried = calls["continueWith"] !== undefined && inStage(all, "STAGING").length === 0;
  const trialResult = isTried
    ? await tryOnStaging(
        interleave(inStage(all, "PRODUCTION").map(({ hostnames = [] }) => hostnames)),
        steps,
        probesToday,
      )
    : noTrial;
  const lines = all.flatMap(({ what, difference = [] }) =>
    lineTexts(difference).map((line) => headLine(`${what}: ${line}`)),
  );
  return {
    findings: [
      ...(named.unread.length > 0
        ? [`Left out, because it could not be looked up: ${listInWords(named.unread, plainOrQuoted)}.`]
        : []),
      ...dangersIn(all, request.acknowledged),
      ...job.findings,
      ...(properties.length > maxProperties
        ? [`Only the first ${maxProperties} of ${properties.length} properties were read.`]
        : []),
      ...trialResult.warnings,
      ...trialResult.notes,
      says,
    ],
    properties: all.map(rowOf),
    hostnames: lineTexts(limitLines(lines, "No hostname differs from what is active, as far as was read.", maxLines)),
    ...calls,
    ...(trialResult.requests.length > 0 && { tryWith: trialResult.requests }),
  };
}
