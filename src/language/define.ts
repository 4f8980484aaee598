/**
 * The declaration language: an operation of the API is declared once, as data, and everything else is derived from it.
 * The room has the types of declarations and pure functions of them; it sends nothing and knows no service. Its types
 * make the compiler refuse declarations that contradict themselves.
 */
import type { Check, Explain, Resolve } from "./check.js";
import type {
  AnswerDisplay,
  Arguments,
  Envelope,
  Guard,
  JobPolling,
  Lock,
  MemberNote,
  Paging,
  SecretMembers,
  SelfPolling,
  View,
} from "./conduct.js";
import type { ApiStanding, Hint } from "./hint.js";
import type { BodyMedia, ChosenMedia, Header, Media, Param, Params, Returns } from "./media.js";
import type { RateLimit } from "./rate-limit.js";
import type { VendorWord } from "./vendor-words.js";
import type { z } from "./z.js";

/** The tool whose response has an id, or where users find it if no tool lists it. */
export type IdOrigin = string | { readonly given: string };

/**
 * The origins of ids that cannot be derived from the service's paths and launches, keyed by the name of the argument or
 * body field, or by its whole path if the name is ambiguous.
 */
export type IdOrigins = Readonly<Record<string, IdOrigin>>;

export * from "./media.js";

type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
/** Method and path as the documents write them; a query that identifies the operation stays in the route. */
export type Route = `${Method} /${string}`;
/** The names between braces in a route: `PathKeys<"GET /zones/{zone}">` is `"zone"`. */
type PathKeys<R extends string> = R extends `${string}{${infer K}}${infer Rest}` ? K | PathKeys<Rest> : never;

/** The effect of a call, in the words of the operations table. Retries and the guard depend on it, not on the method. */
export type Effect = "read" | "create" | "update" | "launch" | "destructive";

/**
 * The arguments that bound a period, and their form: instants with an exclusive end (`usDate`: minutes in the American
 * form), or UTC dates with an inclusive end.
 */
export interface PeriodBounds {
  readonly form: "iso" | "epochMs" | "usDate" | "date";
  readonly start: string;
  readonly end: string;
  /** The argument for the length of the intervals in the response. */
  readonly interval?: string;
  /** The API has no data for the future. */
  readonly isPast?: true;
}

/** The arguments that name one month, and those that name the first and last month of a range. */
export interface PeriodMonths {
  readonly form: "month";
  readonly one: readonly [month: string, year: string];
  readonly range: readonly [fromMonth: string, fromYear: string, toMonth: string, toYear: string];
}

/** How an operation takes its period; a caller can give a relative period instead. */
export type PeriodArguments = PeriodBounds | PeriodMonths;

/**
 * The members of a declaration that do not depend on its types. `N` are the tools that it names, `U` the rules that it
 * cites; the compiler checks that the service has them.
 */
interface CommonSpec<N extends string = string, U extends string = string> {
  /** The description: what the operation does and when to use it, in plain sentences in the present tense. */
  readonly does: string;
  /** What a caller has to know or read first. */
  readonly needs?: string;
  /** Response headers that are shown as part of the result, keyed by the field that shows each. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** The argument that carries a version stamp, and the operation that reads it. */
  readonly lock?: Lock<N>;
  /** Arguments that bound a period; adds the arguments `period` and `timeZone`, which can replace them. */
  readonly period?: PeriodArguments;
  /** Completes or translates arguments by reading, after the checks. */
  readonly resolves?: Resolve;
  /** Checks beyond the schema, run before anything is sent. */
  readonly checks?: readonly Check[];
  /** Finds the most likely reason for a refusal by the API. */
  readonly explains?: Explain;
  /**
   * For a launch: how to poll its status and fetch its result; adds the argument `wait`. For a read: how to poll a
   * response that changes by itself until it ends, for subscribers.
   */
  readonly awaits?: JobPolling<N> | SelfPolling;
  /** The pagination of a list; adds the argument `allPages`. */
  readonly paging?: Paging;
  /**
   * For a tool that took other arguments in the documents: the arguments for today's API that mean the same, or undefined
   * for arguments that are not of that form. They are offered as the corrected call.
   */
  readonly formerly?: (args: Arguments) => Arguments | undefined;
  /** The part of the response that is shown, if the whole is too large; adds the arguments that choose it. */
  readonly view?: View;
  /** How the response is shown if it is not plain data. */
  readonly shows?: AnswerDisplay;
  /** The meaning of a status beyond its body and what to do next; for a failure, what to do about it. */
  readonly means?: Readonly<Record<number, Hint>>;
  /** The meaning of a field in the response, if it has a value. */
  readonly memberNotes?: readonly MemberNote[];
  /** Secret fields of the response, which are written to a file and never shown. */
  readonly secretTo?: SecretMembers;
  /** Whether the vendor still runs it, if that differs from the service's other operations. */
  readonly standing?: ApiStanding;
  /** Today's APIs have it, and the document of its service does not: only a server with today's APIs offers it. */
  readonly document?: "today";
  /** Only the call tools call it where a menu has them, so that no list grows: for a read that few tasks need. */
  readonly isBehindCallTools?: true;
  /** Ids of the service's rules that apply to this operation. */
  readonly rules?: readonly U[];
  /** Where public facts and the documents differ, or where the documents are silent. */
  readonly note?: string;
}

/** An operation that reads further context of a preview, which the call does not change. */
export interface RelatedReading<N extends string = string> {
  readonly by: N;
  /**
   * Its arguments, from those of the call and the state that it changes. For a list of arguments, the responses form a
   * list, with null for objects that do not exist. If required arguments are missing, nothing is read.
   */
  readonly args: (args: Arguments, present: unknown) => Arguments | readonly Arguments[];
  /** Whether an approval becomes void when its response changes, because it determines what the call acts on. */
  readonly isBound?: true;
}

/** An operation that reads, and how its arguments follow from those of the call. */
export interface DestinationReading<N extends string = string> {
  readonly by: N;
  readonly args: (args: Arguments) => Arguments;
}

/** The operation that reads the state which a call changes; arguments with the same name are shared. */
export interface StateReading<N extends string = string> {
  readonly by: N;
  /** Its other arguments, from those of the call. */
  readonly args?: (args: Arguments) => Arguments;
  /** False if its response changes by itself, so that an approval stays valid when it does. */
  readonly isBound?: boolean;
}

/**
 * The operation that reads the state that a call changes: it is named when an outcome is unknown, and called for the
 * preview if the call has its required arguments.
 */
interface ShownBy<N extends string> {
  readonly shownBy: N | StateReading<N>;
  /** Further context of the preview, each under the name by which the guard's functions find it. */
  readonly relatedReads?: Readonly<Record<string, RelatedReading<N>>>;
  /**
   * The operation whose response has the destinations to which this call makes the API send data, if its own arguments do
   * not name them: the policy checks the destinations marked in that response like those in the call's arguments.
   */
  readonly sendsTo?: DestinationReading<N>;
}
/** What shows the state that a call changes, or a sentence for the preview that says why nothing does. */
type StateSource<N extends string> = ShownBy<N> | { readonly unseen: string; readonly shownBy?: never };
type Impact<R extends Route, N extends string> = R extends `${"GET" | "HEAD"} ${string}`
  ? { readonly effect?: "read"; readonly guard?: never; readonly shownBy?: never }
  : R extends `DELETE ${string}`
    ? { readonly effect?: "destructive"; readonly guard: Guard } & StateSource<N>
    :
        | { readonly effect: "read"; readonly guard?: never; readonly shownBy?: never }
        | ({ readonly effect: "create" | "update" | "launch"; readonly guard?: Guard } & StateSource<N>)
        | ({ readonly effect: "destructive"; readonly guard: Guard } & StateSource<N>);

type PathSpec<R extends Route, P extends Params> = [PathKeys<R>] extends [never]
  ? { readonly path?: never }
  : { readonly path: P & Record<PathKeys<R>, z.ZodType> & Record<Exclude<keyof P, PathKeys<R>>, never> };

/** The type that an example can use for a value: a number that is an instant can also be written as text. */
type LooseInput<T> = T extends number
  ? number | string
  : T extends readonly (infer I)[]
    ? readonly LooseInput<I>[]
    : T extends object
      ? { readonly [K in keyof T]: LooseInput<T[K]> }
      : T;
type Input<T> =
  T extends Param<infer S> ? LooseInput<z.input<S>> : T extends z.ZodType ? LooseInput<z.input<T>> : never;
type Inputs<P> = { readonly [K in keyof P]: Input<P[K]> };
type BodyInput<B> = B extends Media<infer S> ? LooseInput<z.input<S>> : never;
/** Arguments of a call that succeeds on a fresh emulator; instants may be relative, as in `{now-7d}`. */
type ExampleArguments<P extends Params, Q extends Params, B extends Media, H> = Inputs<P> &
  Partial<Inputs<Q>> &
  ([B] extends [never] ? unknown : { readonly body?: BodyInput<B> }) & {
    readonly [K in keyof H as H[K] extends { readonly argument: infer A extends string } ? A : never]?: unknown;
  } & { readonly [file: `${string}File`]: string } & {
    readonly format?: string;
    readonly version?: unknown;
    readonly period?: string;
    readonly timeZone?: string;
  };
/** A call without required arguments needs no example. */
type Example<E> = Record<never, never> extends E ? { readonly example?: E } : { readonly example: E };

/** What a declaration says beyond its path, its query, its headers and its bodies. */
export type Judgement<
  R extends Route,
  P extends Params,
  Q extends Params,
  B extends Media,
  H extends Readonly<Record<string, Header>>,
  N extends string,
  U extends string,
> = CommonSpec<N, U> & Example<ExampleArguments<NoInfer<P>, NoInfer<Q>, NoInfer<B>, NoInfer<H>>> & Impact<R, N>;

type Spec<
  R extends Route,
  P extends Params,
  Q extends Params,
  B extends Media,
  A extends Returns,
  H extends Readonly<Record<string, Header>>,
  N extends string,
  U extends string,
> = Judgement<R, P, Q, B, H, N, U> & {
  readonly query?: Q;
  readonly headers?: H;
  /** If there are several media, the first whose schema accepts the body is sent. */
  readonly body?: B | readonly B[] | ChosenMedia<B>;
  /** Status to body. Several media of different codecs add the argument `format`; the first is the default. */
  readonly returns: A;
} & PathSpec<R, P>;

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

/** Declares an operation. The compiler rejects missing or superfluous path keys, and a write without its effect. */
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

/** The declaration of any operation, for code that handles all of them. */
export interface AnySpec extends CommonSpec {
  readonly path?: Params;
  readonly query?: Params;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly body?: BodyMedia;
  readonly returns: Returns;
  readonly effect?: Effect;
  readonly guard?: Guard;
  readonly shownBy?: string | StateReading;
  readonly unseen?: string;
  readonly relatedReads?: Readonly<Record<string, RelatedReading>>;
  readonly sendsTo?: DestinationReading;
  readonly example: Readonly<Record<string, unknown>>;
}

/** An operation of any type, for code that handles all of them. */
export interface AnyOperation {
  readonly route: Route;
  readonly spec: AnySpec;
  /** Whether it comes from an imported definition, of which little is known. */
  readonly isImported?: true;
  /** Whether it is the read of a path that no tool covers, of which only the path is known. */
  readonly isOfPath?: true;
  /** What applies to all operations of its service; `service` adds it to each of them. */
  readonly service?: {
    readonly title: string;
    readonly standing: ApiStanding;
    readonly vendorWords: readonly VendorWord[];
    readonly ids?: IdOrigins;
    readonly envelope?: Envelope | undefined;
    readonly rateLimit?: RateLimit | undefined;
    readonly operations: Readonly<Record<string, AnyOperation>>;
  };
}
