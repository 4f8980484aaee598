/** A service's checks of arguments beyond their schema, which run before anything is sent. */
import type { Arguments } from "./conduct.js";
import { type FieldProblem, quoteValue } from "./failure.js";
import type { Media } from "./media.js";
import { listAt } from "./member.js";

/**
 * Reads from the API with another operation of the service. If that fails, the call fails, because nothing unchecked is
 * sent.
 */
export type ReadByTool = (tool: string, args: Arguments) => Promise<unknown>;

interface CheckParameters {
  /** The arguments by name, after validation against their schema. */
  readonly args: Arguments;
  /** The field names that the schema has at a path of the arguments. */
  readonly namesAt: (path: readonly string[]) => readonly string[];
  /** The state that the call would change, as the operation in `shownBy` returns it; undefined if there is none. */
  readonly present: () => Promise<unknown>;
  readonly read: ReadByTool;
  /** The client token of the signature; absent if calls are authorized in another way. */
  readonly signer?: (() => Promise<string>) | undefined;
}

/** Finds the problems of a call; empty if there are none. */
export interface Check {
  (call: CheckParameters): readonly FieldProblem[] | Promise<readonly FieldProblem[]>;
  /** Whether it runs again before each call of a batch. */
  readonly isRepeated?: true;
  /**
   * What it refuses unless the caller insists: the value of the argument `override` for each, and its meaning, as the end
   * of a sentence that begins with "Go ahead although".
   */
  readonly overrides?: Readonly<Record<string, string>>;
}

/** A check that prevents a lockout. It runs again before each call of a batch, because earlier calls change the result. */
export const safeguard = (check: Check): Check =>
  Object.assign((call: CheckParameters) => check(call), { isRepeated: true } as const);

/** A check that a caller can override. */
export const unlessInsisted = (overrides: Readonly<Record<string, string>>, check: Check): Check =>
  Object.assign((call: CheckParameters) => check(call), { overrides });

/** Whether a call overrides a check. */
export const insistsOn = (args: Arguments, word: string): boolean => listAt(args, "override").includes(word);

/** The arguments as the API takes them. */
interface ResolvedArguments {
  /** Values that replace the given ones. */
  readonly values: Arguments;
  /** How the given values were interpreted. */
  readonly notes: readonly string[];
  /**
   * The part that the caller asked for, if the rest repeats the present state: an approval then becomes void because the
   * state has changed, not because the arguments have.
   */
  readonly asked?: Arguments;
}

/**
 * Finds the arguments as the API takes them if that requires a read, such as an id by its name or the hash of what is
 * acknowledged; or reports problems.
 */
export type Resolve = (
  call: Pick<CheckParameters, "args" | "read" | "present"> & {
    /** The medium that the body is sent in. */
    readonly medium: Media | undefined;
  },
) => Promise<ResolvedArguments | { readonly problems: readonly FieldProblem[] }>;

/**
 * Finds the arguments for which the API most likely refused a call, with a status below 500: rules that are too uncertain
 * to be checked before, or that require a read. Empty if it finds none.
 */
export type Explain = (
  refused: Pick<CheckParameters, "args" | "read"> & { readonly status: number; readonly nowMs: number },
) => readonly FieldProblem[] | Promise<readonly FieldProblem[]>;

/** Groups of arguments, of which a call uses exactly one, and completely. */
export const oneGroupOf =
  (...groups: readonly (readonly string[])[]): Check =>
  ({ args }) => {
    const isGiven = (name: string) => args[name] !== undefined;
    const used = groups.filter((group) => group.some(isGiven));
    const missing = used.flatMap((group) =>
      group
        .filter((name) => !isGiven(name))
        .map((field) => ({
          field,
          takes: `a value, because ${group.filter(isGiven).join(", ")} was given: ${group.join(", ")} are used together`,
        })),
    );
    const [first, second = []] = used;
    const foreign = second.filter(isGiven).map((field) => ({
      field,
      given: quoteValue(args[field]),
      takes: `nothing together with ${first?.join(", ")}: use one form or the other`,
    }));
    return [...missing, ...foreign];
  };
