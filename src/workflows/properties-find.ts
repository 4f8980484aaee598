/**
 * Finds properties by name, hostname, CP code or origin, without their group: from one sweep of the account, which is
 * stored.
 */
import { type WorkflowContext, workflow } from "../calls/workflow.js";
import { z } from "../language/z.js";
import { invalidInput } from "../schema/arguments.js";
import { misspelledIn } from "../text/nearest.js";
import { Hostnames, Properties, RuleTree, type TreeRule } from "../tools/properties/shapes.js";
import { contractGroups } from "./account-cpcodes.js";
import { inBatches, incompleteNotes, type Steps, startSteps, stepsInBrief } from "./steps.js";

const tool = "properties_find";
const kinds = ["name", "hostname", "cpcode", "origin"] as const;
type Kind = (typeof kinds)[number];
type ListedProperty = z.output<typeof Properties>["properties"]["items"][number];

/** What a version of a property has; a part is absent until it was read. */
interface PropertyFacts {
  readonly hostname?: readonly string[];
  readonly cpcode?: readonly string[];
  readonly origin?: readonly string[];
}

/** What is stored of an account. */
interface Sweep {
  readonly listedAtMs: number;
  readonly properties: readonly ListedProperty[];
  /** By property and version. */
  readonly facts: Readonly<Record<string, PropertyFacts>>;
}

const sweepName = "properties of the account";
const [maxCalls, atOnce, maxRows] = [5_000, 12, 50];

/** The version that answers for a property: the one on production, else the one on staging, else the newest. */
const versionOf = ({ productionVersion, stagingVersion, latestVersion }: ListedProperty): number =>
  productionVersion ?? stagingVersion ?? latestVersion;
const isActive = ({ productionVersion, stagingVersion }: ListedProperty): boolean =>
  (productionVersion ?? stagingVersion ?? undefined) !== undefined;
const keyOf = (one: ListedProperty): string => `${one.propertyId} ${versionOf(one)}`;

/** The CP codes and origins of a rule tree, each once. */
export function factsOfRules(top: TreeRule): PropertyFacts {
  const [cpcode, origin] = [new Set<string>(), new Set<string>()];
  const rules = [top];
  for (const { behaviors = [], children = [] } of rules) {
    for (const { name, options = {} } of behaviors) {
      const { value, hostname } = options as { value?: { id?: unknown }; hostname?: unknown };
      if (name === "cpCode" && value?.id !== undefined) cpcode.add(String(value.id));
      if (name === "origin" && typeof hostname === "string") origin.add(hostname);
    }
    rules.push(...children);
  }
  return { cpcode: [...cpcode], origin: [...origin] };
}

/** Lists the properties of each contract in each group; undefined if nothing could be listed. */
async function listing(steps: Steps): Promise<readonly ListedProperty[] | undefined> {
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
async function partOf(steps: Steps, property: ListedProperty, kind: Exclude<Kind, "name">): Promise<PropertyFacts> {
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

/** The stored account, with what a search needs of it; what is stored is not read again. */
async function currentSweep(
  { results }: Pick<WorkflowContext, "results">,
  steps: Steps,
  soughtKinds: ReadonlySet<Kind>,
  isRefreshed: boolean,
): Promise<Sweep | undefined> {
  const storedSweep = (await results.recall(sweepName)) as Sweep | undefined;
  const listed = storedSweep && !isRefreshed ? storedSweep.properties : await listing(steps);
  if (listed === undefined) return undefined;
  // The content of an active version never changes; another version may have been edited since.
  const known = (property: ListedProperty): PropertyFacts =>
    isRefreshed && !isActive(property) ? {} : (storedSweep?.facts[keyOf(property)] ?? {});
  const entries = await inBatches(
    listed,
    async (property) => {
      let facts = known(property);
      for (const kind of kinds)
        if (kind !== "name" && soughtKinds.has(kind) && facts[kind] === undefined)
          facts = { ...facts, ...(await partOf(steps, property, kind)) };
      return [keyOf(property), facts] as const;
    },
    atOnce,
  );
  const listedAtMs = storedSweep && !isRefreshed ? storedSweep.listedAtMs : Date.now();
  const sweep = { listedAtMs, properties: listed, facts: Object.fromEntries(entries) };
  await results.remember(sweepName, sweep);
  return sweep;
}

/** The rank of a text with a typing error. */
const slip = 2;

/** How well a text fits: 0 is the same, 1 has it as a part, 2 differs by a typing error; undefined if it does not fit. */
function rankOf(kind: Kind, sought: string, text: string): number | undefined {
  const [wanted, found] = [sought.toLowerCase(), text.toLowerCase()];
  if (wanted === found) return 0;
  if (kind === "cpcode") return undefined;
  if (found.includes(wanted)) return 1;
  return misspelledIn(wanted, [found]).length > 0 ? slip : undefined;
}

type Sought = Readonly<Partial<Record<Kind, string>>>;

/** A property that fits everything that is sought, with what fits and how well; undefined if something does not. */
function matchProperty(one: ListedProperty, facts: PropertyFacts, sought: Sought) {
  let worst = 0;
  const by: Partial<Record<Kind, readonly string[]>> = {};
  for (const kind of kinds) {
    const soughtText = sought[kind];
    if (soughtText === undefined) continue;
    const texts = kind === "name" ? [one.propertyName] : (facts[kind] ?? []);
    const fitting = texts.flatMap((text) => {
      const rank = rankOf(kind, soughtText, text);
      return rank === undefined ? [] : [{ text, rank }];
    });
    if (fitting.length === 0) return undefined;
    const best = Math.min(...fitting.map(({ rank }) => rank));
    worst = Math.max(worst, best);
    by[kind] = fitting.filter(({ rank }) => rank === best).map(({ text }) => text);
  }
  return { worst, one, by };
}

const rowOf = ({ one, by }: NonNullable<ReturnType<typeof matchProperty>>) => ({
  propertyId: one.propertyId,
  propertyName: one.propertyName,
  contractId: one.contractId,
  groupId: one.groupId,
  version: versionOf(one),
  productionVersion: one.productionVersion ?? null,
  stagingVersion: one.stagingVersion ?? null,
  latestVersion: one.latestVersion,
  matches: by,
});

const text = z.string().min(1).max(253).optional();

export const propertiesFind = workflow({
  title: "Properties: find in the whole account",
  does: "Finds properties by part of a name, hostname or origin, or by CP code, in all groups.",
  input: z.strictObject({
    name: text,
    hostname: text,
    cpcode: z.union([z.int().positive(), z.string().regex(/^(cpc_)?\d{1,12}$/, "a number")]).optional(),
    origin: text,
    refresh: z.boolean().optional().describe("Read again"),
  }),
  steps: [
    "List the properties of each contract in each group, once; a later search uses what was kept, unless refresh is true.",
    "For a hostname read the hostnames of each property, and for a CP code or an origin its rules: of the version on production, else on staging, else the newest. Only what was not read before is read.",
    "Find those that fit everything given: the same text first, then texts that contain it, then those with a typing error.",
  ],
  example: { hostname: "shop.example" },
  isFrontLine: false,

  async run({ refresh = false, cpcode, ...texts }, context) {
    const number = cpcode === undefined ? undefined : String(cpcode).replace(/^cpc_/, "");
    const sought: Sought = { ...texts, ...(number === undefined ? {} : { cpcode: number }) } as Sought;
    const soughtKinds = new Set(kinds.filter((kind) => sought[kind] !== undefined));
    if (soughtKinds.size === 0)
      throw invalidInput(tool, [{ field: kinds[0], takes: `a value in at least one of ${kinds.join(", ")}` }]);
    const steps = startSteps(context, maxCalls);
    const sweep = await currentSweep(context, steps, soughtKinds, refresh);
    if (sweep === undefined)
      return { findings: ["The groups could not be listed; see steps for the reason."], steps: stepsInBrief(steps) };
    const all = sweep.properties
      .flatMap((one) => matchProperty(one, sweep.facts[keyOf(one)] ?? {}, sought) ?? [])
      .sort((a, b) => a.worst - b.worst || a.one.propertyName.localeCompare(b.one.propertyName));
    // A text with a typing error is only meant where no other fits.
    const isMeant = (all[0]?.worst ?? slip) < slip;
    const matches = isMeant ? all.filter(({ worst }) => worst < slip) : all;
    const minutes = Math.round((Date.now() - sweep.listedAtMs) / 60_000);
    return {
      findings: [
        `${matches.length} of ${sweep.properties.length} properties match${matches.length > 0 && !isMeant ? ", none exactly" : ""}.`,
        ...(matches.length > maxRows ? [`The first ${maxRows} are listed: search for more of the text.`] : []),
        ...(minutes > 0 ? [`The properties were listed ${minutes} min ago; refresh: true lists them again.`] : []),
        ...incompleteNotes(steps, "properties may be missing: the same call reads the rest"),
      ],
      properties: matches.slice(0, maxRows).map(rowOf),
      steps: stepsInBrief(steps),
    };
  },
});
