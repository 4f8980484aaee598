/** The arguments of a call: their schema, derived from the declaration, and their check, whose errors name the field. */
import { bare } from "./bare.js";
import { coerced } from "./coerced.js";
import type { AnyOperation } from "./define.js";
import { isRead } from "./effect.js";
import { Failure, type FieldProblem, shown } from "./failure.js";
import { type Codec, choiceOf, type Header, type Media, mediaList, schemaOfParam } from "./media.js";
import { memberAt, pathTo } from "./member.js";
import { didYouMean } from "./nearest.js";
import { Period, TimeZone, writtenPeriod } from "./period.js";
import { isSecretName, masked, maskOf } from "./secret.js";
import { findUnusable } from "./unusable.js";
import { z } from "./z.js";

/** A call's arguments after the check: values by place, defaults filled in. */
export interface CheckedArguments {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The medium that the body is sent in; absent where the operation takes none. */
  readonly medium?: Media | undefined;
  readonly format: Codec | undefined;
  /** The plan id of a confirmation. */
  readonly confirm: string | undefined;
  /** Whether a launch is to be waited for. */
  readonly wait: boolean;
  /** Whether a list is to be read to its end. */
  readonly allPages: boolean;
  /** The arguments by name, as the checks of the operation see them. */
  readonly values: Readonly<Record<string, unknown>>;
  /** How the arguments were understood, for the reader of the answer. */
  readonly notes: readonly string[];
}

/** Every medium of an operation's answers, whatever the status. */
export const returnedMedia = ({ spec }: AnyOperation): readonly Media[] =>
  Object.values(spec.returns).flatMap((media) => mediaList(media));

/** The codecs among which a caller can choose an answer's form; the first is the default. */
export function formatsOf(operation: AnyOperation): readonly Codec[] {
  const codecs = returnedMedia(operation).map((media) => media.codec);
  return [...new Set(codecs)].filter((codec) => codec !== "empty");
}

/** The headers whose value is an argument: header name to its declaration. */
export function headerArguments(operation: AnyOperation): readonly (readonly [string, Exclude<Header, string>])[] {
  const headers = Object.entries(operation.spec.headers ?? {});
  return headers.filter((entry): entry is [string, Exclude<Header, string>] => typeof entry[1] !== "string");
}

/** The arguments that choose among media, with their values; the first is the default. */
function mediaChoices({ spec }: AnyOperation): Map<string, [string, ...string[]]> {
  const found = new Map<string, [string, ...string[]]>();
  for (const bodies of [spec.body, ...Object.values(spec.returns)]) {
    const choice = choiceOf(bodies);
    const [first, ...rest] = Object.keys(choice?.choices ?? {});
    if (choice && first !== undefined) found.set(choice.argument, [first, ...rest]);
  }
  return found;
}

/** How many records are read together when all pages of a list are asked for. */
export const maxPagedRecords = 5_000;

const schemas = new WeakMap<AnyOperation, z.ZodObject>();

/**
 * The whole, closed schema of an operation's arguments: path, query and header arguments by name, the body under
 * `body`, `format` where the answer comes in several, `confirm` where the call is guarded, and `wait` where it launches
 * something that can be waited for.
 */
export function argumentsSchema(operation: AnyOperation): z.ZodObject {
  const known = schemas.get(operation);
  if (known) return known;
  const { spec } = operation;
  const shape: Record<string, z.ZodType> = {};
  for (const [name, value] of Object.entries({ ...spec.path, ...spec.query })) shape[name] = schemaOfParam(value);
  for (const [, header] of headerArguments(operation)) shape[header.argument] = header.schema;
  const bodies = mediaList(spec.body).map((media) => media.schema);
  const [first, second] = bodies;
  if (first) shape["body"] = second ? z.union(bodies as [z.ZodType, z.ZodType]) : first;
  for (const [name, values] of mediaChoices(operation))
    shape[name] ??= z.enum(values).optional().describe(`Which form; ${values[0]} by default`);
  const formats = formatsOf(operation);
  if (formats.length > 1) shape["format"] = z.enum(formats as [Codec, ...Codec[]]).optional();
  if (spec.guard) shape["confirm"] = z.string().optional().describe("Plan id from the preview that was approved");
  if (spec.awaits) shape["wait"] = z.boolean().optional().describe("true: wait for the result");
  if (spec.paging)
    shape["allPages"] = z.boolean().optional().describe(`true: read page after page, up to ${maxPagedRecords} records`);
  const { period } = spec;
  if (period) {
    // The relative form takes the place of both, so neither is required by itself; `boundPeriod` sees to it.
    for (const name of [period.start, period.end]) shape[name] = (shape[name] ?? z.unknown()).optional();
    shape["period"] = Period.optional();
    shape["timeZone"] = TimeZone.optional();
  }
  const schema = z.strictObject(shape);
  schemas.set(operation, schema);
  return schema;
}

const fieldOf = (path: readonly PropertyKey[]): string => path.reduce<string>(pathTo, "") || "arguments";

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function takes(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return typeNames[issue.expected] ?? issue.expected;
    case "invalid_value":
      return issue.values.length === 1 ? shown(issue.values[0]) : `one of ${issue.values.map(shown).join(", ")}`;
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? `at least ${issue.minimum} ${issue.origin === "string" ? "characters" : "items"}`
        : `${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
    case "too_big":
      return issue.origin === "string" || issue.origin === "array"
        ? `at most ${issue.maximum} ${issue.origin === "string" ? "characters" : "items"}`
        : `${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}`;
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

function problems(issue: z.core.$ZodIssue, schema: z.ZodObject, args: unknown): FieldProblem[] {
  const field = fieldOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => ({
      field: pathTo(field === "arguments" ? "" : field, key),
      takes: `nothing: there is no such argument${didYouMean(key, known)}${known.length > 0 ? `; known: ${known.join(", ")}` : ""}`,
    }));
  }
  const given = memberAt(args, issue.path);
  if (given === undefined) return [{ field, takes: `${takes(issue)}; it is required` }];
  const isSuspect = issue.path.some(isSecretName);
  const seen = isSuspect ? maskOf(given) : masked([schema], given, issue.path);
  return [{ field, given: shown(seen), takes: takes(issue) }];
}

/** The names that the object at a path of the arguments knows, as far as their schema tells. */
export function keysAt(schema: z.ZodObject, path: readonly PropertyKey[]): string[] {
  let at: z.ZodType | undefined = schema;
  for (const key of path) {
    at = at && bare(at);
    at =
      at instanceof z.ZodObject
        ? (at.shape[String(key)] as z.ZodType | undefined)
        : at instanceof z.ZodArray
          ? (at.element as z.ZodType)
          : undefined;
  }
  at = at && bare(at);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

interface Bound {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly FieldProblem[];
  readonly notes: readonly string[];
}

/** Puts the bounds of a relative period in the place of start and end, which are needed where there is none. */
function boundPeriod(operation: AnyOperation, values: Readonly<Record<string, unknown>>, nowMs: number): Bound {
  const names = operation.spec.period;
  if (!names) return { values, problems: [], notes: [] };
  const { period, timeZone = "UTC" } = values as { period?: string; timeZone?: string };
  const both = [names.start, names.end];
  if (period === undefined) {
    const isRequired = (name: string) =>
      !schemaOfParam(operation.spec.query?.[name] ?? z.unknown()).safeParse(undefined).success;
    const missing = both.filter((name) => values[name] === undefined && isRequired(name));
    const problems = missing.map((field) => ({ field, takes: "a time; it is required, unless period is given" }));
    const stray = { field: "timeZone", takes: "nothing without period, whose days it places" };
    return { values, notes: [], problems: values["timeZone"] === undefined ? problems : [...problems, stray] };
  }
  const given = both.filter((name) => values[name] !== undefined);
  const problems = given.map((field) => ({
    field,
    given: shown(values[field]),
    takes: "nothing beside period: use the one or the other",
  }));
  const written = writtenPeriod(names, period, timeZone, nowMs);
  return { values: { ...values, ...written.values }, problems, notes: [written.note] };
}

const maxProblems = 20;

/** The failure that names each field which cannot be used, the first of them where they are many; nothing has been sent. */
export function invalidInput(tool: string, problems: readonly FieldProblem[]): Failure {
  const fields = problems.slice(0, maxProblems);
  const text = fields.map(
    ({ field, given, takes: needed }) =>
      `${field}: ${given === undefined ? "" : `${given} was given; `}takes ${needed}`,
  );
  if (problems.length > maxProblems) text.push(`And ${problems.length - maxProblems} more.`);
  return new Failure("invalid_input", `${tool} cannot use these arguments: ${text.join(". ")}`, {
    why: "The arguments do not fit the operation; nothing was sent.",
    next: `Correct the fields and call again; operation://${tool} has the whole schema.`,
    fields,
  });
}

/**
 * Checks values against a closed schema, once they are read as it takes them; defaults filled in.
 * @param isChange Whether the call changes something, so that no mark of an answer may be written.
 * @throws Failure `invalid_input` naming the fields, what was given and what they take.
 */
export function checkValues<S extends z.ZodObject>(
  tool: string,
  schema: S,
  args: unknown,
  isChange = false,
): z.output<S> {
  const given = findUnusable(args, isChange) === undefined ? coerced(schema, args ?? {}) : args;
  // Text can hold JSON, so what was read from it is looked at, too.
  const unusable = findUnusable(given, isChange);
  if (unusable) throw invalidInput(tool, [unusable]);
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw invalidInput(
    tool,
    result.error.issues.flatMap((issue) => problems(issue, schema, given)),
  );
}

/**
 * The medium of a body and the body as it is sent. Both come from the given value: what a schema has transformed need
 * not fit it a second time.
 */
function bodyOf(
  { spec }: AnyOperation,
  args: unknown,
  checked: unknown,
): { readonly medium: Media | undefined; readonly body: unknown } {
  const media = mediaList(spec.body);
  if (media.length < 2) return { medium: media[0], body: checked };
  const given = memberAt(args, "body");
  const fits = media.map((medium) => ({ medium, result: medium.schema.safeParse(given) }));
  const first = fits.find(({ result }) => result.success);
  return { medium: first?.medium, body: first?.result.data };
}

/**
 * Checks a call's arguments against the whole schema.
 * @throws Failure `invalid_input` naming the fields, what was given and what they take.
 */
export function checkArguments(
  tool: string,
  operation: AnyOperation,
  args: unknown,
  nowMs: number = Date.now(),
): CheckedArguments {
  const given = checkValues(tool, argumentsSchema(operation), args, !isRead(operation));
  const { values, problems: outOfPeriod, notes } = boundPeriod(operation, given, nowMs);
  if (outOfPeriod.length > 0) throw invalidInput(tool, outOfPeriod);
  const pick = (names: Iterable<string>): Record<string, unknown> =>
    Object.fromEntries([...names].filter((name) => values[name] !== undefined).map((name) => [name, values[name]]));
  const { spec } = operation;
  return {
    path: pick(Object.keys(spec.path ?? {})),
    query: pick(Object.keys(spec.query ?? {})),
    headers: Object.fromEntries(
      headerArguments(operation)
        .filter(([, header]) => values[header.argument] !== undefined)
        .map(([name, header]) => [name, values[header.argument]]),
    ),
    ...bodyOf(operation, args, values["body"]),
    format: values["format"] as Codec | undefined,
    confirm: values["confirm"] as string | undefined,
    wait: values["wait"] === true,
    allPages: values["allPages"] === true,
    values,
    notes,
  };
}
