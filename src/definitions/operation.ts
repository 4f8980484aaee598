/** Declares imported operations, so that a call of one takes the same path as any other. */
import type { Check } from "../language/check.js";
import type { Arguments, Guard } from "../language/conduct.js";
import type { AnyOperation, Header } from "../language/define.js";
import { Failure, quoteValue } from "../language/failure.js";
import { statement } from "../language/guards.js";
import { markSchema, secret } from "../language/marks.js";
import { comma, type Media, mediumOf, type Param, repeat } from "../language/media.js";
import { fieldOf, memberAt } from "../language/member.js";
import { z } from "../language/z.js";
import { isAccessName, isSecretName, maskSecrets } from "../secrets/masking.js";
import { type ArgumentsSchema, argumentsSchemaOf, bodyShape } from "./arguments-schema.js";
import {
  type CompiledOperation,
  type Definition,
  type Parameter,
  type Shape,
  shapeTypes,
  successesOf,
} from "./definition.js";
import { type ImportedEffect, importedEffectOf } from "./effect.js";
import { misfitsIn } from "./misfits.js";

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const isOf = (shape: Shape | undefined, type: string): boolean =>
  shape !== undefined && shapeTypes(shape).includes(type);

/** Whether a shape takes any text, rather than flags, numbers or words of a closed set. */
const isTextOf = (shape: Shape | undefined): boolean =>
  shape?.enum === undefined && (shape?.type === undefined || isOf(shape, "string"));

/** A parameter takes any text: its type is advice, which only the preview and the explanation of a refusal use. */
function parameterOf(name: string, { shape, isRequired, style }: Parameter): z.ZodType | Param {
  const isList = isOf(shape, "array");
  const any = isList ? z.array(scalar) : scalar;
  const valueSchema = isSecretName(name) && isTextOf(shape) ? secret(any) : any;
  const schema = isRequired ? valueSchema : valueSchema.optional();
  if (!isList) return schema;
  return style === "comma" ? comma(schema) : repeat(schema);
}

type Parameters = Readonly<Record<string, Parameter>>;

const mapMembers = <T>(members: Parameters, of: (name: string, one: Parameter) => T) =>
  Object.fromEntries(Object.entries(members).map(([name, one]) => [name, of(name, one)]));

/** The headers of a request, by their names on the wire. */
const headersOf = (headers: Parameters): Readonly<Record<string, Header>> =>
  Object.fromEntries(
    Object.entries(headers).map(([argument, { wire = argument, isRequired }]) => [
      wire,
      { argument, schema: isRequired ? z.string() : z.string().optional() },
    ]),
  );

/** Any value of a body, whatever the definition says of it. */
function anyBody(shape: Shape | undefined, isRequired: boolean): z.ZodType {
  const value = isOf(shape, "object") ? z.looseObject({}) : isOf(shape, "array") ? z.array(z.unknown()) : undefined;
  const any = value ?? z.unknown().refine((given) => given !== undefined || !isRequired, "a value");
  return isRequired ? any : any.optional();
}

const answer = markSchema(z.unknown(), { undeclaredSecrets: true });

/** The success statuses that an API may answer with, whatever its definition names. */
const usualStatuses = [200, 201, 202, 204];

function returnsOf(compiled: CompiledOperation): Record<number, Media> {
  const returns = successesOf(compiled);
  const [first] = returns.flatMap(([, one]) => one ?? []);
  const usual = mediumOf(first?.type ?? "application/json", answer);
  return {
    ...Object.fromEntries(usualStatuses.map((status) => [status, usual])),
    ...Object.fromEntries(returns.map(([status, one]) => [status, one ? mediumOf(one.type, answer) : usual])),
  };
}

const mostSecrets = 20;

/** The paths of texts in a response that are secrets by their names, outside of lists. */
function secretsIn(shape: Shape | undefined, before = ""): string[] {
  return Object.entries(shape?.properties ?? {})
    .flatMap(([name, member]) => {
      if (name.includes(".")) return [];
      if (isAccessName(name) && isTextOf(member)) return [`${before}${name}`];
      return secretsIn(member, `${before}${name}.`);
    })
    .slice(0, mostSecrets);
}

/** Flags that change what a write does. */
const changesEffect =
  /^(?:activate|force|bypass|skip|ignore|override|overwrite|purge|delete|auto[A-Z_]|deactivate|immediate)/i;

/** The flags that a call sets, in the query and at the top of its body. */
function flagsIn(args: Arguments): string[] {
  const { body, confirm: _, ...parameters } = args;
  const members = typeof body === "object" && body !== null && !Array.isArray(body) ? Object.entries(body) : [];
  const isSet = ([name, value]: readonly [string, unknown]) =>
    changesEffect.test(name) &&
    value !== false &&
    value !== "false" &&
    value !== null &&
    value !== undefined &&
    typeof value !== "object";
  return [
    ...Object.entries(parameters)
      .filter(isSet)
      .map(([name, value]) => `${name}=${quoteValue(value)}`),
    ...members.filter(isSet).map(([name, value]) => `body.${name}=${quoteValue(value)}`),
  ];
}

const verbs: Readonly<Record<Guard["kind"], string>> = {
  purge: "PURGE",
  delete: "DELETE",
  overwrite: "CHANGE",
  create: "CREATE",
  activate: "ACTIVATE",
  credential: "CHANGE A CREDENTIAL",
  access: "CHANGE ACCESS",
  cancel: "CANCEL",
  suspend: "SUSPEND",
  resume: "RESUME",
};

/** The operation that a change names for its state; undefined if there is none. */
const readerOf = ({ shownBy = "" }: CompiledOperation, { operations }: Definition): CompiledOperation | undefined =>
  Object.hasOwn(operations, shownBy) ? operations[shownBy] : undefined;

/** The shape of an operation's answer; undefined if none is defined. */
function shapeOfAnswer(compiled: CompiledOperation, { shapes }: Definition): Shape | undefined {
  const [shape] = successesOf(compiled).flatMap(([, one]) => one?.shape ?? []);
  return shape === undefined ? undefined : shapes[shape];
}

/** Whether the state is shown in the form in which it is written, so that it can be written back. */
function isShownAlike(compiled: CompiledOperation, definition: Definition): boolean {
  const reader = readerOf(compiled, definition);
  const state = reader && shapeOfAnswer(reader, definition)?.properties;
  const names = Object.keys(bodyShape(compiled, definition)?.properties ?? {});
  return state !== undefined && names.length > 0 && names.every((name) => Object.hasOwn(state, name));
}

const ofCaller = "of the API client that makes the calls here";

/** The guard of a change. */
function guardFor({ compiled, definition, title }: ImportFacts, kind: Guard["kind"], schema: ArgumentsSchema): Guard {
  const { route, body } = compiled;
  const shape = bodyShape(compiled, definition);
  const [method = "", path = ""] = route.split(" ");
  const isOfCaller = path.split("/").includes("self");
  const isWhole = (method === "PUT" || method === "PATCH") && isOf(shape, "object") && !body?.type.includes("patch");
  return {
    kind,
    ...(isWhole ? { replaces: "body", write: method === "PATCH" ? "merge" : "replace" } : {}),
    ...(isWhole && isShownAlike(compiled, definition) ? { undo: "rewrite" } : {}),
    says: (args, present) => {
      const flags = flagsIn(args);
      const led = flags.length === 0 ? "" : `With ${flags.join(" and ")}, which can change what this does: `;
      const place = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => String(args[key]));
      const unread = present === undefined && "its present state was not read";
      return statement(`${led}${verbs[kind]}`, `with ${method} ${place}, an imported operation (${title})`, unread);
    },
    warns: (args) => [
      ...(isOfCaller ? [`This is ${ofCaller}: it could end them, and nothing here could undo that.`] : []),
      ...misfitsIn(schema, args).map(
        ({ path: at, why }) => `${fieldOf(at)} ${why}, according to the imported definition.`,
      ),
    ],
    critical: [
      (args) => flagsIn(args).map((flag) => `${flag}, which can change what the call does`),
      () => (isOfCaller ? [`it is ${ofCaller}`] : []),
    ],
  };
}

/** Refuses calls whose body or response cannot be handled, before anything is sent. */
const refusalCheck =
  (why: string): Check =>
  () => {
    throw new Failure("not_allowed", `This operation cannot be called, because ${why}.`, {
      why: "Files and multipart bodies are neither sent nor read here. Nothing was sent.",
      next: "Do not try again: make this call with another program, such as the vendor's command line.",
    });
  };

/** The operation that shows the state before a change, if it only reads. */
function stateOf({ compiled, definition, effect }: ImportFacts): { readonly shownBy?: string } {
  const reader = readerOf(compiled, definition);
  const isShown = effect !== "read" && reader !== undefined && importedEffectOf(reader, definition.digest) === "read";
  return isShown && compiled.shownBy !== undefined ? { shownBy: compiled.shownBy } : {};
}

/** The facts from which an operation is declared. */
export interface ImportFacts {
  readonly compiled: CompiledOperation;
  readonly definition: Definition;
  readonly effect: ImportedEffect;
  /** Whether the operator lowered its guard. */
  readonly isLowered: boolean;
  /** Whether answers are samples of the definition, because they come from the emulator. */
  readonly isSampled: boolean;
  readonly title: string;
}

const sampleNote = "Sampled from the definition by the emulator: nothing in this answer is real.";

/** The arguments of a call: their names are fixed, their values are open. */
function argumentsOf(compiled: CompiledOperation, definition: Definition) {
  const { path, query, headers, body, refused } = compiled;
  return {
    ...(path ? { path: mapMembers(path, parameterOf) } : {}),
    ...(query ? { query: mapMembers(query, parameterOf) } : {}),
    ...(headers ? { headers: headersOf(headers) } : {}),
    ...(body ? { body: mediumOf(body.type, anyBody(bodyShape(compiled, definition), body.isRequired === true)) } : {}),
    // Any body is accepted where none can be sent, so that the refusal can say what the operation takes.
    ...(refused === undefined ? {} : { body: mediumOf("application/json", anyBody(undefined, false)) }),
  };
}

const retirementNote = ({ dated }: Definition): string =>
  `If the ids are right, the vendor may no longer run this operation: its definition is of ${dated}. \`edgewise import\` reads a newer one.`;

/** The secrets that the response of a change can have, which go to a file. */
function secretOutput({ compiled, definition, effect }: ImportFacts): {
  readonly secretTo?: { readonly members: string[] };
} {
  const members = effect === "read" ? [] : secretsIn(shapeOfAnswer(compiled, definition));
  return members.length > 0 ? { secretTo: { members } } : {};
}

/**
 * The declaration of an imported operation: a change is guarded unless the operator lowered its guard, and what it takes
 * and returns is open.
 */
export function importedOperation(facts: ImportFacts): AnyOperation {
  const { compiled, definition, effect, isLowered, isSampled, title } = facts;
  const returns = returnsOf(compiled);
  const isGuarded = effect !== "read" && !isLowered;
  const schema = argumentsSchemaOf(compiled, definition, isGuarded);
  return {
    route: compiled.route,
    isImported: true,
    spec: {
      does: title,
      ...argumentsOf(compiled, definition),
      returns,
      means: {
        ...(isSampled ? Object.fromEntries(Object.keys(returns).map((status) => [status, sampleNote])) : {}),
        ...Object.fromEntries([404, 410].map((status) => [status, retirementNote(definition)])),
      },
      effect: effect === "read" ? "read" : isGuarded ? "destructive" : "update",
      ...(isGuarded ? { guard: guardFor(facts, effect, schema) } : {}),
      ...stateOf(facts),
      ...secretOutput(facts),
      ...(compiled.refused === undefined ? {} : { checks: [refusalCheck(compiled.refused)] }),
      explains: ({ args }) =>
        misfitsIn(schema, args).map(({ path: at, why }) => ({
          field: fieldOf(at),
          given: quoteValue(maskSecrets([], memberAt(args, at), at)),
          takes: `another value: the given one ${why}, according to the imported definition`,
        })),
      example: {},
    },
  };
}
