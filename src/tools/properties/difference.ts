/** What differs between two versions of a property, in words: rules, behaviors, criteria, their options, and hostnames. */
import { shown } from "../../api/failure.js";
import { isRecord } from "../../api/member.js";
import type { Rule } from "./shapes.js";

const join = (path: readonly string[]): string => path.join(" > ");

/** The leaves of options, by their path. */
function* leavesOf(value: unknown, at: string): Generator<readonly [string, string]> {
  if (isRecord(value)) for (const [name, inner] of Object.entries(value)) yield* leavesOf(inner, `${at}.${name}`);
  else yield [at, shown(value)];
}

/** Names in a list, told apart where one occurs more than once. */
function numbered(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/** What a rule and the rules inside it say: a line for each rule, feature and option, by what it is called. */
function* factsOf(rule: Rule, path: readonly string[]): Generator<readonly [string, string]> {
  yield [`rule ${join(path)}`, rule.criteriaMustSatisfy ?? ""];
  for (const [kind, list] of [
    ["criterion", rule.criteria ?? []],
    ["behavior", rule.behaviors ?? []],
  ] as const)
    for (const [index, name] of numbered(list.map((one) => one.name)).entries()) {
      const at = `${kind} ${name} of ${join(path)}`;
      yield [at, ""];
      yield* leavesOf(list[index]?.options ?? {}, at);
    }
  for (const variable of rule.variables ?? []) {
    const isHidden = variable.hidden === true || variable.sensitive === true;
    yield [`variable ${variable.name} of ${join(path)}`, isHidden ? "a hidden value" : shown(variable.value ?? "")];
  }
  const names = numbered((rule.children ?? []).map(({ name }) => name));
  for (const [index, child] of (rule.children ?? []).entries()) yield* factsOf(child, [...path, names[index] ?? ""]);
}

/** What goes, comes and changes between two collections of facts. */
function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const written = (name: string, value: string) => (value === "" ? name : `${name}: ${value}`);
  const gone = [...before].filter(([name]) => !after.has(name)).map(([name, value]) => `- ${written(name, value)}`);
  const come = [...after].filter(([name]) => !before.has(name)).map(([name, value]) => `+ ${written(name, value)}`);
  const other = [...before].flatMap(([name, value]) => {
    const now = after.get(name);
    return now === undefined || now === value ? [] : [`${name}: ${value || "none"} → ${now || "none"}`];
  });
  return [...gone, ...other, ...come];
}

/** How one rule tree differs from another, what is lost first. */
export const treeDifference = (before: Rule, after: Rule): string[] =>
  changed(new Map(factsOf(before, [before.name])), new Map(factsOf(after, [after.name])));

interface Entry {
  readonly cnameFrom: string;
  readonly cnameTo?: string | undefined;
  readonly edgeHostnameId?: string | undefined;
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
  return changed(named(before), named(after));
}

const maxLines = 60;

/** The lines of a difference, the first of them where they are many. */
export const bounded = (lines: readonly string[], nothing: string): readonly string[] =>
  lines.length === 0
    ? [nothing]
    : lines.length <= maxLines
      ? lines
      : [...lines.slice(0, maxLines), `And ${lines.length - maxLines} more.`];
