/** What a declaration says beyond the wire: why a call is guarded, what locks it, how it is waited for, paged and shown. */
import type { FieldProblem } from "./failure.js";
import type { z } from "./z.js";

/** Arguments of a call, by name. */
export type Arguments = Readonly<Record<string, unknown>>;

/** An answer of the API as the functions of a declaration receive it. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
  /** The headers that the operation declares as part of its answer, by the member that shows each. */
  readonly headers: Readonly<Record<string, string>>;
  readonly location?: string;
}

/** Why a destructive call needs an approval. */
export type GuardKind = "purge" | "delete" | "overwrite" | "activate" | "credential" | "access" | "cancel" | "suspend";
/** A guard and what its preview can show; names are paths into the arguments, such as `body.objects`. */
export interface Guard {
  readonly kind: GuardKind;
  /** The list whose length is the number of things affected. */
  readonly counts?: string;
  /** The argument that names the network. */
  readonly network?: string;
  /**
   * The argument that is written over the current state: `body` over the whole of what `shownBy` answers, `body.zone` over
   * its member `zone`.
   */
  readonly replaces?: string;
  /** Whether members that the argument leaves out are removed, which is the rule, or stay as they are. */
  readonly write?: "replace" | "merge";
  /** Whether an approval ends when the state that was shown changes, which is the rule, or holds for the request alone. */
  readonly boundTo?: "state" | "request";
}

/** A version stamp that a write shows, so that it never overwrites a change that its caller has not seen. */
export interface Lock<N extends string = string> {
  /** The argument that carries the stamp: `body.token`, or the argument of an `If-Match` header. */
  readonly field: string;
  /** The operation that reads the stamp. */
  readonly from: N;
  /** Where its answer has the stamp: a path that begins with `body` or `headers`; the path of the argument by default. */
  readonly at?: string;
}

/**
 * How a launch is polled until it ends. The functions are pure: they read answers and make no calls; `given` are the
 * arguments of the launch.
 */
export interface Awaits<N extends string = string> {
  /** The operation that reports its status. */
  readonly status: N;
  /** The operation that returns the result; where there is none, the last status is the result. */
  readonly result?: N;
  /** The arguments of both, from the launch's answer and its own arguments; undefined when it names nothing to poll. */
  readonly follow: (launch: Answered, given: Arguments) => Arguments | undefined;
  readonly isReady: (status: Answered, given: Arguments) => boolean;
  /** Why it has failed permanently, in one sentence; undefined if it has not. */
  readonly failure?: (status: Answered, given: Arguments) => string | undefined;
  /** How long the API asks to wait before the next poll, in seconds. */
  readonly pauseSeconds?: (answer: Answered) => number | undefined;
  /** How much of it is done, from 0 to 1, where the API reports it. */
  readonly fraction?: (status: Answered) => number | undefined;
}

/**
 * A list whose order means something, in the answer of the operation named by `shownBy`: it is read before the change and
 * after it, and the notes show both orders.
 */
export interface Order {
  /** Where the answer has the list. */
  readonly of: string;
  /** The members that name an item, the first of which that has a value is shown. */
  readonly by: readonly string[];
}

/** How a list is paged. */
export interface Paging {
  /** The query argument that says where a page begins, and what it counts: records or pages. */
  readonly start: string;
  readonly counts: "records" | "pages";
  /** The number of the first record or page. */
  readonly first: number;
  /** The query argument that limits a page, and the number that the API takes by default. */
  readonly size: string;
  readonly defaultSize: number;
  /** Where the answer has its records; the body itself by default. */
  readonly items?: string;
  /** Where the answer has the number of all records, if it has it. */
  readonly total?: string;
}

/** The envelope of an answer; names are paths into the body. */
export interface Envelope {
  /**
   * A member that means failure although the status is one of success: by being filled and not false, or by being
   * another value than `unless`. `message` is the member with the API's own words.
   */
  readonly failure?: { readonly at: string; readonly unless?: unknown; readonly message?: string };
  /** The member that is the answer itself; the declared schema is that of the whole body, as it is on the wire. */
  readonly unwrap?: string;
}

/**
 * Which part of an answer is shown where the whole is often more than an assistant can take. It is applied to what a
 * caller receives and never to what a guard, a check or another tool reads.
 */
export interface View {
  /** The arguments that choose the part; they are not sent. */
  readonly arguments: Readonly<Record<string, z.ZodType>>;
  /** The shape of a part. */
  readonly schema: z.ZodType;
  /** The part that is shown, undefined for the whole, or what is wrong with an argument. */
  readonly show: (
    body: unknown,
    given: Arguments,
  ) => { readonly value: unknown; readonly notes?: readonly string[] } | { readonly problem: FieldProblem } | undefined;
}

/** How an answer is shown; names are paths into the body. */
export interface Shows {
  /** Members that are raw text, or lines of it, which only a bounded part is shown of. */
  readonly raw?: readonly string[];
  /** Lines of tab-separated text and the member with their labels, shown as a table, too. */
  readonly lines?: { readonly labels: string; readonly lines: string };
  /** Rows of cells and the member with their columns, whose member `name` is the title: shown as rows of named values. */
  readonly columns?: { readonly columns: string; readonly name: string; readonly rows: string };
}

/**
 * A sentence about a filled member of the answer; `{path.to.member}` in it stands for that member's value. A name that
 * has a dot itself is a step of a path given as a list, and is written with `\.` in the sentence.
 */
export interface MemberNote {
  readonly when: string | readonly string[];
  readonly says: string;
}
