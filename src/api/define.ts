/** The declaration language: an operation of the API is declared once, as data, and everything else is derived from it. */
import type { Check, Explain, Resolve } from "./check.js";
import type {
  Arguments,
  Awaits,
  Envelope,
  Guard,
  GuardKind,
  Lock,
  MemberNote,
  Moves,
  Order,
  Paging,
  SecretFrom,
  SecretTo,
  Shows,
  View,
} from "./conduct.js";
import type { Fills, FillsFromState } from "./fills.js";
import type { Hint } from "./hint.js";
import type { IdOrigins } from "./id-origin.js";
import type { Bodies, ChosenMedia, Header, Media, Param, Params, Returns } from "./media.js";
import type { PeriodArguments } from "./period.js";
import type { Standing } from "./standing.js";
import type { VendorWord } from "./vendor-words.js";
import type { z } from "./z.js";

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
  /** What stands around the answer: a failure that comes with a success status, and the member that is the answer. */
  readonly envelope?: Envelope;
  /** The argument that carries a version stamp, and the operation that reads it. */
  readonly lock?: Lock<N>;
  /** Arguments that bound a period: a relative `period`, with a `timeZone`, can stand for both. */
  readonly period?: PeriodArguments;
  /** An argument that can be left out because another one determines it. */
  readonly fills?: Fills;
  /** A member of the body that repeats what the present state shows, so that nothing else is acted upon. */
  readonly fillsFromState?: FillsFromState;
  /** What a caller may write in other words than the API takes, found by reading before the checks. */
  readonly resolves?: Resolve;
  /** What only this service knows of its arguments, checked before anything is sent. */
  readonly checks?: readonly Check[];
  /** What a refusal by the API most likely was about. */
  readonly explains?: Explain;
  /** Checks of what nobody could take back: they are made again before each call of a batch, because the calls before it count. */
  readonly safeguards?: readonly Check[];
  /**
   * What its checks refuse unless the caller insists: the word for each, which adds the argument `override`, and what it
   * stands for, as the end of a sentence that begins with "Go ahead although".
   */
  readonly overrides?: Readonly<Record<string, string>>;
  /**
   * How a preview describes a change that needs no approval by itself, where a composed change or the policy asks for one.
   */
  readonly previewedAs?: Guard;
  /** A launch: how to poll its status and fetch its result; adds the argument `wait`. */
  readonly awaits?: Awaits<N>;
  /** A read whose answer moves without a call of ours until it is over, so that a client can follow it. */
  readonly moves?: Moves;
  /** How the list goes on beyond one answer; adds the argument `allPages`. */
  readonly paging?: Paging;
  /** The list whose order the change is about, shown before and after it. */
  readonly order?: Order;
  /** The form of the call in public facts, where it is not the documents'; used where it is configured. */
  readonly published?: Published;
  /** Which part of the answer is shown, where the whole is too much; adds the arguments that choose it. */
  readonly view?: View;
  /** How the answer is shown where it is more than plain data. */
  readonly shows?: Shows;
  /** What an answering status means beyond its body, and which tool to call next. */
  readonly means?: Readonly<Record<number, string>>;
  /** What a filled member of the answer means. */
  readonly tells?: readonly MemberNote[];
  /** The path keys whose closed sets of values the operations table writes as rows of their own. */
  readonly rowsOver?: string | readonly string[];
  /** Members of the body that no caller writes: the argument that names the file of each. */
  readonly secretFrom?: SecretFrom;
  /** Members of the answer that no caller sees: they go to a file. */
  readonly secretTo?: SecretTo;
  readonly status?: "deprecated" | "beta";
  /** Whether the vendor still runs it, where that differs from the service's other operations. */
  readonly standing?: Standing;
  /** Ids of the service's rules that bear on this operation. */
  readonly rules?: readonly U[];
  /** What a failing status means here and what to do about it. */
  readonly errors?: Readonly<Record<number, Hint>>;
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

/**
 * An operation whose answer has destinations that a call makes the API send data to without naming them itself: a policy
 * looks at what is marked in that answer as at the call's own arguments.
 */
interface SendsTo<N extends string = string> {
  readonly by: N;
  readonly args: (args: Arguments) => Arguments;
}

/**
 * The operation that shows the state a call changes: named in the hint when an outcome cannot be known, and called for
 * the preview when this call's arguments suffice for it.
 */
interface ShownBy<N extends string> {
  readonly shownBy: N;
  /** Arguments of that operation which follow from this call's, besides those that both have under the same name. */
  readonly shownWith?: (args: Arguments) => Arguments;
  /** What the preview tells of besides, each under the name by which the guard's functions find it. */
  readonly shownBeside?: Readonly<Record<string, Beside<N>>>;
  readonly sendsTo?: SendsTo<N>;
}
type Impact<R extends Route, N extends string> = R extends `${"GET" | "HEAD"} ${string}`
  ? { readonly effect?: "read"; readonly guard?: never; readonly shownBy?: never }
  : R extends `DELETE ${string}`
    ? { readonly effect?: "destructive"; readonly guard: GuardKind | Guard } & ShownBy<N>
    :
        | { readonly effect: "read"; readonly guard?: never; readonly shownBy?: never }
        | ({ readonly effect: "create" | "update" | "launch"; readonly guard?: GuardKind | Guard } & ShownBy<N>)
        | ({ readonly effect: "destructive"; readonly guard: GuardKind | Guard } & ShownBy<N>);

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
type Example<P extends Params, Q extends Params, B extends Media, H> = Inputs<P> &
  Partial<Inputs<Q>> &
  ([B] extends [never] ? unknown : { readonly body?: BodyInput<B> }) & {
    readonly [K in keyof H as H[K] extends { readonly argument: infer A extends string } ? A : never]?: unknown;
  } & { readonly [file: `${string}File`]: string } & {
    readonly format?: string;
    readonly version?: unknown;
    readonly period?: string;
    readonly timeZone?: string;
  };

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
  readonly rowsOver?: (keyof P & string) | readonly (keyof P & string)[];
  readonly example: Example<NoInfer<P>, NoInfer<Q>, NoInfer<B>, NoInfer<H>>;
} & PathSpec<R, P> &
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
  readonly spec: Spec<R, P, Q, B, A, H, N, U>;
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
  return { route, spec };
}

/** What an operation declares, for code that handles all of them. */
interface AnySpec extends Common {
  readonly path?: Params;
  readonly query?: Params;
  readonly body?: Bodies;
  readonly returns: Returns;
  readonly effect?: Effect;
  readonly guard?: GuardKind | Guard;
  readonly shownBy?: string;
  readonly shownWith?: (args: Arguments) => Arguments;
  readonly shownBeside?: Readonly<Record<string, Beside>>;
  readonly sendsTo?: SendsTo;
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
    readonly operations: Readonly<Record<string, AnyOperation>>;
  };
}
