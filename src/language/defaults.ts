/** Where the arguments that a call leaves out come from: the profile of the call, or the tool that lists their values. */
import type { namedDefaults } from "./account.js";
import type { AnyOperation } from "./define.js";
import { shown } from "./failure.js";
import { schemaOfParam } from "./media.js";
import { isRecord } from "./member.js";
import { onceFor } from "./once-for.js";
import { z } from "./z.js";

/** What a profile has for calls that leave it out. Ids have no prefix. */
export interface CallDefaults {
  readonly contractId?: string | undefined;
  readonly groupId?: string | undefined;
  readonly timeZone?: string | undefined;
}

type Named = (typeof namedDefaults)[number];

interface Mark {
  readonly default: Named;
  /** The tool that lists the values, of whatever service: the error about an argument that is left out names it. */
  readonly listedBy: string;
}

/** Keyed by schema; a schema made from a marked one is marked, too. */
const marks = z.registry<Mark>();

function marked<S extends z.ZodType>(schema: S, mark: Mark): S {
  // A clone: the mark must not reach another use of the same schema.
  const own = schema.clone();
  marks.add(own, mark);
  return own;
}

/**
 * Marks an argument as the contract that a call is made for. The contract that a call is about is none: a default must
 * never name the object of a change.
 * @param listedBy The tool that lists the account's contracts in the form that the argument takes.
 */
export const contractArgument = <S extends z.ZodType>(schema: S, listedBy: string): S =>
  marked(schema, { default: "contractId", listedBy });

/** Marks an argument as the group that a call is made for; see `contractArgument`. */
export const groupArgument = <S extends z.ZodType>(schema: S, listedBy: string): S =>
  marked(schema, { default: "groupId", listedBy });

/** The tool that lists the values of an argument, where its declaration names one. */
export const listerOf = (schema: z.ZodType | undefined): string | undefined => schema && marks.get(schema)?.listedBy;

/** The required arguments of an operation that a profile can fill in, each with what fills it in. */
export const defaultedArguments = onceFor((operation: AnyOperation): Readonly<Record<string, Named>> => {
  const params = Object.entries({ ...operation.spec.path, ...operation.spec.query });
  return Object.fromEntries(
    params.flatMap(([name, param]) => {
      const schema = schemaOfParam(param);
      const mark = marks.get(schema);
      return mark === undefined || schema.safeParse(undefined).success ? [] : [[name, mark.default]];
    }),
  );
});

/**
 * A call's arguments with those filled in that it needs and leaves out.
 * @returns What was filled in, by name, beside the arguments; a time zone is not among it.
 */
export function withDefaults(
  operation: AnyOperation,
  args: unknown,
  defaults: CallDefaults | undefined,
): { readonly args: unknown; readonly filled: Readonly<Record<string, string>> } {
  if (defaults === undefined || !isRecord(args)) return { args, filled: {} };
  const filled = Object.fromEntries(
    Object.entries(defaultedArguments(operation)).flatMap(([name, named]) => {
      const value = defaults[named];
      return args[name] === undefined && value !== undefined ? [[name, value]] : [];
    }),
  );
  return Object.keys(filled).length === 0 ? { args, filled } : { args: { ...args, ...filled }, filled };
}

/** How what was filled in is told beside an answer. */
export const filledNotes = (filled: Readonly<Record<string, string>>): string[] =>
  Object.entries(filled).map(([name, value]) => `${name} was left out: ${shown(value)} is used, the profile's.`);

/** Arguments with the profile's time zone, where they could have one and have none; else the same arguments. */
export function withZone(shape: object, args: unknown, { timeZone }: CallDefaults = {}): unknown {
  const isFree = timeZone !== undefined && Object.hasOwn(shape, "timeZone");
  if (!isFree || (args !== undefined && !isRecord(args)) || args?.["timeZone"] !== undefined) return args;
  return { ...args, timeZone };
}
