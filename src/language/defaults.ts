/** Defaults for arguments that a call leaves out, from its profile, and the tools that list their values. */
import type { namedDefaults } from "./account.js";
import type { AnyOperation } from "./define.js";
import { quoteValue } from "./failure.js";
import { schemaOfParam } from "./media.js";
import { isRecord } from "./member.js";
import { onceFor } from "./once-for.js";
import { z } from "./z.js";

/** The defaults of a profile. Ids have no prefix. */
export interface CallDefaults {
  readonly contractId?: string | undefined;
  readonly groupId?: string | undefined;
  readonly timeZone?: string | undefined;
}

type NamedDefault = (typeof namedDefaults)[number];

interface DefaultMark {
  readonly default: NamedDefault;
  /** The tool that lists the values, which may be of another service: the error about a missing argument names it. */
  readonly listedBy: string;
}

/** Keyed by schema; schemas derived from a marked one are marked, too. */
const marks = z.registry<DefaultMark>();

function withDefaultMark<S extends z.ZodType>(schema: S, mark: DefaultMark): S {
  // A clone, so that the mark does not apply to other uses of the same schema.
  const clone = schema.clone();
  marks.add(clone, mark);
  return clone;
}

/**
 * Marks an argument as the contract on whose behalf a call is made. A contract that is the object of a call is not marked:
 * a default must never name the object of a change.
 * @param listedBy The tool that lists the account's contracts in the form that the argument takes.
 */
export const contractArgument = <S extends z.ZodType>(schema: S, listedBy: string): S =>
  withDefaultMark(schema, { default: "contractId", listedBy });

/** Marks an argument as the group on whose behalf a call is made; see `contractArgument`. */
export const groupArgument = <S extends z.ZodType>(schema: S, listedBy: string): S =>
  withDefaultMark(schema, { default: "groupId", listedBy });

/** The tool that lists the values of an argument, if its declaration names one. */
export const listerOf = (schema: z.ZodType | undefined): string | undefined => schema && marks.get(schema)?.listedBy;

/** The required arguments of an operation for which a profile can have a default, with the name of that default. */
export const defaultedArguments = onceFor((operation: AnyOperation): Readonly<Record<string, NamedDefault>> => {
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
 * The arguments of a call, completed by the profile's defaults for required ones.
 * @returns The arguments, and the defaults that were used, by name; a time zone is not among them.
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

/** The notes about defaults that were used. */
export const filledNotes = (filled: Readonly<Record<string, string>>): string[] =>
  Object.entries(filled).map(
    ([name, value]) => `${name} was left out; the profile's default ${quoteValue(value)} was used.`,
  );

/** The arguments with the profile's time zone, if they take one and have none. */
export function withZone(shape: object, args: unknown, { timeZone }: CallDefaults = {}): unknown {
  const isFree = timeZone !== undefined && Object.hasOwn(shape, "timeZone");
  if (!isFree || (args !== undefined && !isRecord(args)) || args?.["timeZone"] !== undefined) return args;
  return { ...args, timeZone };
}
