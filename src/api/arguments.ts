/** The arguments of a call: their schema, derived from the declaration, and their check, whose errors name the field. */
import { bare } from "./bare.js";
import type { AnyOperation, Codec, Header, Media, Param } from "./define.js";
import { findExcess } from "./excess.js";
import { Failure, type FieldProblem, shown } from "./failure.js";
import { instants, instantsIn, instantText, withInstants } from "./instant.js";
import { fillIn, type Limits, limitProblems } from "./limits.js";
import { fieldOf, joined, memberAt } from "./member.js";
import { didYouMean } from "./nearest.js";
import {
  boundPeriod,
  boundsNamed,
  orderProblems,
  Period,
  type PeriodArguments,
  periodWords,
  TimeZone,
} from "./period.js";
import { z } from "./z.js";
import { isZone, zoneText } from "./zone.js";

/** A call's arguments after the check: values by place, defaults filled in. */
export interface CheckedArguments {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly format: Codec | undefined;
  /** The plan id of a confirmation. */
  readonly confirm: string | undefined;
  /** Whether a launch is to be waited for. */
  readonly wait: boolean;
  /** How the arguments were understood, for the reader of the answer. */
  readonly notes: readonly string[];
}

const isParam = (value: z.ZodType | Param): value is Param => "style" in value;
/** The schema of a parameter, whatever its style. */
export const schemaOfParam = (value: z.ZodType | Param): z.ZodType => (isParam(value) ? value.schema : value);
/** One medium or several, as a list. */
export const mediaList = (media: Media | readonly Media[] | undefined): readonly Media[] =>
  media === undefined ? [] : Array.isArray(media) ? media : [media as Media];

/** Every medium of an operation's answers, whatever the status. */
export const returnedMedia = ({ spec }: AnyOperation): readonly Media[] =>
  Object.values(spec.returns as Record<number, Media | readonly Media[]>).flatMap((media) => mediaList(media));

/** The codecs among which a caller can choose an answer's form; the first is the default. */
export function formatsOf(operation: AnyOperation): readonly Codec[] {
  const codecs = returnedMedia(operation).map((media) => media.codec);
  return [...new Set(codecs)].filter((codec) => codec !== "empty");
}

/** The headers whose value is an argument: header name to its declaration. */
export function headerArguments(operation: AnyOperation): readonly (readonly [string, Exclude<Header, string>])[] {
  const headers = Object.entries((operation.spec.headers ?? {}) as Record<string, Header>);
  return headers.filter((entry): entry is [string, Exclude<Header, string>] => typeof entry[1] !== "string");
}

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
  for (const [name, value] of Object.entries({ ...spec.path, ...spec.query } as Record<string, z.ZodType | Param>))
    shape[name] = schemaOfParam(value);
  for (const [, header] of headerArguments(operation)) shape[header.argument] = header.schema;
  const bodies = mediaList(spec.body).map((media) => media.schema);
  const [first, second] = bodies;
  if (first) shape["body"] = second ? z.union(bodies as [z.ZodType, z.ZodType]) : first;
  const formats = formatsOf(operation);
  if (formats.length > 1) shape["format"] = z.enum(formats as [Codec, ...Codec[]]).optional();
  if (spec.guard) shape["confirm"] = z.string().optional().describe("Plan id from the preview that was approved");
  if (spec.awaits) shape["wait"] = z.boolean().optional().describe("true: wait for the result");
  const { period, limits } = spec as { period?: PeriodArguments; limits?: Limits };
  // What takes the place of these arguments sees to it that they have a value: `boundPeriod` and `fillIn`.
  for (const name of [...(period ? boundsNamed(period) : []), ...(limits?.fills ? [limits.fills.argument] : [])])
    shape[name] = (shape[name] ?? z.unknown()).optional();
  const words = periodWords(period);
  if (period) shape["period"] = Period.optional().describe(words.period);
  const takesInstants = instantsIn(z.strictObject(shape)).some(({ as }) => as === "epochMs");
  if (period || takesInstants) shape["timeZone"] = TimeZone.optional().describe(words.timeZone);
  const schema = z.strictObject(shape);
  schemas.set(operation, schema);
  return schema;
}

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
  const at = schemaAt(schema, issue.path);
  const isInstant = at !== undefined && instants.get(at)?.as === "epochMs" && issue.code === "invalid_type";
  const needed = isInstant ? instantText : takes(issue);
  if (given === undefined) return [{ field, takes: `${needed}; it is required` }];
  return [{ field, given: hidden.test(field) ? `a ${typeof given}` : shown(given), takes: needed }];
}

/** The schema at a path of the arguments, as far as theirs tells. */
function schemaAt(schema: z.ZodObject, path: readonly PropertyKey[]): z.ZodType | undefined {
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
  return at && bare(at);
}

/** The names that the object at a path of the arguments knows, as far as their schema tells. */
export function keysAt(schema: z.ZodObject, path: readonly PropertyKey[]): string[] {
  const at = schemaAt(schema, path);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

/** What is wrong with a call that mixes groups of arguments which exclude each other, or uses one of them in part. */
function* mixed(operation: AnyOperation, values: Readonly<Record<string, unknown>>): Generator<FieldProblem> {
  const groups = (operation.spec.alternatives ?? []) as readonly (readonly string[])[];
  const isGiven = (name: string) => values[name] !== undefined;
  const used = groups.filter((group) => group.some(isGiven));
  for (const group of used)
    for (const name of group.filter((one) => !isGiven(one)))
      yield {
        field: name,
        takes: `a value, because ${group.filter(isGiven).join(", ")} was given: ${group.join(", ")} are used together`,
      };
  const [first, second] = used;
  for (const name of second?.filter(isGiven) ?? [])
    yield {
      field: name,
      given: shown(values[name]),
      takes: `nothing beside ${first?.join(", ")}: use the one form or the other`,
    };
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

/** Values that fit a schema, what was made of the times among them, and whether a time zone had a use. */
interface Checked<V> {
  readonly values: V;
  readonly notes: readonly string[];
}

function checked<S extends z.ZodObject>(tool: string, schema: S, args: unknown): Checked<z.output<S>> {
  const excess = findExcess(args);
  if (excess) throw invalidInput(tool, [excess]);
  const zone = Object.hasOwn(schema.shape, "timeZone") ? memberAt(args, "timeZone") : undefined;
  const isUsable = typeof zone === "string" && isZone(zone);
  // Without its zone no time can be judged: a zone that there is not is the one mistake to name.
  if (typeof zone === "string" && !isUsable)
    throw invalidInput(tool, [{ field: "timeZone", given: shown(zone), takes: zoneText }]);
  const { values, problems: untimely, notes } = withInstants(schema, args ?? {}, isUsable ? zone : undefined);
  const result = schema.safeParse(values);
  if (result.success && untimely.length === 0) return { values: result.data, notes };
  const isTold = ({ field }: FieldProblem) => untimely.some((one) => one.field === field);
  const others = (result.error?.issues ?? []).flatMap((issue) => problems(issue, schema, values));
  throw invalidInput(tool, [...untimely, ...others.filter((one) => !isTold(one))]);
}

/**
 * Checks values against a closed schema, defaults filled in.
 * @throws Failure `invalid_input` naming the fields, what was given and what they take.
 */
export const checkValues = <S extends z.ZodObject>(tool: string, schema: S, args: unknown): z.output<S> =>
  checked(tool, schema, args).values;

/** What is wrong with a time zone that neither a period nor a time without an offset has a use for. */
const strayZone = (values: Readonly<Record<string, unknown>>, notes: readonly string[]): FieldProblem[] =>
  values["timeZone"] === undefined || values["period"] !== undefined || notes.length > 0
    ? []
    : [
        {
          field: "timeZone",
          given: shown(values["timeZone"]),
          takes: "nothing without period, whose days it places, or a time without an offset",
        },
      ];

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
  const { spec } = operation;
  const { values: given, notes: placed } = checked(tool, argumentsSchema(operation), args);
  const filled = fillIn(spec.limits, given);
  const period = spec.period as PeriodArguments | undefined;
  const isRequired = (name: string) => !schemaOfParam(spec.query?.[name] ?? z.unknown()).safeParse(undefined).success;
  const bound = period ? boundPeriod(period, filled.values, isRequired, nowMs) : { ...filled, problems: [], notes: [] };
  const { values } = bound;
  const mixedUp = [
    ...mixed(operation, values),
    ...filled.problems,
    ...bound.problems,
    ...strayZone(given, placed),
    ...(period ? orderProblems(period, values) : []),
    ...limitProblems(spec.limits, values),
  ];
  if (mixedUp.length > 0) throw invalidInput(tool, mixedUp);
  const pick = (names: Iterable<string>): Record<string, unknown> =>
    Object.fromEntries([...names].filter((name) => values[name] !== undefined).map((name) => [name, values[name]]));
  return {
    path: pick(Object.keys(spec.path ?? {})),
    query: pick(Object.keys(spec.query ?? {})),
    headers: Object.fromEntries(
      headerArguments(operation)
        .filter(([, header]) => values[header.argument] !== undefined)
        .map(([name, header]) => [name, values[header.argument]]),
    ),
    body: values["body"],
    format: values["format"] as Codec | undefined,
    confirm: values["confirm"] as string | undefined,
    wait: values["wait"] === true,
    notes: [...placed, ...filled.notes, ...bound.notes],
  };
}
