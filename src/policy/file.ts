/**
 * The policy file: its keys and values, its problems with line, key and suggestion, and reading it if no other user can
 * have written it.
 */
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { isMap, isNode, isScalar, LineCounter, type ParsedNode, parseDocument } from "yaml";
import { Failure, quoteValue } from "../language/failure.js";
import { fieldOf, memberAt, pathTo } from "../language/member.js";
import { z } from "../language/z.js";
import { keysAt } from "../schema/problems.js";
import { type ProcessUser, processUser, refuseOpenFile, textIn } from "../system/file-access.js";
import { matchesGlob } from "../text/glob.js";
import { didYouMean } from "../text/nearest.js";
import { isZone, zoneText } from "../time/zone.js";
import { ticketPatternForm, ticketPatternText } from "./ticket.js";
import { knownNetworks, tiers } from "./tier.js";
import { principalPatternsShape } from "./who-shape.js";
import { type PolicyWindow, windowOf, windowText } from "./window.js";

const oneOf = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.enum(values, `one of ${values.join(", ")}`);

/** A list with at least one item: an empty one would match nothing, which is probably a mistake. */
const listOf = <S extends z.ZodType>(item: S) => z.array(item, "a list").min(1, "a list of at least one item");

/** The ids of decisions without a rule of the file. */
const reserved = ["read-only", "default", "egress"];
const id = z
  .string("an id")
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "an id of lower-case letters, digits, - and _, such as no-purge-on-friday")
  .refine((name) => !reserved.includes(name), `an id other than ${reserved.join(", ")}, which are taken`);

const pattern = z.string("a pattern in quotes").min(1, "a pattern, in which * matches any text and ? one character");

const window = z.string(windowText).transform((text, context): PolicyWindow => {
  const found = windowOf(text);
  if (found !== undefined) return found;
  context.addIssue({ code: "custom", message: windowText });
  return z.NEVER;
});

const approvers = z.literal([1, 2], "1 or 2");

/** Who is left out of a rule, and what lets a call through that a rule denies; all of it has to hold. */
const exceptionShape = {
  ...principalPatternsShape,
  /** Patterns of tickets, of which one has to match the ticket of the call. */
  tickets: listOf(z.string("a pattern in quotes").regex(ticketPatternForm, ticketPatternText)).optional(),
  /** Two persons, each with a reason: the call waits for them. */
  approvers: z.literal(2, "2: a call that is denied to one person can only be let through by two").optional(),
};

const unique = (list: readonly { readonly id: string }[]): boolean =>
  new Set(list.map((one) => one.id)).size === list.length;
const mapping = "keys with values";

/** A rule: it matches a call if each of its lists matches; an omitted list matches every call. */
const rule = z
  .strictObject(
    {
      id,
      effect: oneOf(["allow", "deny", "approve"]),
      /** The author's reason for the rule. */
      because: z.string("a sentence").min(1, "a sentence").max(300, "at most 300 characters").optional(),
      /** Patterns of tools' names. */
      tools: listOf(pattern).optional(),
      services: listOf(z.string("the name of a service")).optional(),
      tiers: listOf(oneOf(tiers)).optional(),
      /** Patterns of profiles, or of sections of the credentials file if there are no profiles. */
      profiles: listOf(pattern).optional(),
      networks: listOf(oneOf(knownNetworks)).optional(),
      /** Patterns of the objects that a call names. */
      objects: listOf(pattern).optional(),
      during: listOf(window).optional(),
      /** Whether it is about operations of imported definitions, and only those; other rules match none of them. */
      imported: z.literal(true, "true, or nothing").optional(),
      /** Who calls. A call without a principal matches none of these lists. */
      ...principalPatternsShape,
      unless: z
        .strictObject(exceptionShape, mapping)
        .refine((given) => Object.keys(given).length > 0, `at least one of ${Object.keys(exceptionShape).join(", ")}`)
        .optional(),
      /** How many persons have to approve. */
      approvers: approvers.optional(),
    },
    mapping,
  )
  .refine(({ effect, approvers: wanted }) => effect === "approve" || wanted === undefined, {
    path: ["approvers"],
    message: "nothing unless the effect is approve",
  })
  .refine(({ effect, unless }) => effect === "deny" || unless?.tickets === undefined, {
    path: ["unless", "tickets"],
    message: "nothing unless the effect is deny: a ticket replaces no approval",
  })
  .refine(({ effect, unless }) => effect === "deny" || unless?.approvers === undefined, {
    path: ["unless", "approvers"],
    message: "nothing unless the effect is deny: with approve, the rule's own approvers says how many persons approve",
  })
  .refine(({ effect, tiers: wanted }) => effect !== "approve" || !wanted?.includes("read"), {
    path: ["tiers"],
    message: "no read if the effect is approve: a read is allowed or denied",
  });

const quota = z
  .strictObject(
    {
      id,
      tools: listOf(pattern),
      counts: oneOf(["objects", "calls", "requests"]),
      per: oneOf(["hour", "day", "parallel"]),
      max: z.int("a whole number").min(1, "at least 1; a rule with the effect deny forbids a call altogether"),
    },
    mapping,
  )
  .refine(({ counts, per }) => counts !== "requests" || per !== "parallel", {
    path: ["per"],
    message: "hour or day if requests are counted: a call makes its requests one after the other",
  });

/** The file as a whole. */
const policySchema = z.strictObject(
  {
    version: z.literal(1, "1, the only version there is"),
    rules: z.array(rule, "a list").refine(unique, "rules whose ids differ").default([]),
    /** How many persons have to approve a critical call, if its rule does not say. */
    approvers: approvers.default(1),
    /** In which the end of a freeze is said; by default that of its window, or of the machine. */
    timeZone: z.string(zoneText).refine(isZone, zoneText).optional(),
    quotas: z.array(quota, "a list").refine(unique, "quotas whose ids differ").default([]),
    /** Patterns of the allowed destinations; an omitted list allows all. */
    egress: z
      .strictObject(
        // An empty list is meaningful here: data must not be sent anywhere.
        { emails: z.array(pattern, "a list").optional(), hosts: z.array(pattern, "a list").optional() },
        mapping,
      )
      .default({}),
  },
  mapping,
);

/** Freezes the parsed policy; windows are functions and stay as they are. */
type DeepReadonly<T> = T extends PolicyWindow ? T : { readonly [K in keyof T]: DeepReadonly<T[K]> };
type PolicyFile = DeepReadonly<z.output<typeof policySchema>>;

export type PolicyRule = PolicyFile["rules"][number];
export type Quota = PolicyFile["quotas"][number];
/** The content of the file, and its SHA-256 for the audit log; undefined if there is no file. */
export type Policy = Omit<PolicyFile, "version"> & { readonly hash: string | undefined };

/** The tools of the catalogue by name, to detect patterns that match none. */
export type KnownTools = ReadonlyMap<string, { readonly service: string }>;

interface FileProblem {
  readonly line: number | undefined;
  readonly text: string;
}

const maxProblems = 10;

function unusable(name: string, problems: readonly FileProblem[]): Failure {
  const lines = problems
    .slice(0, maxProblems)
    .map(({ line, text }) => (line === undefined ? text : `line ${line}: ${text}`));
  if (problems.length > maxProblems) lines.push(`and ${problems.length - maxProblems} more`);
  return new Failure("bad_configuration", `The policy ${name} cannot be used: ${lines.join("; ")}.`, {
    why: "A partly understood policy could allow what it was meant to deny, so nothing was started.",
    next: "Correct the file, and try it with `edgewise policy check TOOL '{\"json\"}'`; docs/policy.md describes it.",
  });
}

/** The value of the file, and a function that finds the line of a path; a problem if it is not YAML. */
function parseYaml(text: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, stringKeys: true, merge: false });
  const lineOf = (offset: number | undefined) => (offset === undefined ? undefined : lines.linePos(offset).line);
  const problems = [...document.errors, ...document.warnings].map(
    ({ code, pos: [offset] }): FileProblem => ({
      line: lineOf(offset),
      text: code === "DUPLICATE_KEY" ? "a key that is repeated" : "this is not YAML, or not of the plain kind",
    }),
  );
  /** The line of the value at a path, or of its nearest parent. */
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

type ParsedYaml = ReturnType<typeof parseYaml>;

function problemsOf(issue: z.core.$ZodIssue, value: unknown, { lineAt, lineOfKey }: ParsedYaml): FileProblem[] {
  const field = issue.path.length === 0 ? "" : fieldOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(policySchema, issue.path);
    return issue.keys.map((key) => ({
      line: lineOfKey(issue.path, key),
      text: `there is no key ${pathTo(field, key)}${didYouMean(key, known)}; known: ${known.join(", ")}`,
    }));
  }
  const given = memberAt(value, issue.path);
  const what = given === undefined ? "is required and" : `was given as ${quoteValue(given)}, and`;
  return [{ line: lineAt(issue.path), text: `${field || "the file"} ${what} takes ${issue.message}` }];
}

/** Names in the file that match nothing in the catalogue: a rule with a mistyped name would never apply. */
function unmatchedProblems(
  { rules, quotas }: z.output<typeof policySchema>,
  tools: KnownTools,
  { lineAt }: ParsedYaml,
): FileProblem[] {
  const services = new Set([...tools.values()].map(({ service }) => service));
  const problem = (path: readonly PropertyKey[], name: string, kind: string, known: Iterable<string>): FileProblem => ({
    line: lineAt(path),
    text: `${fieldOf(path)} was given as ${quoteValue(name)}, which matches no ${kind}${didYouMean(name, known)}`,
  });
  const isTool = (pattern: string) => [...tools.keys()].some((tool) => matchesGlob(pattern, tool));
  // Imported operations are not listed, so that nothing is known of their names here.
  const ofDeclared = [...rules.entries()].filter(([, { imported }]) => imported === undefined);
  const ofTools = [...ofDeclared, ...quotas.entries()].flatMap(([at, entry]) =>
    [...(entry.tools ?? []).entries()]
      .filter(([, pattern]) => !isTool(pattern))
      .map(([item, pattern]) =>
        problem(["effect" in entry ? "rules" : "quotas", at, "tools", item], pattern, "tool", tools.keys()),
      ),
  );
  const ofServices = ofDeclared.flatMap(([at, { services: named = [] }]) =>
    [...named.entries()]
      .filter(([, name]) => !services.has(name))
      .map(([item, name]) => problem(["rules", at, "services", item], name, "service", services)),
  );
  return [...ofTools, ...ofServices];
}

/**
 * Parses a policy.
 * @param name The name of the file, for errors.
 * @throws Failure `bad_configuration` with the line, the key and what it takes.
 */
export function readPolicy(text: string, name: string, tools: KnownTools): Omit<Policy, "hash"> {
  const file = parseYaml(text);
  if (file.problems.length > 0) throw unusable(name, file.problems);
  const value = plainValue(file, name);
  const { data, error } = policySchema.safeParse(value);
  if (!data)
    throw unusable(
      name,
      error.issues.flatMap((issue) => problemsOf(issue, value, file)),
    );
  const problems = unmatchedProblems(data, tools, file);
  if (problems.length > 0) throw unusable(name, problems);
  return data;
}

/** The file as plain values. An alias could turn a small file into a large value, and policies need none. */
function plainValue({ document }: ParsedYaml, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw unusable(name, [{ line: undefined, text: "it has an alias (*name), which is not allowed in a policy" }]);
  }
}

const maxBytes = 1_048_576;

const unreadable = (what: string, next: string): Failure => new Failure("bad_configuration", what, { next });

/** The bytes of the file, from one descriptor, so that the checked file is the one that is read. */
function bytesOf(path: string, user: ProcessUser): Buffer {
  let file: number;
  try {
    // Non-blocking, because opening a pipe would wait for its writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    throw unreadable(
      `The policy ${path} cannot be read.`,
      "Correct --policy, or make the file readable for this user.",
    );
  }
  try {
    const about = fstatSync(file);
    if (!about.isFile() || about.size > maxBytes)
      throw unreadable(`The policy ${path} is not a file of at most ${maxBytes} bytes.`, "Name the YAML file itself.");
    refuseOpenFile(
      about,
      {
        path,
        what: `the policy ${path}`,
        forbids: "writing",
        // Ideally its owner is a user whose files an assistant's shell cannot change.
        mayBelongToOthers: true,
        why: "They could allow what it denies, and bypass approvals.",
        chmod: "go-w",
        further: "Review its content first.",
      },
      user,
    );
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Loads the policy of a process; later changes of the file have no effect until the next start.
 * @throws Failure `bad_configuration` if the file cannot be read, can be written by others, or contains something
 * unknown.
 */
export function loadPolicy(path: string, tools: KnownTools, user = processUser()): Policy {
  const bytes = bytesOf(path, user);
  const hash = createHash("sha256").update(bytes).digest("hex");
  return { ...readPolicy(textIn(bytes), path, tools), hash };
}
