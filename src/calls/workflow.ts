/** Tools that are not one operation: workflows, which only read, and composed changes, which call one operation. */
import type { ImportedTool } from "../definitions/library.js";
import type { PlanRecord } from "../guard/index.js";
import type { Arguments } from "../language/conduct.js";
import type { AnyOperation, Effect } from "../language/define.js";
import { effectOf } from "../language/effect.js";
import type { Failure } from "../language/failure.js";
import type { Introduction } from "../language/reading.js";
import type { z } from "../language/z.js";
import type { Picture } from "../rows/result-store.js";
import { Confirm } from "../schema/arguments.js";
import type { Search } from "../search/index.js";
import type { SentChange } from "../wire/index.js";
import type { BackgroundWork, CallSeries, Composition, Invoke, NoChange, Progress } from "./context.js";
import type { CallerResults } from "./results.js";

/** All tools by name. Imported operations are found by name, and are not among its entries. */
export type Tools = ReadonlyMap<
  string,
  {
    readonly service: string;
    readonly effect: Effect;
    readonly imported?: ImportedTool;
    /** Whether it is a workflow in a catalogue of today's APIs. */
    readonly isOfToday?: true;
  }
>;

/** The dependencies of a running workflow. */
export interface WorkflowContext {
  /** Makes calls that share the deadline of the workflow. */
  readonly invoke: Invoke;
  readonly progress: Progress;
  /** All tools by name, including the workflows. */
  readonly tools: Tools;
  /** The refusal of a tool that is left out; undefined if it is offered, or if there is none of that name. */
  readonly refusalOf: (tool: string) => Failure | undefined;
  readonly workflows: Workflows;
  readonly results: CallerResults;
  /** Opens the search index. */
  readonly search: () => Promise<Search>;
  /**
   * A plan of the caller on this account, with its status.
   * @throws Failure `not_allowed` for a plan of another account.
   */
  readonly plan: (id: string) => Promise<PlanRecord | undefined>;
  /** A text that is safe to show in a form that cannot be searched afterwards, such as an image. */
  readonly shown: (text: string) => string;
  /** Shows a picture with the result. */
  readonly show: (picture: Picture) => void;
  /** The changes of the account that were sent from here since an instant; undefined if they were too many to be kept. */
  readonly changesSince: (ms: number) => readonly SentChange[] | undefined;
  /** Starts work that goes on after the call, by reads that take what the limits of the APIs leave. */
  readonly inBackground: (name: string, work: BackgroundWork) => void;
}

/** The declaration of a tool that is not one operation. */
interface WorkflowDeclaration<S extends z.ZodObject> {
  readonly title: string;
  /** The description: what it does and when to use it, in plain sentences. */
  readonly does: string;
  readonly input: S;
  /** Its steps, in order, for its page; absent if it makes no calls and answers from the declarations. */
  readonly steps?: readonly string[];
  readonly example: Readonly<Record<string, unknown>>;
  /** One line for an assistant that has just connected. */
  readonly introduction?: Introduction;
  /** Whether it serves all tools, so that it is on every menu, whatever services and tools are left out. */
  readonly servesAllTools?: true;
  /** For one that works only with the documents' APIs: a sentence on what does its job with today's. */
  readonly notToday?: string;
  /** Whether the short list includes it, which is the default; otherwise it is called there by a call tool. */
  readonly isFrontLine?: false;
}

export interface Workflow<S extends z.ZodObject = z.ZodObject> extends WorkflowDeclaration<S> {
  /** Runs the workflow. A failed step is reported in the result and never thrown. */
  run(args: z.output<S>, context: WorkflowContext): Promise<Readonly<Record<string, unknown>>>;
  /** The members that hold the arguments of another tool, with its name. */
  readonly argumentsOf?: Readonly<Record<string, string>>;
  /** Whether its result has a picture. */
  readonly draws?: true;
  /** The texts of a result, if they are not its JSON. */
  texts?(result: Readonly<Record<string, unknown>>): readonly string[] | undefined;
}

/** The value of `makes` if only `compose` determines the operation. */
export const anyOperation = "any";

/**
 * A composed change: reads the present state, prepares the arguments of one operation from it, and makes that call like
 * the operation's own tool, with a preview, a plan and an approval. It always needs a plan, even if the operation
 * itself would not, because the caller has not seen the arguments.
 */
export interface ComposedChange<S extends z.ZodObject = z.ZodObject> extends WorkflowDeclaration<S> {
  readonly steps: readonly string[];
  /** The operation that it calls; `anyOperation` if each composition names its own. */
  readonly makes: string;
  /** Whether the caller gives it the calls to make: its effect is then theirs. */
  readonly holdsCalls?: true;
  /**
   * Prepares the call. It runs for the preview and again for the confirmation, and both have to produce the same
   * request, so it may depend only on its arguments and on what it reads.
   * @param context.invoke Calls operations that read; a change fails.
   * @param context.present Reads the state that an operation would change with these arguments, like the guard;
   * undefined if it does not exist, or if no operation shows it.
   * @param context.isConfirmed Whether the preview was shown, so that purely informative reads can be skipped.
   * @throws Failure
   */
  compose(
    args: z.output<S>,
    context: Pick<WorkflowContext, "invoke" | "progress" | "tools" | "plan"> & {
      readonly present: (tool: string, args: Arguments) => Promise<unknown>;
      readonly isConfirmed: boolean;
    },
  ): Promise<Composition | CallSeries | NoChange>;
}

export type AnyWorkflow = Workflow | ComposedChange;
/** The workflows and composed changes by their tools' names, each loaded on first use. */
export type Workflows = Readonly<Record<string, () => Promise<AnyWorkflow>>>;

/** Declares a workflow, so that `run` gets typed arguments. */
export const workflow = <S extends z.ZodObject>(declared: Workflow<S>): Workflow<S> => declared;

/** Declares a composed change, so that `compose` gets typed arguments; its tool also takes `confirm`. */
export const composedChange = <S extends z.ZodObject>(declared: ComposedChange<S>): ComposedChange => ({
  ...declared,
  input: declared.input.extend({ confirm: Confirm }),
});

export const isChange = (declared: AnyWorkflow): declared is ComposedChange => "compose" in declared;

/**
 * The effect of a workflow or composed change: that of its operation, and the gravest one if it is only known after
 * composing.
 */
export function effectOfWorkflow(
  declared: AnyWorkflow,
  operationOf: (tool: string) => AnyOperation | undefined,
): Effect {
  if (!isChange(declared)) return "read";
  if (declared.makes === anyOperation) return "destructive";
  const operation = operationOf(declared.makes);
  if (!operation) throw new Error(`A composed change makes ${declared.makes}, which no service declares.`);
  return effectOf(operation);
}
