/**
 * The arguments of a call: their schema, derived from the declaration, and their validation. Hides how values that a
 * client could only write as text are converted, and how oversized and undocumented members are found. Promises that
 * validated arguments match the declaration, and that an error names each field, up to a maximum, and what it takes.
 */
import {
  type AnswerMedia,
  bodySchema,
  type CallMedia,
  codecsOf,
  formatsOf,
  mediaArguments,
  mediaFor,
  returnedSchemas,
} from "../language/choice.js";
import { type Arguments, mostRecords } from "../language/conduct.js";
import { type CallDefaults, filledNotes, withDefaults, withZone } from "../language/defaults.js";
import type { AnyOperation } from "../language/define.js";
import { guardOf, isRead } from "../language/effect.js";
import { Failure, type FieldProblem, maxProblems, problemInWords, quoteValue } from "../language/failure.js";
import { determinedArguments, fillIn } from "../language/fills.js";
import { unitMsOf } from "../language/marks.js";
import { type Codec, type Header, type Media, mediaList, schemaOfParam, styleOf } from "../language/media.js";
import { fieldOf, isRecord, memberAt, withEach } from "../language/member.js";
import { onceFor } from "../language/once-for.js";
import { noteOnUnsent, type SentPart, sentPart } from "../language/read-only.js";
import { pageTool, viewTool } from "../language/server-tools.js";
import { contentsOf, formsOf } from "../language/shape.js";
import { withDocumentedNames } from "../language/vendor-words.js";
import { z } from "../language/z.js";
import { bodyArguments } from "../secrets/files.js";
import { instantsIn, withInstants } from "../time/instant.js";
import { boundPeriod, boundsNamed, orderProblems, Period, periodWords, TimeZone } from "../time/period.js";
import { guessZone, isZone, zoneText } from "../time/zone.js";
import { absentPaths, type CutCount, coerce, withoutAbsent } from "./coerce.js";
import { mendsOfAll, parseBySchema, problemsOf, slipProblems, strayProblem } from "./problems.js";
import { noteOnUnknown, remainingUnknowns, type UnknownMembers, unknownMembers } from "./unknown-members.js";
import { findUnusable } from "./unusable.js";

export const Confirm = z.string().min(1).optional().describe("Id of the approved plan");

/** The schema of `override`: the words that an operation declares, each with its meaning. */
export function overrideArgument(overrides: Readonly<Record<string, string>>) {
  const text = Object.entries(overrides).map(([word, what]) => `${what} (${word})`);
  return z
    .array(z.enum(Object.keys(overrides)))
    .optional()
    .describe(`Go ahead although ${text.join(", or ")}`);
}

/** The headers whose value is an argument, by header name. */
export const headerArguments = onceFor(
  (operation: AnyOperation): readonly (readonly [string, Exclude<Header, string>])[] => {
    const headers = Object.entries(operation.spec.headers ?? {});
    return headers.filter((entry): entry is [string, Exclude<Header, string>] => typeof entry[1] !== "string");
  },
);

/**
 * Listed with every list and report, so only pages and help say what it takes, and the server's instructions to clients
 * that see only the lists of tools. It is JSON text, which every client can send; an object is accepted as well.
 */
export const ViewArgument = z
  .preprocess(
    (given) => (typeof given === "object" && given !== null ? JSON.stringify(given) : given),
    z.string().min(1).max(4_000),
  )
  .meta({
    $comment: `JSON such as {"where":"hits > 0","group_by":"day(time)","aggregate":"sum(hits)","sort":"-sum(hits)","top":5}, of the rows' columns; ${viewTool} describes each field`,
  });

// Deeper lists are details of one object.
const maxDepth = 3;

function hasRecords(schema: z.ZodType, depth: number): boolean {
  return formsOf(schema).some(
    (form) =>
      (form instanceof z.ZodArray &&
        contentsOf(form).some((item) => formsOf(item).some((one) => one instanceof z.ZodObject))) ||
      (depth < maxDepth &&
        form instanceof z.ZodObject &&
        contentsOf(form).some((inner) => hasRecords(inner, depth + 1))),
  );
}

/**
 * Whether an operation is a list or a report: a read whose response has a list of records, rows of cells, or labelled
 * lines.
 */
export const answersRows = onceFor(
  (operation: AnyOperation): boolean =>
    isRead(operation) &&
    (operation.spec.shows?.columns !== undefined || returnedSchemas(operation).some((schema) => hasRecords(schema, 0))),
);

/** The validated arguments of a call: values by place, with defaults. */
export interface ValidatedArguments {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The paths of read-only fields in the caller's body, if any; `body` is without them. */
  readonly leftOut?: SentPart["leftOut"];
  /** The medium of the body; absent if the operation has no body. */
  readonly medium?: Media | undefined;
  /** The possible media of the response. */
  readonly answers: AnswerMedia;
  readonly format: Codec | undefined;
  /** The plan id of a confirmation. */
  readonly confirm: string | undefined;
  /** Whether to wait for the result of a launch. */
  readonly wait: boolean;
  /** Whether to read a list to its end. */
  readonly allPages: boolean;
  /** The arguments by name, as the operation's checks receive them. */
  readonly values: Readonly<Record<string, unknown>>;
  /** How the arguments were interpreted, for the result. */
  readonly notes: readonly string[];
  /** A sentence about undocumented fields of the body; it is among the notes as well. */
  readonly unknown?: string | undefined;
  /** The part that the caller asked for, if the rest repeats the present state. */
  readonly asked?: Readonly<Record<string, unknown>>;
  /** A sentence about members of the body that were null or empty, and are not sent; it is among the notes as well. */
  readonly absent?: string | undefined;
  /** The arguments that were completed from the profile, by name. */
  readonly filled?: Readonly<Record<string, string>>;
}

/**
 * The arguments of the request, by name: those of its path, query, headers and body, and those that choose its media.
 */
function requestArguments(operation: AnyOperation): Record<string, z.ZodType> {
  const { spec } = operation;
  const shape: Record<string, z.ZodType> = {};
  for (const [name, value] of Object.entries({ ...spec.path, ...spec.query })) shape[name] = schemaOfParam(value);
  for (const [, header] of headerArguments(operation)) shape[header.argument] = header.schema;
  Object.assign(shape, bodyArguments(operation));
  for (const [name, schema] of Object.entries(mediaArguments(operation))) shape[name] ??= schema;
  return shape;
}

/** The arguments that control the call and how its result is shown. */
function controlArguments(operation: AnyOperation): Record<string, z.ZodType> {
  const { spec } = operation;
  const shape: Record<string, z.ZodType> = {};
  const [first, ...others] = formatsOf(operation);
  if (first && others.length > 0) shape["format"] = z.enum([first, ...others]).optional();
  Object.assign(shape, spec.view?.arguments);
  if (answersRows(operation)) shape["view"] = ViewArgument.optional();
  const overrides = Object.assign({}, ...(spec.checks ?? []).map((check) => check.overrides));
  if (Object.keys(overrides).length > 0) shape["override"] = overrideArgument(overrides);
  if (guardOf(operation)) shape["confirm"] = Confirm;
  if (spec.awaits?.status) shape["wait"] = z.boolean().optional().describe("true: wait for the result");
  const most = spec.paging && mostRecords(spec.paging);
  if (most) shape["allPages"] = z.boolean().optional().describe(`true: all pages, up to ${most} records`);
  return shape;
}

/**
 * The whole schema of an operation's arguments, closed except for the objects of a body: path, query and header
 * arguments by name, the body under `body`, `format` if the response has several, `override` if a check can be
 * overridden, `confirm` if the call is guarded, and `wait` if it launches something that can be awaited.
 */
export const argumentsSchema = onceFor((operation: AnyOperation): z.ZodObject => {
  const { spec } = operation;
  const shape = { ...requestArguments(operation), ...controlArguments(operation) };
  const { period } = spec;
  const determined = determinedArguments(operation).map(({ argument }) => argument);
  // `boundPeriod` and `fillIn` make sure that these arguments get a value.
  for (const name of [...(period ? boundsNamed(period) : []), ...determined])
    shape[name] = (shape[name] ?? z.unknown()).optional();
  const words = periodWords(period);
  if (period) shape["period"] = Period.optional().describe(words.period);
  const isZoned = period || instantsIn(z.strictObject(shape)).some(({ as }) => unitMsOf(as) !== undefined);
  if (isZoned) shape["timeZone"] = TimeZone.optional().describe(words.timeZone);
  return z.strictObject(shape);
});

/** The different undocumented names in a call; those of objects that are sent back as they were read are a few dozen. */
const maxUnknown = 1_000;

/** Problems merged by field: if two rules reject a field, both requirements are listed. */
function mergedByField(problems: readonly FieldProblem[]): FieldProblem[] {
  const byField = new Map<string, FieldProblem>();
  for (const problem of problems) {
    const known = byField.get(problem.field);
    const both = known && known.takes !== problem.takes ? `${known.takes}, and ${problem.takes}` : problem.takes;
    const mends = known?.mends ?? problem.mends;
    byField.set(problem.field, { ...problem, takes: both, ...(mends ? { mends } : {}) });
  }
  return [...byField.values()];
}

/** Problems that an error does not name: how many are known, and whether there may be others. */
interface UnnamedProblems {
  readonly count: number;
  readonly isCut?: boolean;
}

/** The failure that names each invalid field, limited to the first ones; nothing has been sent. */
export function invalidInput(
  tool: string,
  problems: readonly FieldProblem[],
  { count, isCut = false }: UnnamedProblems = { count: 0 },
): Failure {
  const fields = problems.slice(0, maxProblems).map(({ mends: _, ...field }) => field);
  const more = Math.max(0, problems.length - maxProblems) + count;
  const further = isCut ? [`What follows the first ${maxProblems} wrong items of a list was not checked.`] : [];
  const rest = [...(more > 0 ? [`And ${more} more.`] : []), ...further].join(" ");
  const text = [...fields.map(problemInWords), ...(rest === "" ? [] : [rest])];
  return new Failure("invalid_input", `${tool} cannot use these arguments: ${text.join(". ")}`, {
    why: "The arguments do not fit the operation; nothing was sent.",
    next: `Correct the fields and call again; ${pageTool} describes all arguments of ${tool}.`,
    fields,
    ...(count > 0 || isCut ? {} : mendsOfAll(tool, problems)),
  });
}

/** Values that match a schema, and notes on how times were interpreted. */
interface ValidatedValues<V> {
  readonly values: V;
  readonly notes: readonly string[];
  /** A sentence about undocumented fields that are sent. */
  readonly unknown: string | undefined;
}

function zoneMends(zone: string): Pick<FieldProblem, "mends"> {
  const value = guessZone(zone);
  return value === undefined ? {} : { mends: [{ at: ["timeZone"], value }] };
}

/** Refuses many arguments that the schema does not name: the error names the first, and nothing else is checked. */
function refuseStrays(tool: string, schema: z.ZodObject, args: unknown): void {
  if (!isRecord(args) || !(schema.def.catchall instanceof z.ZodNever)) return;
  const strays = Object.keys(args).filter((name) => !Object.hasOwn(schema.shape, name));
  if (strays.length <= maxProblems) return;
  const problems = strays.slice(0, maxProblems).map((name) => strayProblem(name, [schema], []));
  throw invalidInput(tool, problems, { count: strays.length - maxProblems });
}

/** Refuses undocumented members that are too many to be compared with the known ones. */
function refuseTooManyUnknown(tool: string, unknowns: readonly UnknownMembers[]): void {
  const names = new Set(unknowns.flatMap((one) => one.names));
  if (names.size <= maxUnknown) return;
  const [first] = unknowns;
  throw invalidInput(tool, [
    {
      field: fieldOf(first?.path ?? []),
      given: `${names.size} different names that are not documented`,
      takes: `at most ${maxUnknown}`,
    },
  ]);
}

function validateInput<S extends z.ZodObject>(
  tool: string,
  schema: S,
  args: unknown,
  about: { readonly isChange: boolean; readonly isInHead: boolean },
): ValidatedValues<z.output<S>> {
  const declared = { schema, ...about };
  refuseStrays(tool, schema, args);
  const argsProblem = findUnusable(args, declared);
  const cuts: CutCount = { lists: 0 };
  const input = argsProblem ? args : coerce(schema, args ?? {}, cuts);
  // A text may have been parsed as JSON, so a converted value is checked, too.
  const unusable = input === args ? argsProblem : findUnusable(input, declared);
  if (unusable) throw invalidInput(tool, [unusable]);
  const zone = Object.hasOwn(schema.shape, "timeZone") ? memberAt(input, "timeZone") : undefined;
  const isUsable = typeof zone === "string" && isZone(zone);
  // Without a valid zone no time can be checked, so an unknown zone is the only error to report.
  if (typeof zone === "string" && !isUsable)
    throw invalidInput(tool, [{ field: "timeZone", given: quoteValue(zone), takes: zoneText, ...zoneMends(zone) }]);
  const { values, problems: timeProblems, notes } = withInstants(schema, input, isUsable ? zone : undefined);
  const result = parseBySchema(schema, values);
  if (result.isValid && cuts.lists > 0) throw new Error("A list was cut although all of its items can be used.");
  const unknown = unknownMembers(schema, values);
  // Fields that were left out in the conversion are not sent.
  const unknowns = result.isValid ? remainingUnknowns(result.data, unknown) : unknown;
  refuseTooManyUnknown(tool, unknowns);
  const slips = slipProblems(unknowns);
  const timeAndSlipProblems = [...timeProblems, ...slips.problems];
  if (result.isValid && timeAndSlipProblems.length === 0)
    return { values: result.data, notes, unknown: noteOnUnknown(unknowns) };
  const isReported = ({ field }: FieldProblem) => timeProblems.some((one) => one.field === field);
  const { first, more } = result.isValid ? { first: [], more: 0 } : result;
  const others = first.flatMap((issue) => problemsOf(issue, schema, values));
  const all = mergedByField([...timeAndSlipProblems, ...others.filter((one) => !isReported(one))]);
  throw invalidInput(tool, all, { count: more + slips.more, isCut: cuts.lists > 0 });
}

/**
 * Validates values against a closed schema after converting them; with defaults.
 * @param isChange Whether the call changes something, so that marks from results must not be written.
 * @throws Failure `invalid_input` with the fields, the given values and what they take.
 */
export const validateValues = <S extends z.ZodObject>(
  tool: string,
  schema: S,
  args: unknown,
  isChange = false,
): z.output<S> =>
  // A text of a composed change becomes part of a body, where an empty one is a value.
  validateInput(tool, schema, withoutAbsent(schema.shape, args, isChange), { isChange, isInHead: false }).values;

/** The problem of a time zone that neither a period nor a time without an offset uses. */
const strayZone = (values: Readonly<Record<string, unknown>>, notes: readonly string[]): FieldProblem[] =>
  values["timeZone"] === undefined || values["period"] !== undefined || notes.length > 0
    ? []
    : [
        {
          field: "timeZone",
          given: quoteValue(values["timeZone"]),
          takes: "nothing without a period or a time without an offset, for which it is used",
        },
      ];

/** The arguments without a profile's time zone if none of them depends on it. */
function withoutStrayZone<V extends Readonly<Record<string, unknown>>>(values: V, notes: readonly string[]): V {
  if (strayZone(values, notes).length === 0) return values;
  const { timeZone: _, ...others } = values;
  return others as unknown as V;
}

/** The schema of a call's arguments, with the body in the media that they choose. */
const schemaOfCall = onceFor((operation: AnyOperation) =>
  onceFor((call: CallMedia): z.ZodObject => {
    const whole = argumentsSchema(operation);
    const body = bodySchema(call.body);
    const isWhole = body === undefined || call.body.length === mediaList(operation.spec.body).length;
    return isWhole ? whole : whole.extend({ body });
  }),
);

/** The arguments of a call with texts as lists where the lists of a query are sent as texts, with commas. */
const withListsSplit = (operation: AnyOperation, args: unknown): unknown =>
  isRecord(args)
    ? withEach(args, (value, name) => {
        const param = operation.spec.query?.[name];
        const isList = param !== undefined && styleOf(param) === "comma" && typeof value === "string";
        return isList && !value.trimStart().startsWith("[") ? value.split(",").map((item) => item.trim()) : value;
      })
    : args;

/**
 * The medium of a body, and the body as it is sent. Both are derived from the given value, because the output of a
 * schema need not be valid input.
 */
function bodyOf(
  media: readonly Media[],
  args: unknown,
  checked: unknown,
): { readonly medium: Media | undefined; readonly body: unknown } {
  if (new Set(media.map(({ schema }) => schema)).size < 2) return { medium: media[0], body: checked };
  const given = memberAt(args, "body");
  for (const medium of media) {
    const result = medium.schema.safeParse(coerce(medium.schema, given));
    if (result.success) return { medium, body: result.data };
  }
  return { medium: undefined, body: undefined };
}

/**
 * Validates a call's arguments against the whole schema.
 * @param defaults The profile's defaults.
 * @throws Failure `invalid_input` with the fields, the given values and what they take, and the corrected call for
 * arguments that the tool took in the documents.
 */
export function validateArguments(
  tool: string,
  operation: AnyOperation,
  callArgs: unknown,
  nowMs?: number,
  defaults?: CallDefaults,
): ValidatedArguments {
  try {
    return validateUsable(tool, operation, callArgs, nowMs, defaults);
  } catch (error) {
    if (!(error instanceof Failure && isRecord(callArgs))) throw error;
    const value = operation.spec.formerly?.(callArgs);
    if (value === undefined) throw error;
    const { fields } = error.detail;
    throw new Failure("invalid_input", `${tool} takes other arguments than in the documents.`, {
      why: "--apis today is set, and today's API has another form; nothing was sent.",
      next: `${pageTool} describes the arguments of ${tool}.`,
      ...(fields && { fields }),
      mends: { tool, all: [{ at: [], value }] },
    });
  }
}

function validateUsable(
  tool: string,
  operation: AnyOperation,
  callArgs: unknown,
  nowMs: number = Date.now(),
  defaults?: CallDefaults,
): ValidatedArguments {
  const { shape } = argumentsSchema(operation);
  const { args: documentedArgs, notes: named } = withDocumentedNames(
    operation.service?.vendorWords ?? [],
    callArgs,
    Object.keys(shape),
  );
  const present = withListsSplit(operation, withoutAbsent(shape, documentedArgs));
  const { args, filled: byProfile } = withDefaults(operation, present, defaults);
  const chosen = mediaFor(operation, (args ?? {}) as Arguments);
  const zoned = withZone(shape, args, defaults);
  const {
    values,
    notes: placed,
    unknown,
  } = validateInput(tool, schemaOfCall(operation)(chosen), zoned, {
    isChange: !isRead(operation),
    isInHead: true,
  });
  const inputValues = zoned === args ? values : withoutStrayZone(values, placed);
  const { body: media, answers, problems: unfit } = mediaFor(operation, inputValues);
  if (unfit.length > 0) throw invalidInput(tool, unfit);
  const formats = codecsOf(answers.wanted);
  const format = inputValues["format"] as Codec | undefined;
  if (format !== undefined && !formats.includes(format))
    throw invalidInput(tool, [
      { field: "format", given: quoteValue(format), takes: `one of ${formats.join(", ")} here` },
    ]);
  const { spec } = operation;
  const filled = fillIn(operation, inputValues);
  const { period } = spec;
  const isRequired = (name: string) => !schemaOfParam(spec.query?.[name] ?? z.unknown()).safeParse(undefined).success;
  const bound = period ? boundPeriod(period, filled.values, isRequired, nowMs) : { ...filled, problems: [], notes: [] };
  const bounded = bound.values;
  const problems = [
    ...filled.problems,
    ...bound.problems,
    ...strayZone(inputValues, placed),
    ...(period ? orderProblems(period, bounded) : []),
  ];
  if (problems.length > 0) throw invalidInput(tool, problems);
  const { medium, body: whole } = bodyOf(media, args, bounded["body"]);
  const absent = noteOnUnsent(
    absentPaths(memberAt(args, "body"), whole, ["body"]),
    "null or empty text is no value there",
  );
  const { value: body, leftOut } = medium ? sentPart(medium.schema, whole, ["body"]) : { value: whole, leftOut: [] };
  const pick = (names: Iterable<string>): Record<string, unknown> =>
    Object.fromEntries([...names].filter((name) => bounded[name] !== undefined).map((name) => [name, bounded[name]]));
  return {
    path: pick(Object.keys(spec.path ?? {})),
    query: pick(Object.keys(spec.query ?? {})),
    headers: Object.fromEntries(
      headerArguments(operation)
        .filter(([, header]) => bounded[header.argument] !== undefined)
        .map(([name, header]) => [name, bounded[header.argument]]),
    ),
    medium,
    body,
    ...(leftOut.length === 0 ? {} : { leftOut }),
    answers,
    format,
    confirm: bounded["confirm"] as string | undefined,
    wait: bounded["wait"] === true,
    allPages: bounded["allPages"] === true,
    values: bounded,
    notes: [
      ...(unknown ? [unknown] : []),
      ...named,
      ...filledNotes(byProfile),
      ...placed,
      ...filled.notes,
      ...bound.notes,
      ...noteOnUnsent(leftOut, "the API sets them itself"),
      ...absent,
    ],
    unknown,
    absent: absent[0],
    ...(Object.keys(byProfile).length === 0 ? {} : { filled: byProfile }),
  };
}
