/** Reads the text of a policy file; what is wrong with it is said by line, key and nearest right name. */
import { isMap, isNode, isScalar, LineCounter, type ParsedNode, parseDocument } from "yaml";
import { keysAt } from "../api/argument-problems.js";
import { Failure, shown } from "../api/failure.js";
import { matchesGlob } from "../api/glob.js";
import { fieldOf, memberAt, pathTo } from "../api/member.js";
import { didYouMean } from "../api/nearest.js";
import type { z } from "../api/z.js";
import type { Policy } from "./rule.js";
import { policySchema } from "./schema.js";

/** The tools of the catalogue by name, so that a pattern that matches none is seen. */
export type KnownTools = ReadonlyMap<string, { readonly service: string }>;

interface Problem {
  readonly line: number | undefined;
  readonly text: string;
}

const maxProblems = 10;

function unusable(name: string, problems: readonly Problem[]): Failure {
  const lines = problems
    .slice(0, maxProblems)
    .map(({ line, text }) => (line === undefined ? text : `line ${line}: ${text}`));
  if (problems.length > maxProblems) lines.push(`and ${problems.length - maxProblems} more`);
  return new Failure("bad_configuration", `The policy ${name} cannot be used: ${lines.join("; ")}.`, {
    why: "A policy that is only partly understood could allow what it was meant to forbid, so nothing was started.",
    next: "Correct the file, and try it with `edgewise policy check TOOL '{\"json\"}'`; docs/policy.md describes it.",
  });
}

/** The value in the file, and how to find the line of a path in it; a problem where it is not YAML. */
function parsed(text: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, stringKeys: true, merge: false });
  const lineOf = (offset: number | undefined) => (offset === undefined ? undefined : lines.linePos(offset).line);
  const problems = [...document.errors, ...document.warnings].map(
    ({ code, pos: [offset] }): Problem => ({
      line: lineOf(offset),
      text: code === "DUPLICATE_KEY" ? "a key that is there twice" : "this is not YAML, or not of the plain kind",
    }),
  );
  /** The line of what is at a path, or of what is nearest around it. */
  const lineAt = (path: readonly PropertyKey[]): number | undefined => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = document.getIn(path.slice(0, length), true) as ParsedNode | undefined;
      if (isNode(node)) return lineOf(node.range[0]);
    }
    return undefined;
  };
  const lineOfKey = (path: readonly PropertyKey[], key: string): number | undefined => {
    const map = document.getIn(path);
    const pair = isMap(map) ? map.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
    return lineOf((pair?.key as ParsedNode | undefined)?.range[0]);
  };
  return { document, problems, lineAt, lineOfKey };
}

type Parsed = ReturnType<typeof parsed>;

function problemsOf(issue: z.core.$ZodIssue, value: unknown, { lineAt, lineOfKey }: Parsed): Problem[] {
  const field = issue.path.length === 0 ? "" : fieldOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(policySchema, issue.path);
    return issue.keys.map((key) => ({
      line: lineOfKey(issue.path, key),
      text: `there is no key ${pathTo(field, key)}${didYouMean(key, known)}; known: ${known.join(", ")}`,
    }));
  }
  const given = memberAt(value, issue.path);
  const what = given === undefined ? "is required and" : `was given as ${shown(given)}, and`;
  return [{ line: lineAt(issue.path), text: `${field || "the file"} ${what} takes ${issue.message}` }];
}

/** Names in the file that match nothing of the catalogue: a rule with a mistyped one would never hold. */
function unmatched({ rules, quotas }: z.output<typeof policySchema>, tools: KnownTools, { lineAt }: Parsed): Problem[] {
  const services = new Set([...tools.values()].map(({ service }) => service));
  const problem = (path: readonly PropertyKey[], name: string, kind: string, known: Iterable<string>): Problem => ({
    line: lineAt(path),
    text: `${fieldOf(path)} was given as ${shown(name)}, which matches no ${kind}${didYouMean(name, known)}`,
  });
  const isTool = (pattern: string) => [...tools.keys()].some((tool) => matchesGlob(pattern, tool));
  const ofTools = [...rules.entries(), ...quotas.entries()].flatMap(([at, one]) =>
    [...(one.tools ?? []).entries()]
      .filter(([, pattern]) => !isTool(pattern))
      .map(([item, pattern]) =>
        problem(["effect" in one ? "rules" : "quotas", at, "tools", item], pattern, "tool", tools.keys()),
      ),
  );
  const ofServices = [...rules.entries()].flatMap(([at, { services: named = [] }]) =>
    [...named.entries()]
      .filter(([, name]) => !services.has(name))
      .map(([item, name]) => problem(["rules", at, "services", item], name, "service", services)),
  );
  return [...ofTools, ...ofServices];
}

/**
 * Reads a policy.
 * @param name What the file is called, for errors.
 * @throws Failure `bad_configuration` with the line, the key and what it takes.
 */
export function readPolicy(text: string, name: string, tools: KnownTools): Omit<Policy, "hash"> {
  const file = parsed(text);
  if (file.problems.length > 0) throw unusable(name, file.problems);
  const value = plainValue(file, name);
  const { data, error } = policySchema.safeParse(value);
  if (!data)
    throw unusable(
      name,
      error.issues.flatMap((issue) => problemsOf(issue, value, file)),
    );
  const problems = unmatched(data, tools, file);
  if (problems.length > 0) throw unusable(name, problems);
  return data;
}

/** The file as plain values. An alias could make a small file a large value, and a policy needs none. */
function plainValue({ document }: Parsed, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw unusable(name, [{ line: undefined, text: "it has an alias (*name), which a policy does not take" }]);
  }
}
