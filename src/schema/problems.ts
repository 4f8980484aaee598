/** The problems of arguments that their schema rejects, in words and as corrections. */
import { listerOf } from "../language/defaults.js";
import { type FailureDetail, type FieldProblem, maxProblems, quoteValue } from "../language/failure.js";
import { markOf, unitMsOf } from "../language/marks.js";
import { fieldOf, memberAt } from "../language/member.js";
import { type Mend, respell } from "../language/mend.js";
import { whyClosed } from "../language/open-object.js";
import { isReadOnly } from "../language/read-only.js";
import { formsOf, unwrapSchema } from "../language/shape.js";
import { z } from "../language/z.js";
import { maskByName, maskSecrets } from "../secrets/masking.js";
import { didYouMean, guessName } from "../text/nearest.js";
import { instantText } from "../time/instant.js";
import { coerce } from "./coerce.js";
import { createSlipFinder, knownNameOf, objectsAt, type UnknownMembers } from "./unknown-members.js";

type Issue = z.core.$ZodIssue;

// Several problems of a field become one, so that more are explained.
const maxExplained = 3 * maxProblems;

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** A limit of a text or list, with its unit, or of a number. */
function boundText(origin: string, bound: number | bigint, ofNumber: string, ofLength: string): string {
  if (origin === "string") return `${ofLength} ${bound} characters`;
  return origin === "array" ? `${ofLength} ${bound} items` : `${ofNumber} ${bound}`;
}

function takesText(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return typeNames[issue.expected] ?? issue.expected;
    case "invalid_value":
      return issue.values.length === 1
        ? quoteValue(issue.values[0])
        : `one of ${issue.values.map(quoteValue).join(", ")}`;
    case "too_small":
      return boundText(issue.origin, issue.minimum, issue.inclusive === false ? "more than" : "at least", "at least");
    case "too_big":
      return boundText(issue.origin, issue.maximum, issue.inclusive === false ? "less than" : "at most", "at most");
    case "invalid_union":
      return (
        [...new Set(issue.errors.flatMap((branch) => branch.slice(0, 1).map(takesText)))].join(" or ") ||
        "a different shape"
      );
    case "invalid_key":
    case "invalid_element":
      return issue.issues.map(takesText).join(" and ");
    default:
      return issue.message;
  }
}

/** Both limits of a number that violates one of them, if it has both. */
function rangeText({ code }: Issue, at: z.ZodType | undefined): string | undefined {
  if (!(at instanceof z.ZodNumber) || (code !== "too_small" && code !== "too_big")) return undefined;
  const [least, most] = [at.minValue, at.maxValue];
  const isBounded = [least, most].every((bound) => Number.isFinite(bound) && Math.abs(Number(bound)) < maxBound);
  return isBounded ? `${at.isInt ? "a whole number" : "a number"} from ${least} to ${most}` : undefined;
}
// The limits of every integer.
const maxBound = Number.MAX_SAFE_INTEGER;

/** What a list takes if one value was given that is no item of it either. */
function listText(issue: Issue, at: z.ZodType | undefined, input: unknown): string | undefined {
  const isOne = issue.code === "invalid_type" && at instanceof z.ZodArray && input !== undefined && input !== null;
  const result = isOne ? parseBySchema(at, coerce(at, [input])) : undefined;
  const [first] = result?.isValid === false ? result.first : [];
  if (first === undefined) return undefined;
  const [, ...path] = first.path;
  if (path.length > 0) return `a list; in an item, ${fieldOf(path)} takes ${takesText(first)}`;
  return first.path.length === 0 ? `a list of ${takesText(first)}` : `a list; each item takes ${takesText(first)}`;
}

/** The schema at a path of another schema, if it can be determined. */
function schemaAt(schema: z.ZodType | undefined, path: readonly PropertyKey[]): z.ZodType | undefined {
  let at = schema;
  for (const key of path) {
    at = at && unwrapSchema(at);
    at =
      at instanceof z.ZodObject
        ? (at.shape[String(key)] as z.ZodType | undefined)
        : at instanceof z.ZodArray
          ? (at.element as z.ZodType)
          : undefined;
  }
  return at && unwrapSchema(at);
}

/** The field names of the object at a path of the arguments, if the schema determines them. */
export function keysAt(schema: z.ZodObject, path: readonly PropertyKey[]): string[] {
  const at = schemaAt(schema, path);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

/** The closed set of texts of a value, if an issue names all or some of them. */
function textsIn(issue: Issue): readonly string[] {
  if (issue.code === "invalid_value") return issue.values.filter((value) => typeof value === "string");
  if (issue.code !== "invalid_union") return [];
  return issue.errors.flatMap((branch) => branch.filter(({ path }) => path.length === 0).flatMap(textsIn));
}

/** A number set to the limit that it violates. */
function boundOf(
  issue: Issue,
  given: unknown,
): Pick<Extract<Mend, { value: unknown }>, "value" | "isGuess"> | undefined {
  const isBound = issue.code === "too_small" || issue.code === "too_big";
  if (!isBound || typeof given !== "number" || issue.inclusive === false) return undefined;
  return { value: Number(issue.code === "too_small" ? issue.minimum : issue.maximum), isGuess: true };
}

function correctionFor(issue: Issue, at: z.ZodType | undefined, input: unknown) {
  const respelling = at && respell(at, input);
  if (respelling !== undefined) return { value: respelling };
  const text = typeof input === "string" ? guessName(input, textsIn(issue)) : undefined;
  if (text !== undefined) return { value: text };
  const isScalar = typeof input === "string" || typeof input === "number";
  if (issue.code === "invalid_type" && isScalar) {
    const value = issue.expected === "string" ? String(input) : undefined;
    return value !== undefined && at?.safeParse(value).success ? { value } : undefined;
  }
  return boundOf(issue, input);
}

const withMends = (problem: FieldProblem, mends: readonly Mend[] | undefined): FieldProblem =>
  mends === undefined ? problem : { ...problem, mends };

const namesOf = (
  objects: readonly z.ZodObject[],
  isMeant: (object: z.ZodObject, name: string) => boolean = () => true,
): string[] => [
  ...new Set(objects.flatMap((object) => Object.keys(object.shape).filter((name) => isMeant(object, name)))),
];
const knownNameIn = (objects: readonly z.ZodObject[], key: string): string | undefined =>
  objects.map((object) => knownNameOf(key, object)).find((name) => name !== undefined);

/** The correction of an unknown member to the most similar known name. */
function renamingMend(key: string, objects: readonly z.ZodObject[], path: readonly PropertyKey[]): Mend | undefined {
  const name = knownNameIn(objects, key) ?? guessName(key, namesOf(objects));
  return name === undefined ? undefined : { at: [...path, key], name };
}

export function strayProblem(key: string, objects: readonly z.ZodObject[], path: readonly PropertyKey[]): FieldProblem {
  const known = namesOf(objects);
  // Read-only members are no alternatives to choose from.
  const settable = namesOf(objects, ({ shape }, name) => !isReadOnly(formsOf(shape[name] as z.ZodType)));
  const because = objects.map(whyClosed).find((why) => why !== undefined);
  const mend = renamingMend(key, objects, path);
  return withMends(
    {
      field: fieldOf([...path, key]),
      takes: [
        `nothing: there is no such argument${didYouMean(knownNameIn(objects, key) ?? key, known)}`,
        ...(settable.length > 0 ? [`known: ${settable.join(", ")}`] : []),
        ...(because === undefined ? [] : [`no unknown fields, because ${because}`]),
      ].join("; "),
    },
    mend && [mend],
  );
}

/**
 * The correction of an issue.
 * @param at The schema of the value.
 * @param path Its path in the arguments.
 */
function mendsOf(
  issue: Issue,
  at: z.ZodType | undefined,
  input: unknown,
  path: readonly PropertyKey[],
): readonly Mend[] | undefined {
  // A missing member may exist under an unknown name.
  if (input === undefined) return [];
  if (issue.code === "unrecognized_keys") {
    const mends = issue.keys.map((key) => (at instanceof z.ZodObject ? renamingMend(key, [at], path) : undefined));
    return mends.every((mend) => mend !== undefined) ? mends : undefined;
  }
  const value = correctionFor(issue, at, input);
  if (value) return [{ at: path, ...value }];
  if (issue.code !== "invalid_union" || !(at instanceof z.ZodUnion)) return undefined;
  // If a body has several possible shapes, the one whose problems can all be corrected is meant.
  const options = at.options as readonly z.ZodType[];
  for (const [index, inner] of issue.errors.entries()) {
    const all = inner.map((one) =>
      mendsOf(one, schemaAt(options[index], one.path), memberAt(input, one.path), [...path, ...one.path]),
    );
    if (all.length > 0 && all.every((mends) => mends !== undefined)) return all.flat();
  }
  return undefined;
}

/**
 * Issues up to a maximum number of problems, and how many they leave out: there can be as many as given members, and
 * each unknown one is compared with all known names.
 */
function firstIssues(issues: readonly z.core.$ZodRawIssue[]): {
  readonly first: readonly Issue[];
  readonly more: number;
} {
  const first: Issue[] = [];
  let [left, more] = [maxExplained, 0];
  for (const raw of issues) {
    const keys = raw.code === "unrecognized_keys" ? (raw["keys"] as readonly string[]) : undefined;
    const count = keys?.length ?? 1;
    const taken = Math.min(left, count);
    if (taken > 0) {
      const named = keys && taken < count ? { ...raw, keys: keys.slice(0, taken) } : raw;
      first.push(z.core.util.finalizeIssue(named as z.core.$ZodRawIssue, {}, z.config()));
    }
    left -= taken;
    more += count - taken;
  }
  return { first, more };
}

/**
 * Parses a value by a schema. Unlike `safeParse`, it only puts the first issues into words, because each takes longer than
 * the value that it is about.
 */
export function parseBySchema<S extends z.ZodType>(
  schema: S,
  value: unknown,
):
  | { readonly isValid: true; readonly data: z.output<S> }
  | { readonly isValid: false; readonly first: readonly Issue[]; readonly more: number } {
  const payload = schema._zod.run({ value, issues: [] }, { async: false }) as z.core.ParsePayload<z.output<S>>;
  return payload.issues.length === 0
    ? { isValid: true, data: payload.value }
    : { isValid: false, ...firstIssues(payload.issues) };
}

/** The problems of a validation issue, each with its field. */
export function problemsOf(issue: Issue, schema: z.ZodObject, args: unknown): FieldProblem[] {
  const field = fieldOf(issue.path);
  const input = memberAt(args, issue.path);
  const at = schemaAt(schema, issue.path);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => strayProblem(key, objectsAt(schema, args, issue.path), issue.path));
  const unitMs = at && issue.code === "invalid_type" ? unitMsOf(markOf(at, "instant")) : undefined;
  const seen = maskSecrets([schema], maskByName(issue.path, input), issue.path);
  const ofInstant = unitMs === undefined ? undefined : instantText(unitMs);
  const needed = ofInstant ?? rangeText(issue, at) ?? listText(issue, at, input) ?? takesText(issue);
  if (input === undefined) {
    const lister = listerOf(issue.path.length === 1 ? schema.shape[String(issue.path[0])] : undefined);
    const from = lister === undefined ? "" : `, and ${lister} lists its values`;
    return [{ field, takes: `${needed}; it is required${from}`, mends: [] }];
  }
  return [withMends({ field, given: quoteValue(seen), takes: needed }, mendsOf(issue, at, input, issue.path))];
}

/** The problems of misspelled members, up to a maximum, and the number of the others. */
export function slipProblems(unknowns: readonly UnknownMembers[]): {
  readonly problems: readonly FieldProblem[];
  readonly more: number;
} {
  const slips = createSlipFinder();
  const all = unknowns.flatMap((one) => slips(one).map((key) => ({ key, ...one })));
  return {
    problems: all.slice(0, maxExplained).map(({ key, objects, path }) => strayProblem(key, objects, path)),
    more: Math.max(0, all.length - maxExplained),
  };
}

/** The corrections of all problems of a tool's call, if each has one. */
export function mendsOfAll(tool: string, problems: readonly FieldProblem[]): Pick<FailureDetail, "mends"> {
  const all = problems.flatMap(({ mends }) => mends ?? []);
  return all.length > 0 && problems.every(({ mends }) => mends !== undefined) ? { mends: { tool, all } } : {};
}
