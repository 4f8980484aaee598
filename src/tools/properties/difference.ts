/** The differences between two versions of a property in words: rules, behaviors, criteria, options and hostnames. */
import { factDifference, factsIn, fieldWords, movedIn, numbered } from "../../language/line-difference.js";
import type { z } from "../../language/z.js";
import { applyPatch, type JsonPatch } from "../../schema/json-patch.js";
import type { TreeRule } from "./shapes.js";

/** The name of a rule; only the top one always has one. */
const nameOf = ({ name }: TreeRule): string => name ?? "without a name";

/** The names of the rules inside a rule, numbered where several have one name. */
const childNames = ({ children = [] }: TreeRule): readonly string[] => numbered(children.map(nameOf));

/** Members that have their own lines, or that only identify the object that they are in. */
const shownElsewhere = [
  "name",
  "children",
  "criteria",
  "behaviors",
  "variables",
  "criteriaMustSatisfy",
  "value",
  "uuid",
  "templateUuid",
];

/** The other members of a rule, a feature or a variable. */
const restOf = (one: object, ...others: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(one).filter(([name]) => ![...shownElsewhere, ...others].includes(name)));

type Facts = Generator<readonly [string, unknown]>;
type Features = NonNullable<TreeRule["criteria"]>;

/** Every rule of a tree by its path of names, those inside a rule after it. */
function* rulesIn(
  rule: TreeRule,
  path: readonly string[] = [nameOf(rule)],
): Generator<readonly [path: string, TreeRule]> {
  yield [path.join(" > "), rule];
  const names = childNames(rule);
  for (const [index, child] of (rule.children ?? []).entries()) yield* rulesIn(child, [...path, names[index] ?? ""]);
}

/** The facts of a rule's criteria or behaviors. */
function* featureFacts(kind: string, list: Features, path: string): Facts {
  for (const [index, name] of numbered(list.map((one) => one.name)).entries()) {
    const at = `${kind} ${name} of ${path}`;
    yield [at, ""];
    yield* factsIn(list[index]?.options ?? {}, at);
    yield* factsIn(restOf(list[index] ?? {}, "options"), at);
  }
}

/** A feature on one line with its options. */
function featureWords({ name, ...rest }: Features[number]): string {
  const words = [...fieldWords(rest.options ?? {}), ...fieldWords(restOf(rest, "options"))];
  return [name, words.join(", ")].filter(Boolean).join(" ");
}

type Variable = NonNullable<TreeRule["variables"]>[number];
const isHidden = ({ hidden, sensitive }: Variable): boolean => hidden === true || sensitive === true;
/** The value of a variable, unless it is hidden. */
const shownOf = (variable: Variable): unknown => (isHidden(variable) ? "hidden" : (variable.value ?? ""));

/** A rule without those inside it, on one line: when it applies, its behaviors, its variables and its other fields. */
function ruleWords(rule: TreeRule): string {
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

/** The facts of a rule without those inside it: a line for itself, and for each feature and option. */
function* factsOf(path: string, rule: TreeRule): Facts {
  yield [`rule ${path}`, rule.criteriaMustSatisfy ?? ""];
  yield* factsIn(restOf(rule), `rule ${path}`);
  yield* featureFacts("criterion", rule.criteria ?? [], path);
  yield* featureFacts("behavior", rule.behaviors ?? [], path);
  for (const variable of rule.variables ?? []) {
    const at = `variable ${variable.name} of ${path}`;
    yield [at, shownOf(variable)];
    yield* factsIn(restOf(variable), at);
  }
}

/** Rules with their paths. Two can have one path, because a name can contain what joins names. */
type Rules = readonly (readonly [path: string, TreeRule])[];

/** The names of the behaviors of each rule and of the rules in it, in their order, which decides what the edge does. */
const ordersOf = (rules: Rules) =>
  rules.flatMap(([path, rule]): [string, readonly string[]][] => [
    [path, numbered((rule.behaviors ?? []).map(({ name }) => name)).map((name) => `behavior ${name} of ${path}`)],
    [`${path} >`, childNames(rule).map((name) => `rule ${path} > ${name}`)],
  ]);

/** The hidden variables of all rules, whose values are compared and never shown. */
const hiddenIn = (rules: Rules) =>
  rules.flatMap(([path, { variables = [] }]) =>
    variables.filter(isHidden).map(({ name, value }) => [`variable ${name} of ${path}`, value] as const),
  );

/** How one rule tree differs from another; losses come first, and a rule that comes or goes has one line. */
export function treeDifference(before: TreeRule, after: TreeRule): string[] {
  const [old, now] = [[...rulesIn(before)], [...rulesIn(after)]];
  const [oldPaths, newPaths] = [new Map(old), new Map(now)];
  const factsAt = (paths: ReadonlyMap<string, TreeRule>, rules: Rules) =>
    new Map(rules.filter(([path]) => paths.has(path)).flatMap(([path, rule]) => [...factsOf(path, rule)]));
  const former = new Map(ordersOf(old));
  const hidden = new Map(hiddenIn(old));
  return [
    ...old.filter(([path]) => !newPaths.has(path)).map(([path, rule]) => `- rule ${path}${ruleWords(rule)}`),
    ...factDifference(factsAt(newPaths, old), factsAt(oldPaths, now)),
    ...now.filter(([path]) => !oldPaths.has(path)).map(([path, rule]) => `+ rule ${path}${ruleWords(rule)}`),
    ...hiddenIn(now)
      .filter(([name, value]) => hidden.has(name) && hidden.get(name) !== value)
      .map(([name]) => `${name}: hidden → another hidden value`),
    ...ordersOf(now).flatMap(([of, names]) => movedIn(former.get(of) ?? [], names)),
  ];
}

/**
 * What a patch changes in a tree: in its format, its comments and its rules; undefined if that could not be read, or if the
 * patch does not fit it.
 */
export function patchDifference(
  schema: z.ZodType<{ readonly rules: TreeRule }>,
  present: unknown,
  patch: JsonPatch,
): string[] | undefined {
  const result = applyPatch(present, patch, "body");
  const [before, after] = [present, "value" in result ? result.value : undefined].map(
    (one) => schema.safeParse(one).data,
  );
  if (before === undefined || after === undefined) return undefined;
  const [former, latter] = [before, after].map(({ rules: _, ...rest }) => new Map(factsIn(rest)));
  return [...factDifference(former ?? new Map(), latter ?? new Map()), ...treeDifference(before.rules, after.rules)];
}

interface Entry {
  readonly cnameFrom: string;
  readonly cnameTo?: string | undefined;
  readonly edgeHostnameId?: string | undefined;
  readonly [member: string]: unknown;
}

/** The settings of hostnames that both versions have, other than their edge hostnames. */
function* settingsOf(entries: readonly Entry[], others: readonly Entry[]): Generator<readonly [string, unknown]> {
  const otherNames = new Set(others.map(({ cnameFrom }) => cnameFrom));
  for (const { cnameFrom, cnameTo: _to, edgeHostnameId: _id, ...rest } of entries)
    if (otherNames.has(cnameFrom)) yield* factsIn(rest, `hostname ${cnameFrom}`);
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
