/** The declaration language: an operation of the API is said once, as data, and everything else is derived from it. */
import type { Hint } from "./hint.js";
import type { Limits } from "./limits.js";
import type { PeriodArguments } from "./period.js";
import { z } from "./z.js";

/** How a query value is written: `k=a`, `k=a,b`, `k=a&k=b`, or `k=n=v,n=w`. */
export type Style = "plain" | "comma" | "repeat" | "pairs";
export interface Param<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  readonly style: Style;
}
export const comma = <S extends z.ZodType>(schema: S): Param<S> => ({ schema, style: "comma" });
export const repeat = <S extends z.ZodType>(schema: S): Param<S> => ({ schema, style: "repeat" });
export const pairs = <S extends z.ZodType>(schema: S): Param<S> => ({ schema, style: "pairs" });

export type Codec = "json" | "form" | "xml" | "csv" | "empty";

/** A body on the wire: its media type, the codec that reads and writes it, and the shape inside. */
export interface Media<S extends z.ZodType = z.ZodType> {
  /** May hold `<vendor>`, which the client replaces by the configured word. */
  readonly type: string;
  readonly codec: Codec;
  readonly schema: S;
  /** XML: the name of the root element; any root is accepted on reading when the documents do not show it. */
  readonly root?: string;
  /** Form: the one field that holds the whole value as JSON. */
  readonly field?: string;
}

type Fields = z.ZodType | z.ZodRawShape;
type SchemaOf<F extends Fields> = F extends z.ZodType
  ? F
  : F extends z.ZodRawShape
    ? z.ZodObject<F, z.core.$strict>
    : never;
const schemaOf = <F extends Fields>(fields: F): SchemaOf<F> =>
  (fields instanceof z.ZodType ? fields : z.strictObject(fields as z.ZodRawShape)) as SchemaOf<F>;

/** A JSON body. A bare record of fields is closed; give a schema of its own where the documents leave it open. */
export const json = <F extends Fields>(fields: F, type = "application/json"): Media<SchemaOf<F>> => ({
  type,
  codec: "json",
  schema: schemaOf(fields),
});
export const form = <F extends Fields>(fields: F, type = "application/x-www-form-urlencoded"): Media<SchemaOf<F>> => ({
  type,
  codec: "form",
  schema: schemaOf(fields),
});
/** A form with a single field whose text is the JSON of the whole value. */
export const formJson = <F extends Fields>(field: string, fields: F): Media<SchemaOf<F>> => ({
  type: "application/x-www-form-urlencoded",
  codec: "form",
  schema: schemaOf(fields),
  field,
});
export const xml = <F extends Fields>(root: string, fields: F, type = "application/xml"): Media<SchemaOf<F>> => ({
  type,
  codec: "xml",
  schema: schemaOf(fields),
  root,
});
/** The sectioned CSV of the reporting service, which holds the same value as its JSON. */
export const csv = <S extends z.ZodType>(schema: S): Media<S> => ({ type: "text/csv", codec: "csv", schema });
export const empty: Media<z.ZodUndefined> = { type: "", codec: "empty", schema: z.undefined() };
/** The documents do not show the answer: any 2xx that the API uses, with any body. */
export const undocumented = {
  200: json(z.unknown()),
  201: json(z.unknown()),
  202: json(z.unknown()),
  204: empty,
} as const;

/** A header that every request carries as it is, or one whose value is an argument of the call. */
export type Header = string | { readonly argument: string; readonly schema: z.ZodType };

type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
/** Method and path as the documents write them; a query that is part of the row's identity stays in the route. */
export type Route = `${Method} /${string}`;
/** The names between braces in a route: `PathKeys<"GET /zones/{zone}">` is `"zone"`. */
type PathKeys<R extends string> = R extends `${string}{${infer K}}${infer Rest}` ? K | PathKeys<Rest> : never;

/** What a call changes, in the words of the operations table. Retries and the guard follow from it, never from the method. */
export type Effect = "read" | "create" | "update" | "launch" | "destructive";
/** Why a destructive call needs an approval. */
export type GuardKind = "purge" | "delete" | "overwrite" | "activate" | "credential" | "access" | "cancel" | "suspend";
/** A guard and what its preview can show; names are paths into the arguments, such as `body.objects`. */
export interface Guard {
  readonly kind: GuardKind;
  /** The list whose length is the number of things affected. */
  readonly counts?: string;
  /** The argument that names the network. */
  readonly network?: string;
  /** The argument that takes the place of the member of the same name in the current state. */
  readonly replaces?: string;
}

export type Params = Readonly<Record<string, z.ZodType | Param>>;
export type Returns = Readonly<Record<number, Media | readonly Media[]>>;

/**
 * The operation that shows the state a call changes: named in the hint when an outcome cannot be known, and called for
 * the preview when this call's arguments suffice for it.
 */
interface ShownBy {
  readonly shownBy: string;
}
type Impact<R extends Route> = R extends `${"GET" | "HEAD"} ${string}`
  ? { readonly effect?: "read"; readonly guard?: never; readonly shownBy?: never }
  : R extends `DELETE ${string}`
    ? { readonly effect?: "destructive"; readonly guard: GuardKind | Guard } & ShownBy
    :
        | { readonly effect: "read"; readonly guard?: never; readonly shownBy?: never }
        | ({ readonly effect: "create" | "update" | "launch"; readonly guard?: never } & ShownBy)
        | ({ readonly effect: "destructive"; readonly guard: GuardKind | Guard } & ShownBy);

type PathSpec<R extends Route, P extends Params> = [PathKeys<R>] extends [never]
  ? { readonly path?: never }
  : { readonly path: P & Record<PathKeys<R>, z.ZodType> & Record<Exclude<keyof P, PathKeys<R>>, never> };

interface Common<P extends Params, Q extends Params, B extends Media, A extends Returns> {
  /** What the operation does and when to use it; plain sentences in the present tense. */
  readonly does: string;
  /** What a caller has to know or to have read first. */
  readonly needs?: string;
  readonly query?: Q;
  readonly headers?: Readonly<Record<string, Header>>;
  /** Several media: the first whose shape the body fits is sent. */
  readonly body?: B | readonly B[];
  /** Status to body. Several media of different codecs add the argument `format`; the first is the default. */
  readonly returns: A;
  /** The field that carries a version stamp, and the operation that reads it. */
  readonly lock?: { readonly field: string; readonly from: string };
  /** Arguments that bound a period: a relative `period`, with a `timeZone`, can stand for both. */
  readonly period?: PeriodArguments;
  /** Groups of arguments that are used whole or not at all, and only one of the groups in a call. */
  readonly alternatives?: readonly (readonly string[])[];
  /** What the arguments take where the call is about something that is known, such as one of the reports. */
  readonly limits?: Limits;
  /** What an answering status means beyond its body, and which tool to call next. */
  readonly means?: Readonly<Record<number, string>>;
  /** What a filled member of the answer means; `{path.to.member}` in the sentence stands for its value. */
  readonly tells?: readonly { readonly when: string; readonly says: string }[];
  /**
   * The operation that reads a template, the member that is its id (an argument of that operation's name), and the
   * member of this call that the template's field descriptions are checked against before anything is sent.
   */
  readonly template?: { readonly from: string; readonly by: string; readonly describes: string };
  /** A launch: the operations that tell whether it is ready and what came of it; adds the argument `wait`. */
  readonly awaits?: { readonly status: string; readonly result: string };
  /** Members of the answer that are raw text, or lines of it, which only a bounded part is shown of. */
  readonly raw?: readonly string[];
  /** Lines of tab-separated text in the answer and the member with their labels: shown as rows of named values, too. */
  readonly rowsFrom?: { readonly labels: string; readonly lines: string };
  /** The path key whose closed set of values the operations table writes as rows of their own. */
  readonly rowsOver?: keyof P & string;
  readonly status?: "deprecated" | "beta";
  /** A resource worth reading first. */
  readonly see?: string;
  /** Ids of the service's rules that bear on this operation. */
  readonly rules?: readonly string[];
  /** What a failing status means here and what to do about it. */
  readonly errors?: Readonly<Record<number, Hint>>;
  /** Where public facts and the documents differ, or the documents are silent. */
  readonly note?: string;
  /** Arguments of a call that works on a fresh emulator. */
  readonly example: Readonly<Record<string, unknown>>;
}
export type Spec<R extends Route, P extends Params, Q extends Params, B extends Media, A extends Returns> = Common<
  P,
  Q,
  B,
  A
> &
  PathSpec<R, P> &
  Impact<R>;

export interface Operation<
  R extends Route = Route,
  P extends Params = Params,
  Q extends Params = Params,
  B extends Media = Media,
  A extends Returns = Returns,
> {
  readonly route: R;
  readonly spec: Spec<R, P, Q, B, A>;
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
>(route: R, spec: Spec<R, P, Q, B, A>): Operation<R, P, Q, B, A> {
  return { route, spec };
}

// biome-ignore lint/suspicious/noExplicitAny: the one place where an operation's types are forgotten, for code that serves all.
export type AnyOperation = Operation<any, any, any, any, any>;

/** The name of a service in the operations table, and the file its declarations live in. */
export interface Service<
  Id extends string = string,
  O extends Readonly<Record<string, AnyOperation>> = Readonly<Record<string, AnyOperation>>,
> {
  /** The first word of its tools' names. */
  readonly id: Id;
  readonly name: string;
  readonly document: "A" | "B" | "C";
  readonly title: string;
  readonly about: string;
  /** What the documents demand beyond paths and fields; each is cited by a test. */
  readonly rules: Readonly<Record<string, string>>;
  readonly operations: O;
}

/** A tool's name begins with its service's id, which is plural where `list` follows at once. */
type Named<Id extends string, O> = O & Record<Exclude<keyof O, `${Id}_${string}` | `${Id}s_list`>, never>;

/** Declares a service. The compiler refuses an operation whose name lacks the service's prefix. */
export function service<
  const Id extends string,
  const Rules extends Readonly<Record<string, string>>,
  const O extends Readonly<Record<string, AnyOperation>>,
>(
  id: Id,
  rest: Omit<Service<Id, O>, "id" | "operations" | "rules"> & {
    readonly rules: Rules;
    readonly operations: Named<Id, O>;
  },
): Service<Id, O> {
  return { id, ...rest };
}

// The types of one call, for the client and for the emulator.
type Unwrap<T> = T extends Param<infer S> ? z.output<S> : T extends z.ZodType ? z.output<T> : never;
type Values<P> = { [K in keyof P as undefined extends Unwrap<P[K]> ? never : K]: Unwrap<P[K]> } & {
  [K in keyof P as undefined extends Unwrap<P[K]> ? K : never]?: Exclude<Unwrap<P[K]>, undefined>;
};
type Shape<M> = M extends Media<infer S> ? z.output<S> : M extends readonly (infer X)[] ? Shape<X> : never;

/** What an emulator behaviour receives: decoded and checked values, and the raw headers by lower-case name. */
export type Call<O> =
  O extends Operation<infer _R, infer P, infer Q, infer B, infer _A>
    ? {
        readonly path: Values<P>;
        readonly query: Values<Q>;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: [B] extends [never] ? undefined : Shape<B>;
      }
    : never;
/** What an emulator behaviour may answer: a declared status with its body. A failure is thrown instead. */
type Reply<O> =
  O extends Operation<infer _R, infer _P, infer _Q, infer _B, infer A>
    ? {
        [S in keyof A & number]: {
          readonly status: S;
          readonly body: Shape<A[S]>;
          readonly headers?: Readonly<Record<string, string>>;
        };
      }[keyof A & number]
    : never;

/** What the emulator does for each operation of a service: a missing or misspelt one does not compile. */
export type Behaviours<S extends Service, World> = {
  readonly [K in keyof S["operations"]]: (call: Call<S["operations"][K]>, world: World) => Reply<S["operations"][K]>;
};
