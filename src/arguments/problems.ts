/** What is wrong with an argument that its schema refuses, in words and as what would mend it. */
import { listerOf } from "../language/defaults.js";
import { type FailureDetail, type FieldProblem, shown } from "../language/failure.js";
import { fieldOf, memberAt } from "../language/member.js";
import { type Mend, respelled } from "../language/mend.js";
import { didYouMean, meantBy } from "../language/nearest.js";
import { whyClosed } from "../language/open-object.js";
import { z } from "../language/z.js";
import { markOf, unitMsOf } from "../schema/marks.js";
import { isReadOnly } from "../schema/read-only.js";
import { bare, formsOf } from "../schema/shape.js";
import { isSecretName, masked, maskOf } from "../secrets/masking.js";
import { instantText } from "../time/instant.js";
import { knownAs, objectsAt, type Unknowns } from "./unknown-members.js";

type Issue = z.core.$ZodIssue;

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** A bound of a text or a list, which counts what it consists of, or of a number. */
function boundText(origin: string, bound: number | bigint, ofNumber: string, ofLength: string): string {
  if (origin === "string") return `${ofLength} ${bound} characters`;
  return origin === "array" ? `${ofLength} ${bound} items` : `${ofNumber} ${bound}`;
}

function takes(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return typeNames[issue.expected] ?? issue.expected;
    case "invalid_value":
      return issue.values.length === 1 ? shown(issue.values[0]) : `one of ${issue.values.map(shown).join(", ")}`;
    case "too_small":
      return boundText(issue.origin, issue.minimum, issue.inclusive === false ? "more than" : "at least", "at least");
    case "too_big":
      return boundText(issue.origin, issue.maximum, issue.inclusive === false ? "less than" : "at most", "at most");
    case "invalid_union":
      return (
        [...new Set(issue.errors.flatMap((branch) => branch.slice(0, 1).map(takes)))].join(" or ") || "another shape"
      );
    case "invalid_key":
    case "invalid_element":
      return issue.issues.map(takes).join(" and ");
    default:
      return issue.message;
  }
}

/** Both bounds of a number that is beyond one of them, where it has both. */
function rangeText({ code }: Issue, at: z.ZodType | undefined): string | undefined {
  if (!(at instanceof z.ZodNumber) || (code !== "too_small" && code !== "too_big")) return undefined;
  const [least, most] = [at.minValue, at.maxValue];
  const isBounded = [least, most].every((bound) => Number.isFinite(bound) && Math.abs(Number(bound)) < maxBound);
  return isBounded ? `${at.isInt ? "a whole number" : "a number"} from ${least} to ${most}` : undefined;
}
// What every whole number has as its bounds.
const maxBound = Number.MAX_SAFE_INTEGER;

/** How a single value is written where a list is taken. */
function listText(issue: Issue, given: unknown, seen: unknown): string | undefined {
  if (issue.code !== "invalid_type" || issue.expected !== "array" || typeof given === "object") return undefined;
  return `a list, such as [${shown(seen)}]`;
}

/** The schema at a path of what another one takes, as far as that tells. */
function schemaAt(schema: z.ZodType | undefined, path: readonly PropertyKey[]): z.ZodType | undefined {
  let at = schema;
  for (const key of path) {
    at = at && bare(at);
    at =
      at instanceof z.ZodObject
        ? (at.shape[String(key)] as z.ZodType | undefined)
        : at instanceof z.ZodArray
          ? (at.element as z.ZodType)
          : undefined;
  }
  return at && bare(at);
}

/** The names that the object at a path of the arguments knows, as far as their schema tells. */
export function keysAt(schema: z.ZodObject, path: readonly PropertyKey[]): string[] {
  const at = schemaAt(schema, path);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

/** The texts that a value can be, where an issue names all or some of them. */
function textsIn(issue: Issue): readonly string[] {
  if (issue.code === "invalid_value") return issue.values.filter((value) => typeof value === "string");
  if (issue.code !== "invalid_union") return [];
  return issue.errors.flatMap((branch) => branch.filter(({ path }) => path.length === 0).flatMap(textsIn));
}

/** A number at the bound that it is beyond. */
function boundOf(
  issue: Issue,
  given: unknown,
): Pick<Extract<Mend, { value: unknown }>, "value" | "isGuess"> | undefined {
  const isBound = issue.code === "too_small" || issue.code === "too_big";
  if (!isBound || typeof given !== "number" || issue.inclusive === false) return undefined;
  return { value: Number(issue.code === "too_small" ? issue.minimum : issue.maximum), isGuess: true };
}

function instead(issue: Issue, at: z.ZodType | undefined, given: unknown) {
  const own = at && respelled(at, given);
  if (own !== undefined) return { value: own };
  const text = typeof given === "string" ? meantBy(given, textsIn(issue)) : undefined;
  if (text !== undefined) return { value: text };
  const isScalar = typeof given === "string" || typeof given === "number";
  if (issue.code === "invalid_type" && isScalar) {
    const value = issue.expected === "array" ? [given] : issue.expected === "string" ? String(given) : undefined;
    return value !== undefined && at?.safeParse(value).success ? { value } : undefined;
  }
  return boundOf(issue, given);
}

const withMends = (problem: FieldProblem, mends: readonly Mend[] | undefined): FieldProblem =>
  mends === undefined ? problem : { ...problem, mends };

const namesOf = (
  objects: readonly z.ZodObject[],
  isMeant: (object: z.ZodObject, name: string) => boolean = () => true,
): string[] => [
  ...new Set(objects.flatMap((object) => Object.keys(object.shape).filter((name) => isMeant(object, name)))),
];
const knownTo = (objects: readonly z.ZodObject[], key: string): string | undefined =>
  objects.map((object) => knownAs(key, object)).find((name) => name !== undefined);

/** The known name that a stray member was most likely meant by, in its place. */
function renamed(key: string, objects: readonly z.ZodObject[], path: readonly PropertyKey[]): Mend | undefined {
  const name = knownTo(objects, key) ?? meantBy(key, namesOf(objects));
  return name === undefined ? undefined : { at: [...path, key], name };
}

function strayProblem(key: string, objects: readonly z.ZodObject[], path: readonly PropertyKey[]): FieldProblem {
  const known = namesOf(objects);
  // What a write only takes back is nothing to choose from.
  const settable = namesOf(objects, ({ shape }, name) => !isReadOnly(formsOf(shape[name] as z.ZodType)));
  const because = objects.map(whyClosed).find((why) => why !== undefined);
  const mend = renamed(key, objects, path);
  return withMends(
    {
      field: fieldOf([...path, key]),
      takes: [
        `nothing: there is no such argument${didYouMean(knownTo(objects, key) ?? key, known)}`,
        ...(settable.length > 0 ? [`known: ${settable.join(", ")}`] : []),
        ...(because === undefined ? [] : [`no other is sent, because ${because}`]),
      ].join("; "),
    },
    mend && [mend],
  );
}

/**
 * What would solve an issue.
 * @param at The schema of the value that it is about.
 * @param path Where that stands in the arguments.
 */
function mendsOf(
  issue: Issue,
  at: z.ZodType | undefined,
  given: unknown,
  path: readonly PropertyKey[],
): readonly Mend[] | undefined {
  // What is missing may be there under a name that is not known.
  if (given === undefined) return [];
  if (issue.code === "unrecognized_keys") {
    const mends = issue.keys.map((key) => (at instanceof z.ZodObject ? renamed(key, [at], path) : undefined));
    return mends.every((mend) => mend !== undefined) ? mends : undefined;
  }
  const value = instead(issue, at, given);
  if (value) return [{ at: path, ...value }];
  if (issue.code !== "invalid_union" || !(at instanceof z.ZodUnion)) return undefined;
  // A body that can have one of several shapes is of the one in which all that is wrong with it can be mended.
  const options = at.options as readonly z.ZodType[];
  for (const [index, inner] of issue.errors.entries()) {
    const all = inner.map((one) =>
      mendsOf(one, schemaAt(options[index], one.path), memberAt(given, one.path), [...path, ...one.path]),
    );
    if (all.length > 0 && all.every((mends) => mends !== undefined)) return all.flat();
  }
  return undefined;
}

/**
 * Issues with so many things to say in all, and how many they leave out: there can be as many as members were given, and
 * for each that is told all known names are compared with it.
 */
export function firstOf(issues: readonly Issue[], most: number): { readonly told: Issue[]; readonly more: number } {
  const told: Issue[] = [];
  let [left, more] = [most, 0];
  for (const issue of issues) {
    const count = issue.code === "unrecognized_keys" ? issue.keys.length : 1;
    const taken = Math.min(left, count);
    if (taken > 0)
      told.push(issue.code === "unrecognized_keys" ? { ...issue, keys: issue.keys.slice(0, taken) } : issue);
    left -= taken;
    more += count - taken;
  }
  return { told, more };
}

/** The problems that an issue of the check comes to, each named by its field. */
export function problemsOf(issue: Issue, schema: z.ZodObject, args: unknown): FieldProblem[] {
  const field = fieldOf(issue.path);
  const given = memberAt(args, issue.path);
  const at = schemaAt(schema, issue.path);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => strayProblem(key, objectsAt(schema, args, issue.path), issue.path));
  const unitMs = at && issue.code === "invalid_type" ? unitMsOf(markOf(at, "instant")) : undefined;
  const isSuspect = issue.path.some(isSecretName);
  const seen = isSuspect ? maskOf(given) : masked([schema], given, issue.path);
  const ofInstant = unitMs === undefined ? undefined : instantText(unitMs);
  const needed = ofInstant ?? rangeText(issue, at) ?? listText(issue, given, seen) ?? takes(issue);
  if (given === undefined) {
    const lister = listerOf(issue.path.length === 1 ? schema.shape[String(issue.path[0])] : undefined);
    const from = lister === undefined ? "" : `, and ${lister} lists its values`;
    return [{ field, takes: `${needed}; it is required${from}`, mends: [] }];
  }
  return [withMends({ field, given: shown(seen), takes: needed }, mendsOf(issue, at, given, issue.path))];
}

/** The problems with members that are slips of known names, so many of them at most, and how many more there are. */
export function slipProblems(
  found: readonly Unknowns[],
  most: number,
): { readonly problems: readonly FieldProblem[]; readonly more: number } {
  const all = found.flatMap(({ slips, objects, path }) => slips.map((key) => ({ key, objects, path })));
  return {
    problems: all.slice(0, most).map(({ key, objects, path }) => strayProblem(key, objects, path)),
    more: Math.max(0, all.length - most),
  };
}

/** What would solve all of some problems with a call of a tool, where each has a solution. */
export function mendsOfAll(tool: string, problems: readonly FieldProblem[]): Pick<FailureDetail, "mends"> {
  const all = problems.flatMap(({ mends }) => mends ?? []);
  return all.length > 0 && problems.every(({ mends }) => mends !== undefined) ? { mends: { tool, all } } : {};
}
