/** What a declaration says beyond the wire: why a call is guarded, what locks it, how it is waited for, paged and shown. */
import type { FieldProblem } from "./failure.js";
import { memberAt } from "./member.js";
import type { WholeCall } from "./next-call.js";
import type { z } from "./z.js";

/** Arguments of a call, by name. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Of a call's arguments those of these names, for an operation that reads by them. */
export const only =
  <const N extends string>(...names: readonly N[]) =>
  (args: Arguments) =>
    Object.fromEntries(names.map((name) => [name, args[name]])) as Readonly<Record<N, unknown>>;

/** An answer of the API as the functions of a declaration receive it. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
  /** The headers that the operation declares as part of its answer, by the member that shows each. */
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
/** How the items of a list are written in a preview: by what they are called, and in the field's own words. */
export interface ItemNotation {
  /** The words that name an item, from the name of its list and its members: `www` and `A`. */
  readonly title: (list: string, item: Arguments) => readonly unknown[];
  /** The members that the title says. */
  readonly titled: readonly string[];
  /** The words for members, in the order in which they are written; an empty one for a value that speaks for itself. */
  readonly words: Readonly<Record<string, string>>;
  /** Members that are not written while they have this value. */
  readonly usual?: Arguments;
  /** What is shown first has the smallest rank; called without an item for a member that is no item of a list. */
  readonly rank?: (list: string, item?: Arguments) => number;
}
/**
 * A guard and what its preview can show; names are paths into the arguments, such as `body.objects`. The functions are
 * pure. `present` is the state as the operation named by `shownBy` answers it, or undefined where there is none; `beside`
 * holds what was read by `shownBeside`, each under its name: undefined where nothing is there, no member where it could
 * not be read.
 */
export interface Guard {
  readonly kind: GuardKind;
  /**
   * What is acted on, as one of its kind is called, and between braces the member of the state in which it has its name
   * for people, of the arguments where it is made: `alert definition {fields.name}`.
   */
  readonly thing?: string;
  /**
   * When a call needs an approval, where that is not always. `sending`: it is guarded for where it sends data and for
   * nothing else, so a call without a destination needs none, nor does one whose destinations a policy lists. `asked`:
   * where a composed change or the policy asks for one, of which this is the preview.
   */
  readonly when?: "sending" | "asked";
  /** How it is taken back; without this, nobody knows. */
  readonly undo?: Undo;
  /**
   * The sentence that leads the preview, without its full stop: what is lost, as the end of one that the guard begins
   * (`its notifications stop`), or all of it where that depends on the arguments.
   */
  readonly says?: string | ((args: Arguments, present: unknown, beside: Arguments) => string | undefined);
  /** What a person types to approve a critical call; the last argument of the path by default. */
  readonly target?: (args: Arguments, present: unknown, beside: Arguments) => string;
  /** What is likely to be a mistake, in whole sentences. What is known to fail is refused by `checks`. */
  readonly warns?: (args: Arguments, present: unknown, beside: Arguments) => readonly string[];
  /** How what would be there differs from what is there, line by line, where neither is among the arguments. */
  readonly compares?: (args: Arguments, present: unknown, beside: Arguments) => readonly string[];
  /** How the items of lists in what is replaced are written. */
  readonly items?: ItemNotation;
  /** The list whose length is the number of things affected. */
  readonly counts?: string;
  /** The argument that names the network; `PRODUCTION` where what it changes is live at once, without a staging network. */
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
  /**
   * What makes the call critical that its kind, its network and its count do not tell: arguments, and what reading alone
   * tells, as clauses that follow "because"; what is not known does.
   */
  readonly critical?: readonly (
    | CriticalArgument
    | ((args: Arguments, present: unknown, beside: Arguments) => readonly string[])
  )[];
}

/** What is known of a change that is to be taken back. */
export interface Past {
  /** Its arguments, without secrets. */
  readonly given: Arguments;
  /** The state before it, without secrets; undefined where there was none, or none could be read. */
  readonly before: unknown;
  /** The state now. */
  readonly now: unknown;
}

/**
 * Of a deletion that is taken back, the arguments that create the thing again, under another id.
 * @param within The argument that names what it stood in.
 * @param members What a creation takes of the state.
 */
export const createdAgain =
  (within: string, members: readonly string[]) =>
  ({ given, before }: Past): Arguments | undefined => {
    if (before === undefined) return undefined;
    const known = members.map((name) => [name, memberAt(before, name)] as const);
    const body = Object.fromEntries(known.filter(([, value]) => value !== undefined && value !== null));
    return { [within]: given[within], body };
  };

/** What is known of a change when it is approved: its arguments and what its preview had read, all without secrets. */
export type Approved = Pick<Past, "given" | "before"> & {
  /** What was read by `shownBeside`, as a guard's own functions receive it. */
  readonly beside: Arguments;
};

/** How a change is taken back by hand. */
export interface ByHand {
  /** Whole sentences, which name the call as well. */
  readonly says: string;
  /** The one call that does it, where nothing has to be chosen first. */
  readonly call?: WholeCall;
}

/** How a change is taken back, as far as the API can. */
export type Undo =
  /** By the same operation, which writes what stood in the place of what it wrote. */
  | "rewrite"
  /** In the same way, with these arguments beside what it writes: those of the change may not suit its way back. */
  | { readonly rewrite: (past: Past) => Arguments }
  /**
   * By another operation, with these arguments; undefined where there is nothing to put back. Without `isWhole`, what it
   * puts back is not as it was, so a deletion counts as irreversible.
   */
  | { readonly tool: string; readonly args: (past: Past) => Arguments | undefined; readonly isWhole?: true }
  /**
   * By another operation, with arguments that the answer of the change alone has, such as the id of what it made: they
   * are kept with its plan, so they hold no secret. Undefined where the answer does not name it.
   */
  | { readonly tool: string; readonly made: (answer: Answered) => Arguments | undefined }
  /** By a person or an assistant, as these sentences say, or as they say of this very change. */
  | { readonly by: string | ((past: Approved) => string | ByHand) }
  /** Not at all, for the reason that this sentence gives. */
  | { readonly never: string };

/** An argument that makes a call critical with any value but one, so that a value which nobody has thought of does, too. */
interface CriticalArgument {
  /** A path into the arguments. */
  readonly argument: string;
  /** The one value that is harmless; where it is `false`, leaving the argument out is harmless, too. */
  readonly unless: unknown;
  /** Why any other value is critical, in words that follow "because". */
  readonly because: string;
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
  /** Where it stands: a text that is another one whenever it has moved. */
  readonly state: (status: Answered, given: Arguments) => string;
  /** The arguments of the launch that these functions read, by their paths; those of `follow` aside. */
  readonly reads?: readonly string[];
  /** Why it has failed permanently, in one sentence; undefined if it has not. */
  readonly failure?: (status: Answered, given: Arguments) => string | undefined;
  /** How long the API asks to wait before the next poll, in seconds. */
  readonly pauseSeconds?: (answer: Answered) => number | undefined;
  /** How much of it is done, from 0 to 1, where the API reports it. */
  readonly fraction?: (status: Answered) => number | undefined;
}

/** How a read is followed whose answer moves without a launch, until it is over. The functions are pure. */
export type Moves = Pick<Awaits, "state" | "isReady"> & {
  readonly [K in Exclude<keyof Awaits, "state" | "isReady">]?: undefined;
};

/** A list whose order means something. */
export interface Order {
  /** Where the answer has the list. */
  readonly of: string;
  /** The members that name an item, the first of which that has a value is shown. */
  readonly by: readonly string[];
}

/** How a list is paged. */
export interface Paging {
  /** The query argument that says where a page begins, and what it counts from 0 on: records or pages. */
  readonly start: string;
  readonly counts: "records" | "pages";
  /** The query argument that limits a page, and the number that the API takes by default. */
  readonly size: string;
  readonly defaultSize: number;
  /** Where the answer has its records; the body itself by default. */
  readonly items?: string;
  /** Where the answer has the number of all records, if it has it. */
  readonly total?: string;
  /** Where the answer says whether there are more records, if it says so by true or false. */
  readonly more?: string;
  /** The most records that `allPages` reads, where it is not the usual number. */
  readonly most?: number;
}

/**
 * A member around the payload that means failure although the status is one of success: by being filled and not false, or
 * by being another value than `unless`. Names are paths into the body.
 */
export interface Envelope {
  readonly at: string;
  readonly unless?: unknown;
  /** Whether it means failure also where it is there and empty. */
  readonly isEmptyOne?: true;
  /** The member with the API's own words. */
  readonly message?: string;
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
  /** The list whose order a change is about, in the answer of `shownBy`: it is shown before the change and after it. */
  readonly order?: Order;
  /** Members that are raw text, or lines of it, which only a bounded part is shown of. */
  readonly raw?: readonly string[];
  /** Lines of tab-separated text and the member with their labels, shown as a table, too. */
  readonly lines?: { readonly labels: string; readonly lines: string };
  /**
   * Rows of cells and the member with their columns, whose member `name` is the title: named values in the text of a result.
   * `time` is the title of the column that has times in seconds since 1970.
   */
  readonly columns?: {
    readonly columns: string;
    readonly name: string;
    readonly rows: string;
    readonly time?: string;
  };
  /**
   * Members that repeat in another form what the answer has, each with the member that it repeats: a text only names them
   * where that is present. They are paths in the body, or in each item of one that is a list.
   */
  readonly aside?: Readonly<Record<string, string>>;
  /** Columns of rates and shares, of which the mean says something and the sum nothing. */
  readonly levels?: readonly string[];
  /**
   * Rows that are values of days, which can change until they are final: the paths in a row, and of what it is a value by
   * the names that a reader is shown. Such an answer comes with what each month comes to.
   */
  readonly daily?: {
    readonly date: string;
    readonly value: string;
    readonly final: string;
    readonly of: Readonly<Record<string, string>>;
  };
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

/** The members of an answer of which the first with a value goes to a new file; no such member is ever shown. */
export interface SecretTo {
  readonly members: readonly string[];
  /** The flag with which the API sends the secret elsewhere, so that the answer has none. */
  readonly unless?: string;
}

const usualMost = 5_000;

/** The most records that `allPages` reads. */
export const mostRecords = ({ most = usualMost }: Paging): number => most;
