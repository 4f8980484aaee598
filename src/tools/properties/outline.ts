/** A rule tree as an outline: the names of its rules, criteria and behaviors, each with its JSON Pointer. */
import type { Arguments, View } from "../../language/conduct.js";
import { quoteValue } from "../../language/failure.js";
import { isRecord } from "../../language/member.js";
import type { DeclaredResource } from "../../language/reading.js";
import { z } from "../../language/z.js";
import { nearestPlace, pointerSteps, valueAt } from "../../schema/json-pointer.js";
import { members } from "../fields.js";
import { propertyIds } from "./resources.js";
import { TreeRule } from "./shapes.js";

const Named = z.strictObject({ at: z.string(), name: z.string() });
const Line = z.strictObject({
  at: z.string(),
  /** Rules below the top may lack a name. */
  ...members(z.string().optional(), "name", "match"),
  criteria: z.array(Named).optional(),
  behaviors: z.array(Named).optional(),
  /** How many rules inside this one the outline leaves out. */
  more: z.int().optional(),
});
type Line = z.output<typeof Line>;

/** The most names in an outline. Whole trees of a megabyte have thousands. */
const maxNames = 600;

interface Placed {
  readonly at: string;
  readonly rule: TreeRule;
}
const childrenOf = ({ at, rule }: Placed): readonly Placed[] =>
  (rule.children ?? []).map((child, index) => ({ at: `${at}/children/${index}`, rule: child }));
const costOf = ({ rule }: Placed): number => 1 + (rule.criteria ?? []).length + (rule.behaviors ?? []).length;

/** The rules that fit into an outline: those nearest to the top. */
function fitting(top: Placed): ReadonlySet<TreeRule> {
  const queue: Placed[] = [top];
  const chosen = new Set<TreeRule>();
  let names = 0;
  for (const place of queue) {
    names += costOf(place);
    if (names > maxNames && chosen.size > 0) break;
    chosen.add(place.rule);
    queue.push(...childrenOf(place));
  }
  return chosen;
}

const countOf = (one: Placed): number => childrenOf(one).reduce((sum, child) => sum + 1 + countOf(child), 0);

/** The lines of an outline, in the order of the tree. */
function linesOf(place: Placed, chosen: ReadonlySet<TreeRule>): Line[] {
  const { at, rule } = place;
  const named = (kind: "criteria" | "behaviors") => {
    const list = (rule[kind] ?? []).map(({ name }, index) => ({ at: `${at}/${kind}/${index}`, name }));
    return list.length === 0 ? {} : { [kind]: list };
  };
  const children = childrenOf(place);
  const more = children.filter((child) => !chosen.has(child.rule)).reduce((sum, child) => sum + 1 + countOf(child), 0);
  const line: Line = {
    at,
    ...(rule.name === undefined ? {} : { name: rule.name }),
    ...(rule.criteriaMustSatisfy === undefined ? {} : { match: rule.criteriaMustSatisfy }),
    ...named("criteria"),
    ...named("behaviors"),
    ...(more === 0 ? {} : { more }),
  };
  return [line, ...children.filter((child) => chosen.has(child.rule)).flatMap((child) => linesOf(child, chosen))];
}

/** Everything in a response except the tree itself. */
const around = (body: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== "rules"));

/** The whole tree as a resource, which clients do not truncate as they do a tool result of a megabyte. */
export const ruleTreeResource: DeclaredResource = {
  address: "property://{propertyId}/versions/{propertyVersion}/rules",
  name: "property-rule-tree",
  title: "Rule tree",
  description: "The whole rule tree of a property's version, with its etag, read from the account.",
  content: { tool: "property_rule_tree_get", args: { validateRules: false }, values: { propertyId: propertyIds } },
};

const addressOf = ({ propertyId, propertyVersion }: Arguments): string =>
  ruleTreeResource.address
    .replace("{propertyId}", String(propertyId))
    .replace("{propertyVersion}", String(propertyVersion));

/**
 * The view of a rule tree. A part never has the member `rules`, which a write takes, so that it cannot be written back as
 * the whole tree.
 * @param inFull How to see everything, as the end of a sentence.
 */
export const treeView = (inFull: (callArguments: Arguments) => string): View => ({
  arguments: {
    outline: z.boolean().optional().describe("Default true; false with at"),
    at: z
      .string()
      .max(1_000)
      .refine((text) => pointerSteps(text) !== undefined, "a JSON Pointer such as /rules/children/0")
      .optional()
      .describe("Pointer from an outline: only this part"),
  },
  schema: z.looseObject({
    etag: z.string(),
    outline: z.array(Line).optional(),
    at: z.string().optional(),
    part: z.unknown().optional(),
  }),
  show: (body, { outline, at, ...callArguments }) => {
    if (!isRecord(body) || (outline === false && at === undefined)) return undefined;
    const pointer = typeof at === "string" ? at : "/rules";
    const part = valueAt(body, pointer);
    if (part === undefined) {
      const takes = `a place in the tree; the longest part of this path that exists is ${quoteValue(nearestPlace(body, pointer))}`;
      return { problem: { field: "at", given: quoteValue(at), takes } };
    }
    if (outline !== true && at !== undefined) return { value: { ...around(body), at: pointer, part } };
    const { data: rule } = TreeRule.safeParse(part);
    if (!rule) return { problem: { field: "at", given: quoteValue(at), takes: "the place of a rule, for an outline" } };
    const top = { at: pointer, rule };
    return {
      value: { ...around(body), outline: linesOf(top, fitting(top)) },
      notes: [
        `This is an outline: for a part, give a pointer from it as at; for everything, ${inFull(callArguments)}.`,
      ],
    };
  },
});

export const ruleTreeView = treeView((given) => `set outline: false or read the resource ${addressOf(given)}`);
