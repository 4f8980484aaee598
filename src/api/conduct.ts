/** What a declaration says beyond the wire: why a call is guarded, what locks it, how it is waited for, paged and shown. */

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

/** How a launch is polled until it ends. The functions are pure: they read answers and make no calls. */
export interface Awaits<N extends string = string> {
  /** The operation that reports its status. */
  readonly status: N;
  /** The operation that returns the result; where there is none, the last status is the result. */
  readonly result?: N;
  /** The arguments of both, from the launch's answer and its own arguments; undefined when it names nothing to poll. */
  readonly follow: (launch: Answered, given: Arguments) => Arguments | undefined;
  readonly isReady: (status: Answered) => boolean;
  /** Why it has failed permanently, in one sentence; undefined if it has not. */
  readonly failure?: (status: Answered) => string | undefined;
  /** How long the API asks to wait before the next poll, in seconds. */
  readonly pauseSeconds?: (answer: Answered) => number | undefined;
  /** How much of it is done, from 0 to 1, where the API reports it. */
  readonly fraction?: (status: Answered) => number | undefined;
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
  /** A list in the body: the sentence is about each of its items, in which `when` and the names between braces stand. */
  readonly each?: string;
  readonly when: string | readonly string[];
  readonly says: string;
}
