/** The differences between two versions of a property in words: rules, behaviors, criteria, options and hostnames. */
import { factDifference, factsIn, fieldWords, movedIn, numbered } from "../../language/line-difference.js";
import type { z } from "../../language/z.js";
import { type JsonPatch, patched } from "../../schema/json-patch.js";
import type { Rule } from "./shapes.js";

/** The name of a rule; only the top one always has one. */
const nameOf = ({ name }: Rule): string => name ?? "without a name";

const join = (path: readonly string[]): string => path.join(" > ");

/** Members that have their own lines, or that only identify the object that they are in. */
const shownElsewhere = [
  ...["name", "children", "criteria", "behaviors", "variables", "criteriaMustSatisfy", "value"],
  ...["uuid", "templateUuid"],
];

/** The other members of a rule, a feature or a variable. */
const restOf = (one: object, ...others: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(one).filter(([name]) => ![...shownElsewhere, ...others].includes(name)));

type Facts = Generator<readonly [string, unknown]>;

/** The facts of a rule's criteria or behaviors. */
function* featureFacts(kind: string, list: NonNullable<Rule["criteria"]>, path: readonly string[]): Facts {
  for (const [index, name] of numbered(list.map((one) => one.name)).entries()) {
    const at = `${kind} ${name} of ${join(path)}`;
    yield [at, ""];
    yield* factsIn(list[index]?.options ?? {}, at);
    yield* factsIn(restOf(list[index] ?? {}, "options"), at);
  }
}

/** A feature on one line with its options. */
function featureWords({ name, ...rest }: NonNullable<Rule["criteria"]>[number]): string {
  const words = [...fieldWords(rest.options ?? {}), ...fieldWords(restOf(rest, "options"))];
  return [name, words.join(", ")].filter(Boolean).join(" ");
}

/** The value of a variable, unless it is hidden. */
const shownOf = ({ value, hidden, sensitive }: NonNullable<Rule["variables"]>[number]): unknown =>
  hidden === true || sensitive === true ? "hidden" : (value ?? "");

/** A rule without those inside it, on one line: when it applies, its behaviors, its variables and its other fields. */
function ruleWords(rule: Rule): string {
  const criteria = [rule.criteriaMustSatisfy, (rule.criteria ?? []).map(featureWords).join("; ")];
  const when = criteria.filter(Boolean).join(": ");
  const variables = rule.variables ?? [];
  const content = [
    ...(rule.behaviors ?? []).map(featureWords),
    ...variables.map(
      (one) => `variable ${[one.name, ...fieldWords(shownOf(one)), ...fieldWords(restOf(one))].join(" ")}`,
    ),
    ...fieldWords(restOf(rule)),
  ];
  return `${when === "" ? "" : ` (${when})`}${content.length === 0 ? "" : `: ${content.join("; ")}`}`;
}

/** The lines of all rules by their paths. */
function* rulesIn(rule: Rule, path: readonly string[]): Generator<readonly [string, string]> {
  yield [join(path), ruleWords(rule)];
  const names = numbered((rule.children ?? []).map(nameOf));
  for (const [index, child] of (rule.children ?? []).entries()) yield* rulesIn(child, [...path, names[index] ?? ""]);
}

/** The facts of the given rules of a tree: a line for each rule, feature and option, under its name. */
function* factsOf(rule: Rule, path: readonly string[], of: ReadonlyMap<string, unknown>): Facts {
  // A rule is only in both trees if the one around it is.
  if (!of.has(join(path))) return;
  yield [`rule ${join(path)}`, rule.criteriaMustSatisfy ?? ""];
  yield* factsIn(restOf(rule), `rule ${join(path)}`);
  yield* featureFacts("criterion", rule.criteria ?? [], path);
  yield* featureFacts("behavior", rule.behaviors ?? [], path);
  for (const variable of rule.variables ?? []) {
    const at = `variable ${variable.name} of ${join(path)}`;
    yield [at, shownOf(variable)];
    yield* factsIn(restOf(variable), at);
  }
  const names = numbered((rule.children ?? []).map(nameOf));
  for (const [index, child] of (rule.children ?? []).entries())
    yield* factsOf(child, [...path, names[index] ?? ""], of);
}

/** The rules and the behaviors of each rule in their order, which decides what the edge does. */
function* ordersOf(rule: Rule, path: readonly string[]): Generator<readonly [string, readonly string[]]> {
  const rules = numbered((rule.children ?? []).map(nameOf));
  const behaviors = numbered((rule.behaviors ?? []).map(({ name }) => name));
  yield [join(path), behaviors.map((name) => `behavior ${name} of ${join(path)}`)];
  yield [`${join(path)} >`, rules.map((name) => `rule ${join([...path, name])}`)];
  for (const [index, child] of (rule.children ?? []).entries()) yield* ordersOf(child, [...path, rules[index] ?? ""]);
}

/** The hidden variables of a rule and of those inside it, whose values are compared and never shown. */
function* hiddenIn(rule: Rule, path: readonly string[]): Facts {
  for (const { name, value, hidden, sensitive } of rule.variables ?? [])
    if (hidden === true || sensitive === true) yield [`variable ${name} of ${join(path)}`, value];
  for (const child of rule.children ?? []) yield* hiddenIn(child, [...path, nameOf(child)]);
}

type Words = ReadonlyMap<string, string>;

/** How one rule tree differs from another; losses come first, and a rule that comes or goes has one line. */
export function treeDifference(before: Rule, after: Rule): string[] {
  const former = new Map(ordersOf(before, [nameOf(before)]));
  const moved = [...ordersOf(after, [nameOf(after)])].flatMap(([of, names]) => movedIn(former.get(of) ?? [], names));
  const hidden = new Map(hiddenIn(before, [nameOf(before)]));
  const others = [...hiddenIn(after, [nameOf(after)])].filter(
    ([name, value]) => hidden.has(name) && hidden.get(name) !== value,
  );
  const wordsOf = (rule: Rule): Words => new Map(rulesIn(rule, [nameOf(rule)]));
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const lacking = (some: Words, all: Words) => [...some].filter(([name]) => !all.has(name));
  return [
    ...lacking(old, now).map(([name, words]) => `- rule ${name}${words}`),
    ...factDifference(new Map(factsOf(before, [nameOf(before)], now)), new Map(factsOf(after, [nameOf(after)], old))),
    ...lacking(now, old).map(([name, words]) => `+ rule ${name}${words}`),
    ...others.map(([name]) => `${name}: hidden → another hidden value`),
    ...moved,
  ];
}

/** How a tree differs from another in all that a patch can change: its format and its comments, and its rules. */
function contentDifference(before: { readonly rules: Rule }, after: { readonly rules: Rule }): string[] {
  const [former, latter] = [before, after].map(({ rules: _, ...rest }) => new Map(factsIn(rest)));
  return [...factDifference(former ?? new Map(), latter ?? new Map()), ...treeDifference(before.rules, after.rules)];
}

/** What a patch changes in a tree; undefined if that could not be read, or if the patch does not fit it. */
export function patchDifference(
  schema: z.ZodType<{ readonly rules: Rule }>,
  present: unknown,
  patch: JsonPatch,
): string[] | undefined {
  const result = patched(present, patch, "body");
  const [before, after] = [present, "value" in result ? result.value : undefined].map(
    (one) => schema.safeParse(one).data,
  );
  return before && after && contentDifference(before, after);
}

interface Entry {
  readonly cnameFrom: string;
  readonly cnameTo?: string | undefined;
  readonly edgeHostnameId?: string | undefined;
  readonly [member: string]: unknown;
}

/** The settings of hostnames that both versions have, other than their edge hostnames. */
function* settingsOf(entries: readonly Entry[], others: readonly Entry[]): Generator<readonly [string, unknown]> {
  const kept = new Set(others.map(({ cnameFrom }) => cnameFrom));
  for (const { cnameFrom, cnameTo: _to, edgeHostnameId: _id, ...rest } of entries)
    if (kept.has(cnameFrom)) yield* factsIn(rest, `hostname ${cnameFrom}`);
}

/** How one version's hostnames differ from another's. */
export function hostnameDifference(before: readonly Entry[], after: readonly Entry[]): string[] {
  const named = (entries: readonly Entry[]) =>
    new Map(
      entries.map(({ cnameFrom, cnameTo, edgeHostnameId }) => [
        `hostname ${cnameFrom}`,
        cnameTo ?? edgeHostnameId ?? "",
      ]),
    );
  return [
    ...factDifference(named(before), named(after)),
    ...factDifference(new Map(settingsOf(before, after)), new Map(settingsOf(after, before))),
  ];
}
