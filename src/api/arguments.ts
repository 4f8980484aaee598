/** The arguments of a call: their schema, derived from the declaration, and their check, whose errors name the field. */
import { bare } from "./bare.js";
import { type Answers, bodySchema, type CallMedia, codecsOf, formatsOf, mediaArguments, mediaFor } from "./choice.js";
import { coerced } from "./coerced.js";
import type { Arguments } from "./conduct.js";
import type { AnyOperation } from "./define.js";
import { Failure, type FieldProblem, shown } from "./failure.js";
import { type Codec, type Header, type Media, mediaList, schemaOfParam } from "./media.js";
import { memberAt } from "./member.js";
import { didYouMean } from "./nearest.js";
import { Period, TimeZone, writtenPeriod } from "./period.js";
import { z } from "./z.js";

/** A call's arguments after the check: values by place, defaults filled in. */
export interface CheckedArguments {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The medium that the body is sent in; absent where the operation takes none. */
  readonly medium?: Media | undefined;
  /** The media that the answer can have. */
  readonly answers: Answers;
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

/** The headers whose value is an argument: header name to its declaration. */
export function headerArguments(operation: AnyOperation): readonly (readonly [string, Exclude<Header, string>])[] {
  const headers = Object.entries(operation.spec.headers ?? {});
  return headers.filter((entry): entry is [string, Exclude<Header, string>] => typeof entry[1] !== "string");
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
  const body = bodySchema(mediaList(spec.body));
  if (body) shape["body"] = body;
  for (const [name, schema] of Object.entries(mediaArguments(operation))) shape[name] ??= schema;
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

const limits = { depth: 32, nodes: 200_000, text: 256 * 1024, items: 10_000 };

/** Refuses what is too deep, too long or too many before anything recursive looks at it. */
function findExcess(root: unknown): FieldProblem | undefined {
  const stack: { readonly value: unknown; readonly field: string; readonly depth: number }[] = [
    { value: root, field: "", depth: 0 },
  ];
  let nodes = 0;
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const { value, field, depth } = entry;
    nodes += 1;
    if (nodes > limits.nodes) return { field: "arguments", takes: `at most ${limits.nodes} values in all` };
    if (typeof value === "string" && value.length > limits.text)
      return { field, given: `${value.length} characters`, takes: `at most ${limits.text} characters` };
    if (typeof value === "string" && !value.isWellFormed())
      return { field, given: "text with half a character", takes: "well-formed Unicode text" };
    if (typeof value !== "object" || value === null) continue;
    if (depth >= limits.depth) return { field, given: "a deeper value", takes: `at most ${limits.depth} levels` };
    if (Array.isArray(value) && value.length > limits.items)
      return { field, given: `${value.length} items`, takes: `at most ${limits.items} items` };
    // A checked copy would lose this member without a word, because it is not one like the others.
    if (Object.hasOwn(value, "__proto__"))
      return { field: joined(field, "__proto__"), takes: "nothing: no member has this name" };
    for (const [key, inner] of Object.entries(value))
      stack.push({ value: inner, field: joined(field, Array.isArray(value) ? Number(key) : key), depth: depth + 1 });
  }
  return undefined;
}

const joined = (field: string, key: PropertyKey): string =>
  typeof key === "number" ? `${field}[${key}]` : field === "" ? String(key) : `${field}.${String(key)}`;
const fieldOf = (path: readonly PropertyKey[]): string => path.reduce<string>(joined, "") || "arguments";

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

const hidden = /secret|password|token/i;

function problems(issue: z.core.$ZodIssue, schema: z.ZodObject, args: unknown): FieldProblem[] {
  const field = fieldOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => ({
      field: joined(field === "arguments" ? "" : field, key),
      takes: `nothing: there is no such argument${didYouMean(key, known)}${known.length > 0 ? `; known: ${known.join(", ")}` : ""}`,
    }));
  }
  const given = memberAt(args, issue.path);
  if (given === undefined) return [{ field, takes: `${takes(issue)}; it is required` }];
  return [{ field, given: hidden.test(field) ? `a ${typeof given}` : shown(given), takes: takes(issue) }];
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
 * @throws Failure `invalid_input` naming the fields, what was given and what they take.
 */
export function checkValues<S extends z.ZodObject>(tool: string, schema: S, args: unknown): z.output<S> {
  const given = findExcess(args) === undefined ? coerced(schema, args ?? {}) : args;
  // Text can hold JSON, so what was read from it is looked at, too.
  const excess = findExcess(given);
  if (excess) throw invalidInput(tool, [excess]);
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw invalidInput(
    tool,
    result.error.issues.flatMap((issue) => problems(issue, schema, given)),
  );
}

const narrowed = new WeakMap<CallMedia, z.ZodObject>();

/** The schema of a call's arguments, with the body in the media that they choose. */
function schemaOfCall(operation: AnyOperation, call: CallMedia): z.ZodObject {
  const whole = argumentsSchema(operation);
  const body = bodySchema(call.body);
  if (body === undefined || call.body.length === mediaList(operation.spec.body).length) return whole;
  const schema = narrowed.get(call) ?? whole.extend({ body });
  narrowed.set(call, schema);
  return schema;
}

/**
 * The medium of a body and the body as it is sent. Both come from the given value: what a schema has transformed need
 * not fit it a second time.
 */
function bodyOf(
  media: readonly Media[],
  args: unknown,
  checked: unknown,
): { readonly medium: Media | undefined; readonly body: unknown } {
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
  const chosen = mediaFor(operation, (args ?? {}) as Arguments);
  const given = checkValues(tool, schemaOfCall(operation, chosen), args);
  const { body: media, answers, problems: unfit } = mediaFor(operation, given);
  if (unfit.length > 0) throw invalidInput(tool, unfit);
  const formats = codecsOf(answers.wanted);
  const format = given["format"] as Codec | undefined;
  if (format !== undefined && !formats.includes(format))
    throw invalidInput(tool, [{ field: "format", given: shown(format), takes: `one of ${formats.join(", ")} here` }]);
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
    ...bodyOf(media, args, values["body"]),
    answers,
    format,
    confirm: values["confirm"] as string | undefined,
    wait: values["wait"] === true,
    allPages: values["allPages"] === true,
    values,
    notes,
  };
}
