/** The declaration language: an operation of the API is declared once, as data, and everything else is derived from it. */
import type { Check, Explain, Resolve } from "./check.js";
import type {
  Arguments,
  Awaits,
  Envelope,
  Guard,
  Lock,
  MemberNote,
  Moves,
  Paging,
  SecretTo,
  Shows,
  View,
} from "./conduct.js";
import type { Hint, Standing } from "./hint.js";
import type { Bodies, ChosenMedia, Header, Media, Param, Params, Returns } from "./media.js";
import type { VendorWord } from "./vendor-words.js";
import type { z } from "./z.js";

/** The tool whose answer has an id, or where users find it who know it without a tool. */
export type IdOrigin = string | { readonly given: string };

/**
 * The origins of ids that no path and no launch of the service shows: by the name of the argument or of the member of a
 * body, or by its whole path where the name alone stands for several things.
 */
export type IdOrigins = Readonly<Record<string, IdOrigin>>;

export * from "./media.js";

type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
/** Method and path as the documents write them; a query that is part of the row's identity stays in the route. */
export type Route = `${Method} /${string}`;
/** The names between braces in a route: `PathKeys<"GET /zones/{zone}">` is `"zone"`. */
type PathKeys<R extends string> = R extends `${string}{${infer K}}${infer Rest}` ? K | PathKeys<Rest> : never;

/** What a call changes, in the words of the operations table. Retries and the guard follow from it, never from the method. */
export type Effect = "read" | "create" | "update" | "launch" | "destructive";

/** A call as public facts have it: another route, and the arguments that stand in its JSON body instead. */
export interface Published {
  readonly route: Route;
  readonly inBody: readonly string[];
}

/**
 * The arguments of an operation that bound a period, and how they are written: as instants of which the end is exclusive
 * (`usDate` as minutes in the American form), or as UTC dates of which the last one counts whole.
 */
export interface PeriodBounds {
  readonly form: "iso" | "epochMs" | "usDate" | "date";
  readonly start: string;
  readonly end: string;
  /** The argument that says how long the intervals of the answer are. */
  readonly interval?: string;
  /** The API has no data for the future. */
  readonly isPast?: true;
}

/** The arguments that name one month, and those that name the first and the last of several: month, year; month, year. */
export interface PeriodMonths {
  readonly form: "month";
  readonly one: readonly [month: string, year: string];
  readonly range: readonly [fromMonth: string, fromYear: string, toMonth: string, toYear: string];
}

/** How an operation takes its period, for which a relative one can be given instead. */
export type PeriodArguments = PeriodBounds | PeriodMonths;

/**
 * What every operation can declare, its types aside. `N` are the tools that it names, `U` the rules that it cites:
 * the compiler checks both against the service's own.
 */
interface Common<N extends string = string, U extends string = string> {
  /** What the operation does and when to use it; plain sentences in the present tense. */
  readonly does: string;
  /** What a caller has to know or to have read first. */
  readonly needs?: string;
  readonly headers?: Readonly<Record<string, Header>>;
  /** Answer headers that are part of the answer: the member that shows each, and the header's name. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** The argument that carries a version stamp, and the operation that reads it. */
  readonly lock?: Lock<N>;
  /** Arguments that bound a period: a relative `period`, with a `timeZone`, can stand for both. */
  readonly period?: PeriodArguments;
  /** What a caller may leave out, or write in other words than the API takes, found by reading after the checks. */
  readonly resolves?: Resolve;
  /** What only this service knows of its arguments, checked before anything is sent. */
  readonly checks?: readonly Check[];
  /** What a refusal by the API most likely was about. */
  readonly explains?: Explain;
  /**
   * A launch: how to poll its status and fetch its result; adds the argument `wait`. Or a read whose answer moves without
   * a call of ours until it is over, so that a client can follow it.
   */
  readonly awaits?: Awaits<N> | Moves;
  /** How the list goes on beyond one answer; adds the argument `allPages`. */
  readonly paging?: Paging;
  /** The form of the call in public facts, where it is not the documents'; used where it is configured. */
  readonly published?: Published;
  /** Which part of the answer is shown, where the whole is too much; adds the arguments that choose it. */
  readonly view?: View;
  /** How the answer is shown where it is more than plain data. */
  readonly shows?: Shows;
  /** What a status means here beyond its body, and what to do next; of one that fails, what to do about it. */
  readonly means?: Readonly<Record<number, Hint>>;
  /** What a filled member of the answer means. */
  readonly tells?: readonly MemberNote[];
  /** Members of the answer that no caller sees: they go to a file. */
  readonly secretTo?: SecretTo;
  /** Whether the vendor still runs it, where that differs from the service's other operations. */
  readonly standing?: Standing;
  /** Ids of the service's rules that bear on this operation. */
  readonly rules?: readonly U[];
  /** Where public facts and the documents differ, or the documents are silent. */
  readonly note?: string;
}

/** An operation that reads what a preview tells of, although the call does not change it. */
export interface Beside<N extends string = string> {
  readonly by: N;
  /**
   * Its arguments, from those of the call and the state that it changes; of several, the answers are one list, in which
   * null is what is not there. Arguments that do not suffice read nothing.
   */
  readonly args: (args: Arguments, present: unknown) => Arguments | readonly Arguments[];
  /** Whether an approval ends when its answer changes: it says what the call acts on, and not only what it is called. */
  readonly isBound?: true;
}

/** An operation that reads, and its arguments from those of the call. */
export interface Reading<N extends string = string> {
  readonly by: N;
  readonly args: (args: Arguments) => Arguments;
}

/**
 * The operation that shows the state a call changes: named in the hint when an outcome cannot be known, and called for
 * the preview when this call's arguments suffice for it.
 */
interface ShownBy<N extends string> {
  /** With the arguments of that operation which follow from this call's, besides those that both have under one name. */
  readonly shownBy: N | Reading<N>;
  /** What the preview tells of besides, each under the name by which the guard's functions find it. */
  readonly shownBeside?: Readonly<Record<string, Beside<N>>>;
  /**
   * The operation whose answer has destinations that the call makes the API send data to without naming them itself: a
   * policy looks at what is marked in that answer as at the call's own arguments.
   */
  readonly sendsTo?: Reading<N>;
}
type Impact<R extends Route, N extends string> = R extends `${"GET" | "HEAD"} ${string}`
  ? { readonly effect?: "read"; readonly guard?: never; readonly shownBy?: never }
  : R extends `DELETE ${string}`
    ? { readonly effect?: "destructive"; readonly guard: Guard } & ShownBy<N>
    :
        | { readonly effect: "read"; readonly guard?: never; readonly shownBy?: never }
        | ({ readonly effect: "create" | "update" | "launch"; readonly guard?: Guard } & ShownBy<N>)
        | ({ readonly effect: "destructive"; readonly guard: Guard } & ShownBy<N>);

type PathSpec<R extends Route, P extends Params> = [PathKeys<R>] extends [never]
  ? { readonly path?: never }
  : { readonly path: P & Record<PathKeys<R>, z.ZodType> & Record<Exclude<keyof P, PathKeys<R>>, never> };

/** What can be written for a value: a number that is an instant is written as text, too. */
type Written<T> = T extends number
  ? number | string
  : T extends readonly (infer I)[]
    ? readonly Written<I>[]
    : T extends object
      ? { readonly [K in keyof T]: Written<T[K]> }
      : T;
type Input<T> = T extends Param<infer S> ? Written<z.input<S>> : T extends z.ZodType ? Written<z.input<T>> : never;
type Inputs<P> = { readonly [K in keyof P]: Input<P[K]> };
type BodyInput<B> = B extends Media<infer S> ? Written<z.input<S>> : never;
/** Arguments of a call that works on a fresh emulator; instants may be relative, as `{now-7d}`. */
type Arguing<P extends Params, Q extends Params, B extends Media, H> = Inputs<P> &
  Partial<Inputs<Q>> &
  ([B] extends [never] ? unknown : { readonly body?: BodyInput<B> }) & {
    readonly [K in keyof H as H[K] extends { readonly argument: infer A extends string } ? A : never]?: unknown;
  } & { readonly [file: `${string}File`]: string } & {
    readonly format?: string;
    readonly version?: unknown;
    readonly period?: string;
    readonly timeZone?: string;
  };
/** A call that needs no arguments is an example as it is. */
type Example<E> = Record<never, never> extends E ? { readonly example?: E } : { readonly example: E };

type Spec<
  R extends Route,
  P extends Params,
  Q extends Params,
  B extends Media,
  A extends Returns,
  H extends Readonly<Record<string, Header>>,
  N extends string,
  U extends string,
> = Common<N, U> & {
  readonly query?: Q;
  readonly headers?: H;
  /** Several media: the first whose shape the body fits is sent. */
  readonly body?: B | readonly B[] | ChosenMedia<B>;
  /** Status to body. Several media of different codecs add the argument `format`; the first is the default. */
  readonly returns: A;
} & Example<Arguing<NoInfer<P>, NoInfer<Q>, NoInfer<B>, NoInfer<H>>> &
  PathSpec<R, P> &
  Impact<R, N>;

export interface Operation<
  R extends Route,
  P extends Params,
  Q extends Params,
  B extends Media,
  A extends Returns,
  H extends Readonly<Record<string, Header>>,
  N extends string,
  U extends string,
> {
  readonly route: R;
  readonly spec: Spec<R, P, Q, B, A, H, N, U> & Pick<AnySpec, "example">;
}

/** Declares an operation. The compiler refuses a path key too many or too few, and a write that does not say its effect. */
export function op<
  const R extends Route,
  // biome-ignore lint/complexity/noBannedTypes: an operation without parameters has the empty record of them.
  P extends Params = {},
  // biome-ignore lint/complexity/noBannedTypes: the same.
  Q extends Params = {},
  B extends Media = never,
  const A extends Returns = Returns,
  // biome-ignore lint/complexity/noBannedTypes: the same for headers.
  const H extends Readonly<Record<string, Header>> = {},
  const N extends string = never,
  const U extends string = never,
>(route: R, spec: Spec<R, P, Q, B, A, H, N, U>): Operation<R, P, Q, B, A, H, N, U> {
  const { example = {} }: Partial<Pick<AnySpec, "example">> = spec;
  return { route, spec: { ...spec, example } };
}

/** What an operation declares, for code that handles all of them. */
interface AnySpec extends Common {
  readonly path?: Params;
  readonly query?: Params;
  readonly body?: Bodies;
  readonly returns: Returns;
  readonly effect?: Effect;
  readonly guard?: Guard;
  readonly shownBy?: string | Reading;
  readonly shownBeside?: Readonly<Record<string, Beside>>;
  readonly sendsTo?: Reading;
  readonly example: Readonly<Record<string, unknown>>;
}

/** An operation of any type, for code that handles all of them. */
export interface AnyOperation {
  readonly route: Route;
  readonly spec: AnySpec;
  /** What holds for the operations of its service, which `service` puts on each of them. */
  readonly service?: {
    readonly standing: Standing;
    readonly vendorWords: readonly VendorWord[];
    readonly ids?: IdOrigins;
    readonly envelope?: Envelope | undefined;
    readonly operations: Readonly<Record<string, AnyOperation>>;
  };
}
