/** What only a service knows of its arguments: checks that are declared beside its operations and run before anything is sent. */
import type { Arguments } from "./conduct.js";
import { type FieldProblem, shown } from "./failure.js";
import type { Media } from "./media.js";
import { listAt } from "./member.js";

/**
 * Reads from the API with another of the service's operations. Fails as that operation does; a check that cannot be made
 * ends the call, because nothing unchecked is sent.
 */
export type Read = (tool: string, args: Arguments) => Promise<unknown>;

interface Checked {
  /** The arguments by name, after the check against their schema. */
  readonly args: Arguments;
  /** The names that a path of the arguments knows, by their schema. */
  readonly namesAt: (path: readonly string[]) => readonly string[];
  /** The state that the call would change, as the operation named by `shownBy` answers it; undefined when there is none. */
  readonly present: () => Promise<unknown>;
  readonly read: Read;
  /** The client token that the calls are signed with; undefined where another scheme authorizes them. */
  readonly signer?: string | undefined;
}

/** Finds what is wrong with a call; empty when nothing is. */
export interface Check {
  (call: Checked): readonly FieldProblem[] | Promise<readonly FieldProblem[]>;
  /** Whether it is made again before each call of a batch. */
  readonly isRepeated?: true;
  /**
   * What it refuses unless the caller insists: the word for each, which adds the argument `override`, and what it stands
   * for, as the end of a sentence that begins with "Go ahead although".
   */
  readonly overrides?: Readonly<Record<string, string>>;
}

/** A check of what nobody could take back: it is made again before each call of a batch, because the calls before it count. */
export const safeguard = (check: Check): Check =>
  Object.assign((call: Checked) => check(call), { isRepeated: true } as const);

/** A check of what a caller can insist on. */
export const unlessInsisted = (overrides: Readonly<Record<string, string>>, check: Check): Check =>
  Object.assign((call: Checked) => check(call), { overrides });

/** Whether a call insists on what a check refuses, by one of its words. */
export const insistsOn = (args: Arguments, word: string): boolean => listAt(args, "override").includes(word);

/** The arguments as the API takes them. */
interface Resolved {
  /** Those that take the place of the given ones. */
  readonly values: Arguments;
  /** How the given ones were understood. */
  readonly notes: readonly string[];
  /**
   * What counts as asked where the rest repeats the present state: an approval then ends because that has changed, and not
   * because the arguments have.
   */
  readonly asked?: Arguments;
}

/**
 * Finds the arguments as the API takes them where that has to be read first, such as an id by its name or the hash of what
 * is acknowledged; or what is wrong.
 */
export type Resolve = (
  call: Pick<Checked, "args" | "read" | "present"> & {
    /** The medium that the body is sent in. */
    readonly medium: Media | undefined;
  },
) => Promise<Resolved | { readonly problems: readonly FieldProblem[] }>;

/**
 * Finds the arguments that a call was most likely refused for by the API, with a status below 500: what the documents say
 * of them, but not so surely that it could be checked before, or what has to be read first. Empty where it finds none.
 */
export type Explain = (
  refused: Pick<Checked, "args" | "read"> & { readonly status: number; readonly nowMs: number },
) => readonly FieldProblem[] | Promise<readonly FieldProblem[]>;

/** Groups of arguments that are used whole or not at all, and of which a call uses one. */
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
      given: shown(args[field]),
      takes: `nothing together with ${first?.join(", ")}: use one form or the other`,
    }));
    return [...missing, ...foreign];
  };
