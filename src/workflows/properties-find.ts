/**
 * Finds properties by name, hostname, CP code or origin, without their group: from one sweep of the account, which is
 * stored. Of a whole hostname it gives everything that is known.
 */
import { type WorkflowContext, workflow } from "../calls/workflow.js";
import { z } from "../language/z.js";
import { invalidInput } from "../schema/arguments.js";
import { hostnameIn } from "../site/names.js";
import { misspelledIn } from "../text/nearest.js";
import {
  currentSweep,
  type FindingGeneration,
  type SweepKind as Kind,
  keyOf,
  sweepKinds as kinds,
  type ListedProperty,
  type PropertyFacts,
  versionOf,
} from "./properties-sweep.js";
import { incompleteNotes, startSteps, stepsInBrief } from "./steps.js";

const tool = "properties_find";
const [maxCalls, maxRows] = [5_000, 50];

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

/** Everything about a hostname, if a whole one is all that is sought and a property has it, or why that is unknown. */
async function cardFor(
  { hostname, ...others }: Sought,
  context: WorkflowContext,
  generation: FindingGeneration,
  isRefreshed: boolean,
) {
  const isAlone = Object.values(others).every((one) => one === undefined);
  const whole = hostname === undefined || !isAlone ? undefined : hostnameIn(hostname);
  if (whole === undefined) return undefined;
  const { cardOfHostname } = await import("./hostname-card.js");
  return cardOfHostname(whole, context, generation, isRefreshed);
}

/** The properties that fit everything that is sought. */
async function search(
  sought: Sought,
  soughtKinds: ReadonlySet<Kind>,
  context: WorkflowContext,
  generation: FindingGeneration,
  isRefreshed: boolean,
  notes: readonly string[],
) {
  const steps = startSteps(context, maxCalls);
  const sweep = await currentSweep(context, steps, generation, soughtKinds, isRefreshed);
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
      ...notes,
      ...incompleteNotes(steps, "properties may be missing: the same call reads the rest"),
    ],
    properties: matches.slice(0, maxRows).map(rowOf),
    steps: stepsInBrief(steps),
  };
}

/** The search by one generation of the APIs. */
export const findingBy = (generation: FindingGeneration) =>
  workflow({
    title: "Properties: find in the whole account",
    does: "Finds properties by part of a name or origin, or CP code; of a whole hostname gives everything.",
    input: z.strictObject({
      name: text,
      hostname: text,
      cpcode: z.union([z.int().positive(), z.string().regex(/^(cpc_)?\d{1,12}$/, "a number")]).optional(),
      origin: text,
      refresh: z.boolean().optional().describe("Read again"),
    }),
    steps: [
      "Of a whole hostname alone, return everything: its property and versions on both networks, edge hostname, certificate, DNS records, includes, CP codes, policies and lists, last changes and errors. It is read, or kept up to 15 minutes; what is changed from here is read again. What cannot be read is named with the reason.",
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
      const found = await cardFor(sought, context, generation, refresh);
      if (found && "card" in found) return found.card;
      const notes = found ? [`Everything about the hostname could not be read: ${found.unknown}`] : [];
      return search(sought, soughtKinds, context, generation, refresh, notes);
    },
  });

/** By the APIs of the documents. */
export const propertiesFind = findingBy({
  site: async () => (await import("../site/generation.js")).documentsGeneration,
});
