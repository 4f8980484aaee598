/** A tool's arguments on a command line: flags, one word of JSON, or `-` for JSON from stdin; parsed and written. */
import { buffer as wholeOf } from "node:stream/consumers";
import { isChange } from "../calls/workflow.js";
import type { Catalogue } from "../engine/catalogue.js";
import { Failure, type FieldProblem, quoteValue } from "../language/failure.js";
import { isRecord } from "../language/member.js";
import type { JsonSchema } from "../schema/json-schema.js";
import { leanSchema } from "../schema/listed-schema.js";
import { textIn } from "../system/file-access.js";
import { argumentsIn } from "../text/json-size.js";
import { didYouMean } from "../text/nearest.js";
import { parsedJson } from "../text/parsed-json.js";
import { workflowsFor } from "../workflows/index.js";
import { refuse, searchFor } from "./command.js";

/** Deeper values are written as JSON. */
const depth = { full: 4, required: 4 };
const mostNamed = 5;

const placeholders: Readonly<Record<string, string>> = {
  string: "TEXT",
  integer: "INTEGER",
  number: "NUMBER",
  object: "JSON",
  boolean: "",
};

/** The placeholder of a flag: `TEXT`, `INTEGER`, `JSON`, or its values; and whether it can be repeated. */
export function placeholderOf({ schema }: Pick<FlagSchema, "schema">): string {
  const { type, items } = schema;
  const isList = type === "array";
  const item = (isList ? items : schema) as JsonSchema;
  const values = item["enum"] as readonly string[] | undefined;
  const kind = values?.join("|") ?? placeholders[String(item["type"])] ?? "JSON";
  return isList ? `${kind === "" ? "true|false" : kind} …` : kind;
}

/**
 * Loads the page of a tool, and the schema of its arguments with one type for each member; undefined if there is no
 * such tool.
 */
export async function declaredTool(tool: string, catalogue: Catalogue) {
  const { toolPage } = await import("../pages/tool-page.js");
  const workflows = workflowsFor(catalogue);
  const page = (await toolPage(tool, { tools: catalogue, workflows }))?.data;
  if (!page) return undefined;
  const schema = leanSchema(page.input as JsonSchema, depth);
  const declared = Object.hasOwn(workflows, tool) ? await workflows[tool]?.() : undefined;
  const { argumentsOf = {} } = declared && !isChange(declared) ? declared : {};
  const properties: Record<string, JsonSchema> = { ...membersOf(schema) };
  for (const [name, other] of Object.entries(argumentsOf)) {
    const { properties: inner } = (await declaredTool(other, catalogue))?.schema ?? {};
    if (inner !== undefined) properties[name] = { ...properties[name], properties: inner };
  }
  return { page, schema: { ...schema, properties } };
}

/** The named members of an object's schema. */
const membersOf = ({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  isRecord(properties) ? (properties as Record<string, JsonSchema>) : {};

/** The schema of the members of an object that may have any name; undefined if it has others, or any values. */
export const valuesIn = (schema: JsonSchema): JsonSchema | undefined =>
  Object.keys(membersOf(schema)).length === 0 && isRecord(schema["additionalProperties"])
    ? (schema["additionalProperties"] as JsonSchema)
    : undefined;

/** The names of the members of an object. */
export const memberNames = (schema: JsonSchema): readonly string[] => Object.keys(membersOf(schema));

/**
 * The problem of an argument in the flags of the help: the lack of an object is that of its members, and a list is written by
 * repeating its flag.
 */
export function problemInFlags({ field, given, takes }: FieldProblem, flags: readonly FlagSchema[]): FieldProblem[] {
  const [, name = "", inside = ""] = /^([^[]*)(.*)$/s.exec(field) ?? [];
  const flag = `--${name}`;
  const flagSchema = flags.find((one) => one.flag === flag);
  const inner = flags.filter((one) => one.flag.startsWith(`${flag}.`));
  if (flagSchema === undefined && inner.length > 0 && given === undefined) {
    const needed = inner.filter(({ isRequired }) => isRequired);
    if (needed.length > 0)
      return needed.map((one) => ({ field: one.flag, takes: `${placeholderOf(one)}; it is required` }));
    const some = inner.slice(0, mostNamed).map((one) => one.flag);
    return [{ field: some.join(", "), takes: "a value for at least one of them" }];
  }
  const isList = flagSchema?.schema["type"] === "array" && inside === "";
  return [
    {
      field: `${flag}${inside === "" ? "" : ` at ${inside}`}`,
      ...(given === undefined ? {} : { given }),
      takes: isList ? `${takes}; repeat the flag for each value` : takes,
    },
  ];
}

/** The flag of an argument or nested member, and its schema. */
export interface FlagSchema {
  readonly flag: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/**
 * The flags of a schema: one for each argument, and for an object with named members one for each of these.
 * @param isRequired Whether the parent is required.
 */
export function flagsOf(schema: JsonSchema, at = "--", isRequired = true): FlagSchema[] {
  const required = (schema["required"] ?? []) as readonly string[];
  return Object.entries(membersOf(schema)).flatMap(([name, member]): FlagSchema[] => {
    const isNeeded = isRequired && required.includes(name);
    const isOpen = Object.keys(membersOf(member)).length === 0 || isRecord(member["additionalProperties"]);
    return [
      ...(isOpen ? [{ flag: `${at}${name}`, schema: member, isRequired: isNeeded }] : []),
      ...flagsOf(member, `${at}${name}.`, isNeeded),
    ];
  });
}

type Values = Readonly<Record<string, unknown>>;

interface Target {
  readonly path: readonly string[];
  /** `{}` for a member of any type. */
  readonly schema: JsonSchema;
}

/**
 * The path that a flag without its dashes names; undefined if there is none. Dots separate members, but a declared name
 * can contain dots.
 */
function targetIn(schema: JsonSchema, name: string): Target | undefined {
  const members = membersOf(schema);
  // A member of any type can be an object with any members.
  const others: unknown = Object.keys(schema).length === 0 ? true : schema["additionalProperties"];
  const [declared] = Object.keys(members)
    .filter((one) => name === one || name.startsWith(`${one}.`))
    .sort((a, b) => b.length - a.length);
  const first = declared ?? name.split(".")[0] ?? "";
  const inner = declared ? members[declared] : isRecord(others) ? others : others === true ? {} : undefined;
  if (inner === undefined || first === "") return undefined;
  if (first === name) return { path: [first], schema: inner };
  const rest = targetIn(inner, name.slice(first.length + 1));
  return rest && { path: [first, ...rest.path], schema: rest.schema };
}

/** The most likely meaning of an unknown flag: a member of the body by its name, or a similar name. */
function suggestion(flag: string, known: readonly string[]): string {
  const inner = known.find((one) => one.endsWith(`.${flag.slice(2)}`));
  return inner === undefined ? didYouMean(flag, known) : ` (did you mean "${inner}"?)`;
}

interface GivenFlag {
  readonly flag: string;
  readonly path: readonly string[];
  readonly schema: JsonSchema;
  readonly values: (string | boolean)[];
}

/** The path and schema of a flag; `--no-x` has those of `x`. */
function targetOf(tool: string, name: string, schema: JsonSchema, others: readonly string[]) {
  const target = targetIn(schema, name);
  if (target) return { ...target, flag: `--${name}`, isNegated: false };
  const negated = name.startsWith("no-") ? targetIn(schema, name.slice(3)) : undefined;
  if (negated?.schema["type"] === "boolean") return { ...negated, flag: `--${name.slice(3)}`, isNegated: true };
  const known = [...flagsOf(schema).map(({ flag }) => flag), ...others];
  return refuse(
    `${tool} has no argument --${name}${suggestion(`--${name}`, known)}.`,
    `\`edgewise call ${tool} --help\` lists its arguments.`,
  );
}

const isFlag = (word: string): boolean => /^--./s.test(word);

/** The name and value of a flag: the value is in the same word or the next one, or implied for a switch. */
function takeFlag(
  tool: string,
  word: string,
  rest: Iterator<string, undefined>,
  schema: JsonSchema,
  others: readonly string[],
) {
  const [, name = "", , inline] = /^--([^=]*)(=(.*))?$/s.exec(word) ?? [];
  const { isNegated, ...target } = targetOf(tool, name, schema, others);
  const { flag } = target;
  if (isNegated && inline !== undefined)
    return refuse(`--${name} takes no value.`, `Write --${name}, or ${flag} for the opposite.`);
  if (inline !== undefined) return { ...target, value: inline };
  if (target.schema["type"] === "boolean") return { ...target, value: !isNegated };
  const { value } = rest.next();
  if (value === undefined || isFlag(value))
    return refuse(`${flag} needs a value.`, `Write ${flag} VALUE, or ${flag}=VALUE if the value begins with --.`);
  return { ...target, value };
}

/** The flags of a line with their values, each once, and all other words. */
function takeFlags(tool: string, words: readonly string[], schema: JsonSchema, others: readonly string[]) {
  const flagsByName = new Map<string, GivenFlag>();
  const bare: string[] = [];
  const rest = words.values();
  for (const word of rest) {
    if (!isFlag(word)) {
      bare.push(word);
      continue;
    }
    const { value, ...target } = takeFlag(tool, word, rest, schema, others);
    const known = flagsByName.get(target.flag) ?? { ...target, values: [] };
    known.values.push(value);
    flagsByName.set(target.flag, known);
  }
  return { given: [...flagsByName.values()], bare };
}

/** One value of a flag. Objects are parsed here, because their members can also be set by other flags. */
function flagValueOf(flag: string, schema: JsonSchema, value: string | boolean): unknown {
  // For text, null is an ordinary word; an empty text represents null, as the validation reads it.
  if (value === "null" && schema["type"] !== "string") return null;
  if (schema["type"] !== "object" || typeof value !== "string") return value;
  const parsed = argumentsIn(value);
  if (isRecord(parsed)) return parsed;
  const inner = flagsOf(schema, `${flag}.`).map((one) => one.flag);
  return refuse(
    `${flag} takes an object as JSON; ${quoteValue(value)} was given.`,
    inner.length > 0
      ? `Write it as JSON, or its members as ${inner.slice(0, mostNamed).join(", ")}.`
      : "Write it as JSON.",
  );
}

/** The value of a flag from all of its occurrences: a list if it takes one. */
function valuesOf({ flag, schema, values }: GivenFlag): unknown {
  const [first = "", ...others] = values;
  const isList = schema["type"] === "array";
  if (others.length === 0 && !isList) return flagValueOf(flag, schema, first);
  if (others.length > 0 && !isList && schema["type"] !== undefined)
    return refuse(`${flag} is given ${values.length} times.`, "It takes one value: write it once.");
  const whole = typeof first === "string" && others.length === 0 ? argumentsIn(first) : undefined;
  if (Array.isArray(whole) || whole === null) return whole;
  const items = isRecord(schema["items"]) ? schema["items"] : {};
  return values.map((value) => flagValueOf(flag, items, value));
}

/** Values with one more at a path; rejects a second value for the same path. */
function withValueAt(values: Values, [name = "", ...rest]: readonly string[], value: unknown, flag: string): Values {
  const known = Object.hasOwn(values, name) ? values[name] : undefined;
  if (rest.length > 0 && (known === undefined || isRecord(known)))
    return { ...values, [name]: withValueAt(known ?? {}, rest, value, flag) };
  if (known === undefined) return { ...values, [name]: value };
  if (isRecord(known) && isRecord(value))
    return Object.entries(value).reduce(
      (all, [member, inner]) => withValueAt(all, [name, member], inner, flag),
      values,
    );
  return refuse(`${flag} sets a value that is already set.`, "Give each argument once, in a flag or in the JSON.");
}

/**
 * Parses a tool's arguments from the words after its name. Texts stay texts: the validation of the call converts them
 * by the schema.
 * @param schema The schema of the tool's arguments, from `declaredTool`.
 * @param others Further flags to suggest for a mistyped one.
 * @param wordToValues Parses a word that is not a flag as a JSON object.
 * @throws Failure `bad_configuration` for an unknown flag, or one without a value or with too many.
 */
export async function argumentsInFlags(
  tool: string,
  words: readonly string[],
  schema: JsonSchema,
  others: readonly string[],
  wordToValues: (words: readonly string[]) => Promise<Values>,
): Promise<Values> {
  const { given, bare } = takeFlags(tool, words, schema, others);
  const start = await wordToValues(bare);
  return given.reduce((values, one) => withValueAt(values, one.path, valuesOf(one), one.flag), start);
}

const asWord = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function flagWords(flag: string, value: unknown, schema: JsonSchema): string[] {
  const members = membersOf(schema);
  if (schema["type"] === "object" && isRecord(value)) {
    // Members without a flag, and a null that would be read as text, are written as JSON of the whole object.
    const isWhole =
      Object.keys(value).length === 0 ||
      Object.entries(value).some(
        ([name, one]) => !members[name] || (one === null && members[name]["type"] === "string"),
      );
    if (!isWhole)
      return Object.entries(value).flatMap(([name, member]) =>
        flagWords(`${flag}.${name}`, member, members[name] ?? {}),
      );
  }
  if (schema["type"] === "boolean" && typeof value === "boolean") return [value ? flag : `--no-${flag.slice(2)}`];
  const isPlainList = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item !== "object");
  if (schema["type"] === "array" && isPlainList && (value.length > 1 || !Array.isArray(parsedJson(asWord(value[0])))))
    return value.flatMap((item) => flagWords(flag, item, {}));
  const word = asWord(value);
  return isFlag(word) ? [`${flag}=${word}`] : [flag, word];
}

/** Arguments as words of a command line, which `argumentsInFlags` parses. */
export const argumentWords = (args: Values, schema: JsonSchema): string[] =>
  Object.entries(args).flatMap(([name, value]) => flagWords(`--${name}`, value, membersOf(schema)[name] ?? {}));

/** The failure for an unknown tool, with the one that is most likely meant. */
export function unknownTool(tool: string, tools: ReadonlyMap<string, unknown>): Failure {
  const guess = didYouMean(tool, tools.keys());
  return new Failure("unknown_tool", `There is no tool ${JSON.stringify(tool)}${guess}.`, {
    next:
      guess === ""
        ? `${searchFor(tool)} searches tools, and \`edgewise operations\` lists them.`
        : "`edgewise operations` lists the tools.",
  });
}

/**
 * Parses the arguments.
 * @throws Failure `bad_configuration` if they are not a JSON object.
 */
export function argumentsFrom(text: string): Readonly<Record<string, unknown>> {
  const value = argumentsIn(text);
  if (!isRecord(value))
    refuse(
      "The arguments are not a JSON object.",
      'Write them as one quoted word, such as \'{"queueName":"default"}\'.',
    );
  return value;
}

/**
 * Parses the words of a call that are not flags: none, JSON, or `-`.
 * @param input The stream that `-` reads, to its end.
 * @throws Failure `bad_configuration` if there are several, or if they are not a JSON object.
 */
export async function argumentsInWords(
  words: readonly string[],
  input: AsyncIterable<string | Uint8Array>,
): Promise<Readonly<Record<string, unknown>>> {
  const [word = "{}", ...stray] = words;
  if (stray.length > 0)
    refuse(
      `call does not take ${stray.map((one) => JSON.stringify(one)).join(", ")}.`,
      "Put a value after its flag, and quote JSON as one word.",
      "In addition to flags it takes one word: JSON, or - for JSON from stdin. A switch such as --wait takes no value.",
    );
  return argumentsFrom(word === "-" ? textIn(await wholeOf(input)) : word);
}
