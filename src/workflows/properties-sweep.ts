/** The properties of an account with their hostnames, CP codes and origins: read by one sweep, which is stored. */
import type { WorkflowContext } from "../calls/workflow.js";
import type { z } from "../language/z.js";
import type { SiteGeneration } from "../site/readings.js";
import { factsOfRules } from "../site/rule-facts.js";
import { Hostnames, Properties, RuleTree } from "../tools/properties/shapes.js";
import { contractGroups } from "./account-cpcodes.js";
import { inBatches, type Steps } from "./steps.js";

export const sweepKinds = ["name", "hostname", "cpcode", "origin"] as const;
export type SweepKind = (typeof sweepKinds)[number];
export type ListedProperty = z.output<typeof Properties>["properties"]["items"][number];

/** What a version of a property has; a part is absent until it was read. */
export interface PropertyFacts {
  readonly hostname?: readonly string[];
  readonly cpcode?: readonly string[];
  readonly origin?: readonly string[];
}

/** The calls of a sweep: steps of the workflow, or those in the background. */
export type SweepCalls = Pick<Steps, "call">;

/** Hostnames that are active, by property and network; undefined if the list could not be read as a whole. */
export type ActiveNames = ReadonlyMap<string, Partial<Record<"production" | "staging", readonly string[]>>>;

/** What the generations of the APIs do by different operations. */
export interface FindingGeneration {
  readonly site: () => Promise<SiteGeneration>;
  /** Lists the active hostnames of the account; absent where there is only the list of a property. */
  readonly activeNames?: (calls: SweepCalls) => Promise<ActiveNames | undefined>;
}

/** What is stored of an account. */
export interface AccountSweep {
  readonly listedAtMs: number;
  /** Since when changes from here are not yet in it. */
  readonly checkedAtMs: number;
  readonly properties: readonly ListedProperty[];
  /** By property and version. */
  readonly facts: Readonly<Record<string, PropertyFacts>>;
}

export const sweepName = "properties of the account";
/** How many requests a search makes at a time; the work in the background makes one after the other. */
const usualAtOnce = 12;

/** The version that answers for a property: the one on production, else the one on staging, else the newest. */
export const versionOf = ({ productionVersion, stagingVersion, latestVersion }: ListedProperty): number =>
  productionVersion ?? stagingVersion ?? latestVersion;
const isActive = ({ productionVersion, stagingVersion }: ListedProperty): boolean =>
  (productionVersion ?? stagingVersion ?? undefined) !== undefined;
export const keyOf = (one: ListedProperty): string => `${one.propertyId} ${versionOf(one)}`;

/** Lists the properties of each contract in each group; undefined if nothing could be listed. */
async function listing(steps: SweepCalls, atOnce: number): Promise<readonly ListedProperty[] | undefined> {
  const places = await contractGroups(steps);
  if (places === undefined) return undefined;
  const answers = await inBatches(
    places,
    async (place) => {
      const step = `properties of ${place.contractId} in ${place.groupId}`;
      return (await steps.call(step, "properties_list", { ...place }, Properties))?.properties.items ?? [];
    },
    atOnce,
  );
  return [...new Map(answers.flat().map((one) => [one.propertyId, one])).values()];
}

/** The part of a version's content that a kind of search needs. */
async function partOf(
  steps: SweepCalls,
  property: ListedProperty,
  kind: Exclude<SweepKind, "name">,
): Promise<PropertyFacts> {
  const { propertyId, contractId, groupId } = property;
  const at = { propertyId, propertyVersion: versionOf(property), contractId, groupId };
  if (kind === "hostname") {
    const body = await steps.call(`hostnames of ${property.propertyName}`, "property_hostnames_list", at, Hostnames);
    return body ? { hostname: body.hostnames.items.map(({ cnameFrom }) => cnameFrom) } : {};
  }
  const step = `rules of ${property.propertyName}`;
  const body = await steps.call(step, "property_rule_tree_get", { ...at, validateRules: false }, RuleTree);
  return body ? factsOfRules(body.rules) : {};
}

/**
 * The properties of a sweep with those that were changed from here read again.
 * @returns undefined if all have to be listed, because it is not known which were changed.
 */
async function withChanged(
  { properties, checkedAtMs }: AccountSweep,
  calls: SweepCalls,
  changesSince: WorkflowContext["changesSince"],
): Promise<{ readonly properties: AccountSweep["properties"]; readonly changed: ReadonlySet<string> } | undefined> {
  const changes = changesSince(checkedAtMs)?.filter(({ api }) => api === "papi");
  // What is created has no id in the path.
  if (changes === undefined || changes.some(({ path }) => Object.keys(path).length === 0)) return undefined;
  const ids = changes.flatMap(({ path }) => path["propertyId"] ?? []);
  const changed = new Set(ids.map((id) => `prp_${id.replace(/^prp_/, "")}`));
  const again = await inBatches(
    properties.filter(({ propertyId }) => changed.has(propertyId)),
    async ({ propertyId, propertyName }) =>
      (await calls.call(`property ${propertyName}`, "property_get", { propertyId }, Properties))?.properties.items[0],
  );
  const byId = new Map(again.flatMap((one) => (one ? [[one.propertyId, one]] : [])));
  const kept = properties.filter(({ propertyId }) => !changed.has(propertyId) || byId.has(propertyId));
  return { properties: kept.map((one) => byId.get(one.propertyId) ?? one), changed };
}

/** The active hostnames of a property, on the network whose version answers for it. */
function namesOf(property: ListedProperty, active: ActiveNames | undefined): readonly string[] {
  const { production = [], staging = [] } = active?.get(property.propertyId) ?? {};
  return versionOf(property) === property.productionVersion ? production : staging;
}

/** The stored account, with what a search needs of it; what is stored is not read again, unless it was changed from here. */
export async function currentSweep(
  { results, changesSince }: Pick<WorkflowContext, "results" | "changesSince">,
  calls: SweepCalls,
  { activeNames }: FindingGeneration,
  soughtKinds: ReadonlySet<SweepKind>,
  isRefreshed: boolean,
  atOnce = usualAtOnce,
): Promise<AccountSweep | undefined> {
  const nowMs = Date.now();
  const storedSweep = (await results.recall(sweepName)) as AccountSweep | undefined;
  const held = storedSweep && !isRefreshed ? await withChanged(storedSweep, calls, changesSince) : undefined;
  const properties = held?.properties ?? (await listing(calls, atOnce));
  if (properties === undefined) return undefined;
  // The content of an active version does not change; another version may have been edited since.
  const holds = (property: ListedProperty): boolean =>
    held ? !held.changed.has(property.propertyId) : isActive(property);
  const known = (property: ListedProperty): PropertyFacts =>
    (holds(property) ? storedSweep?.facts[keyOf(property)] : undefined) ?? {};
  const facts = Object.fromEntries(properties.map((property) => [keyOf(property), known(property)]));
  const lacks = (property: ListedProperty, kind: SweepKind): kind is Exclude<SweepKind, "name"> =>
    kind !== "name" && soughtKinds.has(kind) && facts[keyOf(property)]?.[kind] === undefined;
  const isWhole = !properties.some((property) => sweepKinds.some((kind) => lacks(property, kind)));
  if (storedSweep && held?.changed.size === 0 && isWhole) return storedSweep;
  const unread = properties.filter((property) => isActive(property) && lacks(property, "hostname"));
  const active = unread.length > 0 ? await activeNames?.(calls) : undefined;
  for (const property of active ? unread : [])
    facts[keyOf(property)] = { ...facts[keyOf(property)], hostname: namesOf(property, active) };
  const listedAtMs = held && storedSweep ? storedSweep.listedAtMs : nowMs;
  const sweep = { listedAtMs, checkedAtMs: nowMs, properties, facts };
  try {
    await inBatches(
      properties,
      async (property) => {
        for (const kind of sweepKinds)
          if (lacks(property, kind))
            facts[keyOf(property)] = { ...facts[keyOf(property)], ...(await partOf(calls, property, kind)) };
      },
      atOnce,
    );
  } finally {
    // Work in the background may end at any call; the next one goes on from here.
    await results.remember(sweepName, sweep);
  }
  return sweep;
}
