/** The rollout of an include: where its versions are, which properties it reaches, and the next activation. */
import type { Arguments } from "../language/conduct.js";
import { limitLines, lineTexts } from "../language/difference-lines.js";
import { quoteValue } from "../language/failure.js";
import { defined } from "../language/member.js";
import { NextCall } from "../language/next-call.js";
import { listInWords, withoutFalse } from "../language/words.js";
import { z } from "../language/z.js";
import { invalidInput } from "../schema/arguments.js";
import { IncludeActivations, IncludeTree, IncludeVersions, Parents } from "../tools/includes/shapes.js";
import { treeDifference } from "../tools/properties/difference.js";
import { IncludeId } from "../tools/properties/ids.js";
import { Hostnames } from "../tools/properties/shapes.js";
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
import { maxTried, noTrial, tryOnStaging } from "./staging-trial.js";
import { probesToday } from "./staging-trial-today.js";
import type { Steps } from "./steps.js";

const [maxParents, maxReached, maxLines, maxVersions] = [500, 20, 40, 5];
const Found = z.looseObject({
  versions: z.looseObject({
    items: z.array(
      z.looseObject({ includeId: z.string(), contractId: z.string().optional(), groupId: z.string().optional() }),
    ),
  }),
});
type Parent = z.output<typeof Parents>["properties"]["items"][number];

/** The arguments that find an include by its id or its name; undefined if the search failed. */
async function includeOf(steps: Steps, name: string, place: Arguments): Promise<Arguments | undefined> {
  const id = IncludeId.safeParse(name);
  if (id.success) return { includeId: id.data, ...place };
  const search = { body: { includeName: name } };
  const listing = await steps.call(`the include ${name}`, "property_version_find", search, Found);
  const [include] = listing?.versions.items ?? [];
  if (listing !== undefined && include === undefined)
    throw invalidInput("property_rollout_run", [
      { field: "include", given: name, takes: "the id or the whole name of an include: includes_list lists them" },
    ]);
  if (include === undefined) return undefined;
  const { includeId, contractId, groupId } = include;
  return defined({ includeId, contractId, groupId });
}

/** The rules of the version, compared with those that are active, and what the API finds wrong in them. */
async function contentOf(steps: Steps, of: Arguments, position: Position) {
  const read = (includeVersion: number, validateRules: boolean) =>
    steps.call(
      `rules of version ${includeVersion}`,
      "include_rule_tree_get",
      { ...of, includeVersion, validateRules },
      IncludeTree,
    );
  const tree = await read(position.to, true);
  const problems: Problems | undefined = tree && { errors: tree.errors ?? [], warnings: tree.warnings ?? [] };
  const former = activeCounterpart(position);
  if (former === undefined) return { problems, rules: ["No other version is active, so that all its rules are new."] };
  const before = await read(former.version, false);
  const lines = tree && before && treeDifference(before.rules, tree.rules);
  return {
    problems,
    rules: [
      `From version ${former.version}, active on ${former.network}, to version ${position.to}:`,
      ...(lines === undefined
        ? ["Unknown, because it could not be read; see steps for the reason."]
        : lineTexts(limitLines(lines, "The rules are the same.", maxLines))),
    ],
  };
}

/** Tests hostnames of the properties that use the include, of their versions on staging. */
async function trial(steps: Steps, parents: readonly Parent[]) {
  const onStaging = parents.filter(({ stagingVersion }) => typeof stagingVersion === "number");
  if (onStaging.length === 0)
    return { ...noTrial, warnings: ["No property that uses it is active on STAGING, so it was not tested."] };
  const lists = onStaging.slice(0, maxTried).map(async ({ propertyId, propertyName, stagingVersion, ...of }) => {
    const at = { propertyId, propertyVersion: stagingVersion, contractId: of.contractId, groupId: of.groupId };
    const found = await steps.call(`hostnames of ${propertyName}`, "property_hostnames_list", at, Hostnames);
    return found?.hostnames.items ?? [];
  });
  return tryOnStaging(interleave(await Promise.all(lists)), steps, probesToday);
}

/** What an activation on production reaches at once, and what staging has of it. */
function reachOf(parents: readonly Parent[] | undefined, stage: Stage): readonly string[] {
  if (parents === undefined) return ["Which properties use it is unknown, because it could not be read."];
  const nameOf = ({ propertyName, propertyId }: Parent) => `${quoteValue(propertyName)} (${propertyId})`;
  const on = (at: "stagingVersion" | "productionVersion") => parents.filter((one) => typeof one[at] === "number");
  const [staging, production] = [on("stagingVersion"), on("productionVersion")];
  const isNext = stage === "PRODUCTION" || stage === "STAGING" || stage === "activating";
  return withoutFalse(
    isNext &&
      production.length > 0 &&
      `On PRODUCTION it takes effect at once in ${production.length === 1 ? "1 property" : `${production.length} properties`}: ${listInWords(production, nameOf)}.`,
    isNext && staging.length > 0 && `On STAGING it reaches ${listInWords(staging, nameOf)}.`,
    parents.length === 0 && "No active property uses it.",
    parents.length === maxParents && `Only the first ${maxParents} properties that use it were read.`,
  );
}

/** The next call, and why it is that one. */
function nextOf(
  of: Arguments,
  { to, latest, production, pending }: Position,
  stage: Stage,
  problems: Problems | undefined,
  { notifyEmails, acknowledged }: RolloutRequest,
  again: NextCall,
): { readonly says: string; readonly calls: Readonly<Record<string, NextCall>> } {
  if (stage === "STAGING" || stage === "PRODUCTION") {
    const body = { includeVersion: to, network: stage, notifyEmails, ...acknowledgment(problems, acknowledged) };
    const next = stage === "STAGING" ? `, then ${again.tool} again` : "";
    return {
      says: `Next: activate version ${to} on ${stage}${next}.`,
      calls: { continueWith: new NextCall("include_version_activate", { ...of, body }) },
    };
  }
  if (stage === "activating")
    return {
      says: `Version ${pending?.version} is being activated on ${pending?.network} (${pending?.status}): wait.`,
      calls: { askAgainWith: again },
    };
  if (stage === "live" || stage === "needs a new version") {
    const why = stage === "live" ? "is active on PRODUCTION" : "was active before and is no longer";
    if (latest > to) return { says: `Version ${to} ${why}; version ${latest} is newer.`, calls: {} };
    const body = { createFromVersion: production ?? to };
    return {
      says: `Version ${to} ${why}: a change needs a new version.`,
      calls: { newVersionWith: new NextCall("include_version_create", { ...of, body }) },
    };
  }
  return { says: "Next: nothing until that is settled.", calls: {} };
}

/** Where the include is between the networks. */
async function standingOf(steps: Steps, of: Arguments, chosen: number | undefined) {
  const versions = await steps.call("its versions", "include_versions_list", of, IncludeVersions);
  const listing = await steps.call("its activations", "include_activations_list", of, IncludeActivations);
  if (versions === undefined || listing === undefined) return undefined;
  const items = versions.versions.items.map(({ includeVersion: number, ...one }) => ({ ...one, number }));
  const activations = listing.activations.items.map(({ includeVersion: version, ...one }) => ({ ...one, version }));
  const position = positionOf(items, activations, chosen);
  if (position === undefined)
    throw invalidInput("property_rollout_run", [
      { field: "include", takes: `one of its versions after @: ${listInWords(items, ({ number }) => String(number))}` },
    ]);
  const newest = items.sort((a, b) => b.number - a.number).slice(0, maxVersions);
  return { name: versions.includeName ?? String(of["includeId"]), position, newest };
}

/**
 * Reads where an include is and prepares the next call.
 * @param again The call that does this again.
 */
export async function includeRollout(steps: Steps, include: string, request: RolloutRequest, again: NextCall) {
  const { name, version } = parseVersionedName(include);
  const of = await includeOf(steps, name, request.place);
  const standing = of && (await standingOf(steps, of, version));
  if (of === undefined || standing === undefined)
    return { findings: ["The include could not be read; see steps for the reason."] };
  const { position } = standing;
  const label = `include ${quoteValue(standing.name)} (${String(of["includeId"])})`;
  const answer = await steps.call("who uses it", "include_parents_list", { ...of, limit: maxParents }, Parents);
  const parents = answer?.properties.items;
  const knownStage = stageBeforeContent(position);
  const content = knownStage === undefined ? await contentOf(steps, of, position) : undefined;
  const stage = knownStage ?? stageOf(position, content?.problems, request.acknowledged);
  const trialResult = stage === "PRODUCTION" && parents !== undefined ? await trial(steps, parents) : noTrial;
  const { says, calls } = nextOf(of, position, stage, content?.problems, request, again);
  return {
    findings: [
      ...dangersOf(label, position, content?.problems, request.acknowledged),
      ...reachOf(parents, stage),
      ...trialResult.warnings,
      ...trialResult.notes,
      says,
    ],
    include: {
      ...{ includeId: of["includeId"], includeName: standing.name, version: position.to, latest: position.latest },
      ...{ staging: position.staging ?? null, production: position.production ?? null, next: stage },
    },
    ...(content && { rules: content.rules }),
    ...calls,
    ...(trialResult.requests.length > 0 && { tryWith: trialResult.requests }),
    reaches: (parents ?? [])
      .slice(0, maxReached)
      .map(({ propertyId, propertyName, stagingVersion, productionVersion }) => ({
        ...{ propertyId, propertyName, staging: stagingVersion ?? null, production: productionVersion ?? null },
      })),
    versions: standing.newest.map(({ number, stagingStatus, productionStatus, updatedByUser, updatedDate, note }) => ({
      ...{ version: number, stagingStatus, productionStatus, updatedByUser, updatedDate, note: note ?? null },
    })),
  };
}
