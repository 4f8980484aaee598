/** The parts of a declaration beyond the wire: guards, locks, polling, pagination, and how a response is shown. */
import type { FieldProblem } from "./failure.js";
import type { ChangeScope } from "./forecast.js";
import { memberAt } from "./member.js";
import type { WholeCall } from "./next-call.js";
import type { Sentence } from "./sentence.js";
import type { z } from "./z.js";

/** Arguments of a call, by name. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Picks the named arguments of a call, for an operation that takes the same ones. */
export const pickArguments =
  <const N extends string>(...names: readonly N[]) =>
  (args: Arguments) =>
    Object.fromEntries(names.map((name) => [name, args[name]])) as Readonly<Record<N, unknown>>;

/** A response of the API, as the functions of a declaration receive it. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly body: unknown;
  /** The headers that the operation declares as part of its answer, keyed by the field that shows each. */
  readonly headers: Readonly<Record<string, string>>;
  readonly location?: string;
}

/** Why a call needs an approval. */
export type GuardKind =
  | "purge"
  | "delete"
  | "overwrite"
  | "create"
  | "activate"
  | "credential"
  | "access"
  | "cancel"
  | "suspend"
  | "resume";
/** What a change is about, for the groups of a review. */
export type ReviewEffect = "security" | "origin" | "redirects" | "caching" | "logging" | "other";
/** Why a difference is no change: the order of a set, another id, a stamp of a version or a person, a default written out. */
export type IgnoredKind = "order" | "id" | "stamp" | "default";
/**
 * How two values of one kind are reviewed: what is no change, what names the items of their lists, and what each change is
 * about. A table of a service. What is no change is given by its path (`options.values`) in the whole, or in the item of a
 * list around it, because a member of the same name elsewhere can be a setting; all else is given by name, at any depth.
 */
export interface ReviewForm {
  /** Members that say which copy this is, or who wrote it and when. */
  readonly ignores?: Readonly<Record<string, "id" | "stamp">>;
  /** The lists whose order means nothing. */
  readonly sets?: readonly string[] | "all";
  /** Whether a list has an order although it is among the sets, such as the two ends of a range. */
  readonly ordered?: (list: readonly unknown[]) => boolean;
  /** The value of a member that is the same as its absence; `*` for any member. */
  readonly usual?: Arguments;
  /** The nouns for the items of lists, before their names. */
  readonly nouns?: Readonly<Record<string, string>>;
  /** The words that name an item of a list, such as `www` and `A`; undefined for its id or name. */
  readonly title?: (list: string, item: Arguments) => readonly unknown[] | undefined;
  /** The fields that are already in the title. */
  readonly titled?: readonly string[];
  /** The label of each field, in the order in which they are written; empty for a value that needs no label. */
  readonly words?: Readonly<Record<string, string>>;
  /** What follows the title of an item that comes or goes, instead of its fields. */
  readonly rest?: (list: string, item: Arguments) => string | undefined;
  /** The lists whose items have lines of their own when the item that they are in comes or goes. */
  readonly apart?: readonly string[];
  /** What begins each path, and what stands between its steps. */
  readonly root?: string;
  readonly joint?: string;
  /** Members that a path leaves out. */
  readonly silent?: readonly string[];
  /** Items are sorted by rank, smallest first; called without an item for a field that is not in a list. */
  readonly rank?: (list: string, item?: Arguments) => number;
  /**
   * What a change is about, by the name of a member or of an item; `holder` for what the item around it is about. Lines are
   * grouped by it.
   */
  readonly effects?: Readonly<Record<string, ReviewEffect | "holder">>;
  /** A value with what nobody may see replaced. */
  readonly hides?: (value: unknown) => unknown;
}
/** A line of a difference; without a verb it introduces or ends others. */
export interface DifferenceLine {
  readonly text: string;
  readonly verb?: "removed" | "changed" | "added" | "ignored";
}
/** What a change does, as data, from which the sentence of its preview is made. */
export interface Statement {
  /** What is done, in capitals: `DELETE`, `LOCK OUT`. */
  readonly verb: string;
  /** What it is done to, with its names, its network, and whom it reaches. */
  readonly target: string;
  /** What comes of it, as clauses: what is lost, from where to where, until when. */
  readonly results: readonly string[];
  /** The lines of the guard's comparison that the results have whole, so that shorter previews do not repeat them. */
  readonly shows?: readonly string[];
}
/**
 * A guard and the content of its preview; names are paths into the arguments, such as `body.objects`. The functions are
 * pure. `present` is the state that the operation in `shownBy` returns, or undefined if there is none. `related` holds the
 * responses of `relatedReads`, each under its name: undefined if the object does not exist, absent if it could not be read.
 */
export interface Guard {
  readonly kind: GuardKind;
  /**
   * The noun for the object of the call and, in braces, the field with its display name, taken from the state or, for a
   * creation, from the arguments: `alert definition {fields.name}`.
   */
  readonly thing?: string;
  /** The object of the call in words, where its noun and the ids of its path do not say what it is. */
  readonly names?: (args: Arguments) => string;
  /**
   * When a call needs an approval; always, by default. `sending`: only because it sends data somewhere, so a call without
   * a destination needs none, nor does one whose destinations the policy lists. `asked`: only if the policy or a composed
   * change asks for one; this then makes the preview.
   */
  readonly when?: "sending" | "asked";
  /** How the change is undone; if absent, that is not known. */
  readonly undo?: Undo;
  /**
   * The first sentence of the preview: either what is lost (`its notifications stop`), which ends a sentence that follows
   * from the declaration, or a function that states all of it; undefined for the declared one.
   */
  readonly says?: string | ((args: Arguments, present: unknown, related: Arguments) => Statement | undefined);
  /** What an approver types to approve a critical call; the last path argument by default. */
  readonly target?: (args: Arguments, present: unknown, related: Arguments) => string;
  /**
   * Warnings about likely mistakes, in whole sentences, false for those that do not apply. Calls that are certain to fail
   * are refused by `checks`.
   */
  readonly warns?: (args: Arguments, present: unknown, related: Arguments) => readonly (string | false | undefined)[];
  /** The difference between the present and the resulting state, line by line, if neither is among the arguments. */
  readonly compares?: (args: Arguments, present: unknown, related: Arguments) => readonly DifferenceLine[];
  /** What the call reaches on the site, for its forecast: one change or several; undefined if there is nothing to forecast. */
  readonly forecasts?: (
    args: Arguments,
    present: unknown,
    related: Arguments,
  ) => ChangeScope | readonly ChangeScope[] | undefined;
  /** How the replaced value is compared. */
  readonly review?: ReviewForm;
  /** The list whose length is the number of things affected. */
  readonly counts?: string;
  /** The argument that names the network, also of each item of a list (`body.items[].network`); `PRODUCTION` if changes are live immediately, without a staging network. */
  readonly network?: string;
  /**
   * The argument that overwrites the current state: `body` overwrites the whole response of `shownBy`, `body.zone` its
   * field `zone`.
   */
  readonly replaces?: string;
  /** Whether fields that the argument leaves out are removed (the default) or stay unchanged. */
  readonly write?: "replace" | "merge";
  /**
   * Further reasons for a call to be critical, in addition to its kind, network and count: arguments, and functions of the
   * state that return clauses following "because", false for those that do not apply. Anything unknown counts as critical.
   */
  readonly critical?: readonly (
    | CriticalArgument
    | ((args: Arguments, present: unknown, related: Arguments) => readonly (string | false | undefined)[])
  )[];
}

/** A past change that is to be undone. */
export interface PastChange {
  /** Its arguments, without secrets. */
  readonly given: Arguments;
  /** The state before it, without secrets; undefined if there was none, or if it could not be read. */
  readonly before: unknown;
  /** The state now. */
  readonly now: unknown;
}

/**
 * The arguments that create a deleted object again, under a new id.
 * @param within The argument that names its parent.
 * @param members The fields of the old state that a creation takes.
 */
export const recreation =
  (within: string, members: readonly string[]) =>
  ({ given, before }: PastChange): Arguments | undefined => {
    if (before === undefined) return undefined;
    const known = members.map((name) => [name, memberAt(before, name)] as const);
    const body = Object.fromEntries(known.filter(([, value]) => value !== undefined && value !== null));
    return { [within]: given[within], body };
  };

/** A change at the time of its approval: its arguments and the state that its preview read, without secrets. */
export type ApprovedChange = Pick<PastChange, "given" | "before"> & {
  /** The responses of `relatedReads`, as the guard's functions receive them. */
  readonly related: Arguments;
};

/** How a change is undone by hand. */
export interface ManualUndo {
  /** Whole sentences, which also name the call. */
  readonly says: Sentence;
  /** The call that undoes it, if no choice has to be made first. */
  readonly call?: WholeCall;
}

/** How a change is undone, as far as the API allows. */
export type Undo =
  /** By the same operation, with the old value. */
  | "rewrite"
  /** The same, with these other arguments, if those of the change do not fit its undo. */
  | { readonly rewrite: (past: PastChange) => Arguments }
  /**
   * By another operation, with these arguments; undefined if there is nothing to restore. Without `isWhole` it restores
   * only a part, so that a deletion counts as irreversible.
   */
  | { readonly tool: string; readonly args: (past: PastChange) => Arguments | undefined; readonly isWhole?: true }
  /**
   * By another operation, with arguments that only the response has, such as the id of the created object. They are kept
   * with the plan, so they must not hold a secret. Undefined if the response does not have them.
   */
  | { readonly tool: string; readonly made: (answer: UpstreamAnswer) => Arguments | undefined }
  /** By hand, as these sentences describe, which may depend on the change. */
  | { readonly by: string | ((past: ApprovedChange) => Sentence | ManualUndo) }
  /** Not possible, for the reason that this sentence gives. */
  | { readonly never: string };

/** An argument that makes a call critical unless it has one harmless value, so that unforeseen values are critical, too. */
interface CriticalArgument {
  /** A path into the arguments. */
  readonly argument: string;
  /** The harmless value; if it is `false`, leaving the argument out is harmless, too. */
  readonly unless: unknown;
  /** Why any other value is critical, as a clause that follows "because". */
  readonly because: string;
}

/** Optimistic locking: a version stamp that a write carries, so that it never overwrites a change unseen by its caller. */
export interface Lock<N extends string = string> {
  /** The argument that carries the stamp: `body.token`, or the argument of an `If-Match` header. */
  readonly field: string;
  /** The operation that reads the stamp. */
  readonly from: N;
  /** The path of the stamp in its response, beginning with `body` or `headers`; the path of the argument by default. */
  readonly at?: string;
}

/**
 * How a launched job is polled until it ends. The functions are pure: they read responses and make no calls; `given` are
 * the arguments of the launch.
 */
export interface JobPolling<N extends string = string> {
  /** The operation that reports its status. */
  readonly status: N;
  /** The operation that returns the result; if there is none, the last status is the result. */
  readonly result?: N;
  /** The arguments of both, from the launch's response and arguments; undefined if it names nothing to poll. */
  readonly follow: (launch: UpstreamAnswer, given: Arguments) => Arguments | undefined;
  readonly isReady: (status: UpstreamAnswer, given: Arguments) => boolean;
  /** The state of the job, as a text that differs whenever it has progressed. */
  readonly state: (status: UpstreamAnswer, given: Arguments) => string;
  /** The paths of the launch's arguments that these functions read, in addition to those of `follow`. */
  readonly reads?: readonly string[];
  /** Why it has failed permanently, in one sentence; undefined if it has not. */
  readonly failure?: (status: UpstreamAnswer, given: Arguments) => string | undefined;
  /** How long the API asks to wait before the next poll, in seconds. */
  readonly pauseSeconds?: (answer: UpstreamAnswer) => number | undefined;
  /** How much of it is done, from 0 to 1, where the API reports it. */
  readonly fraction?: (status: UpstreamAnswer) => number | undefined;
}

/** How to poll a read for subscribers: its response changes without a launch, until it ends. The functions are pure. */
export type SelfPolling = Pick<JobPolling, "state" | "isReady"> & {
  readonly [K in Exclude<keyof JobPolling, "state" | "isReady">]?: undefined;
};

/** A list whose order is significant. */
export interface Order {
  /** The path of the list in the response. */
  readonly of: string;
  /** The fields that can name an item; the first one with a value is shown. */
  readonly by: readonly string[];
}

/** The pagination of a list. */
export interface Paging {
  /** The query argument for the start of a page, and whether it counts records or pages, from 0. */
  readonly start: string;
  readonly counts: "records" | "pages";
  /** The query argument for the size of a page, and the API's default. */
  readonly size: string;
  readonly defaultSize: number;
  /** The path of the records in the response; the body itself by default. */
  readonly items?: string;
  /** The path of the total number of records, if the response has it. */
  readonly total?: string;
  /** The path of a boolean that is true while more records follow, if the response has one. */
  readonly more?: string;
  /** The maximum number of records that `allPages` reads, if it is not the default. */
  readonly most?: number;
}

/**
 * A field around the payload that signals a failure although the status is a success: by being there, even empty, unless
 * it has the value `unless` or is null. Names are paths into the body.
 */
export interface Envelope {
  readonly at: string;
  readonly unless?: unknown;
  /** The field with the API's message. */
  readonly message?: string;
}

/**
 * The part of a response that is shown if the whole is often too large for an assistant. It is applied to the caller's
 * result, never to what a guard, a check or another tool reads.
 */
export interface View {
  /** The arguments that choose the part; they are not sent. */
  readonly arguments: Readonly<Record<string, z.ZodType>>;
  /** The shape of a part. */
  readonly schema: z.ZodType;
  /** The part that is shown, undefined for the whole, or the problem with an argument. */
  readonly show: (
    body: unknown,
    given: Arguments,
  ) => { readonly value: unknown; readonly notes?: readonly string[] } | { readonly problem: FieldProblem } | undefined;
}

/** How a response is shown; names are paths into the body. */
export interface AnswerDisplay {
  /** The list in the response of `shownBy` whose order the change affects; it is shown before and after the change. */
  readonly order?: Order;
  /** Fields with raw text, or lines of it, of which only a bounded part is shown. */
  readonly raw?: readonly string[];
  /**
   * Rows of cells and the field with their columns, each with its `name`, or rows and columns as lines of tab-separated
   * text: shown as named values in the text of a result. `time` is the name of a column with times in seconds since 1970.
   */
  readonly columns?: { readonly columns: string; readonly rows: string; readonly time?: string };
  /**
   * Fields that repeat another field in a different form, each with the field that it repeats: a text only names them if
   * that one is present. They are paths into the body, or into each of its items if it is a list.
   */
  readonly aside?: Readonly<Record<string, string>>;
  /** Columns with rates and shares, which can be averaged but not added up. */
  readonly levels?: readonly string[];
  /** The units of columns, in a word; a count has none. */
  readonly units?: Readonly<Record<string, string>>;
  /**
   * Rows with daily values, which can change until they are final: the paths in a row, and the paths of what it measures
   * by the names that a reader sees. Such a response is shown with monthly totals.
   */
  readonly daily?: {
    readonly date: string;
    readonly value: string;
    readonly final: string;
    readonly of: Readonly<Record<string, string>>;
  };
}

/**
 * A sentence about a field of the response that has a value; `{path.to.field}` in it is replaced by that field's value. A
 * name that contains a dot is given as a step of a list, and written with `\.` in the sentence.
 */
export interface MemberNote {
  /** A list in the body: the sentence is about each of its items, and `when` and the names in braces are relative to it. */
  readonly each?: string;
  readonly when: string | readonly string[];
  readonly says: string;
}

/** Secret fields of a response: the first one with a value is written to a new file, and none is ever shown. */
export interface SecretMembers {
  readonly members: readonly string[];
  /** The flag that makes the API send the secret elsewhere, so that the response has none. */
  readonly unless?: string;
}

const defaultMost = 5_000;

/** The maximum number of records that `allPages` reads. */
export const mostRecords = ({ most = defaultMost }: Paging): number => most;
