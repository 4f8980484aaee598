/** Tools that are not one operation: workflows, which only read, and composed changes, which end in one operation. */
import { Confirm } from "../arguments/index.js";
import type { PlanRecord } from "../guard/index.js";
import type { Arguments } from "../language/conduct.js";
import type { AnyOperation, Effect } from "../language/define.js";
import { effectOf } from "../language/effect.js";
import type { Introduction } from "../language/reading.js";
import type { z } from "../language/z.js";
import type { Picture } from "../results/store.js";
import type { Search } from "../search/index.js";
import type { Composition, Invoke, Progress, Series, Unchanged } from "./context.js";
import type { Results } from "./results.js";

/** Every tool by its name. */
export type Tools = ReadonlyMap<string, { readonly service: string; readonly effect: Effect }>;

/** What a workflow runs with. */
export interface WorkflowContext {
  /** Makes calls that share the deadline of the whole workflow. */
  readonly invoke: Invoke;
  readonly progress: Progress;
  /** All tools by name, of which the workflows are some. */
  readonly tools: Tools;
  readonly workflows: Workflows;
  readonly results: Results;
  /** Opens the index of all that can be found. */
  readonly search: () => Promise<Search>;
  /**
   * A plan of the caller's own on this account, and what became of it.
   * @throws Failure `not_allowed` for one that was made for another account.
   */
  readonly plan: (id: string) => Promise<PlanRecord | undefined>;
  /** A text as it may be seen in what cannot be searched afterwards, such as an image. */
  readonly shown: (text: string) => string;
  /** Shows a picture beside the result. */
  readonly show: (picture: Picture) => void;
}

/** What a tool that is not one operation says of itself. */
interface Described<S extends z.ZodObject> {
  readonly title: string;
  /** What it finds out or does, and when to use it; plain sentences. */
  readonly does: string;
  readonly input: S;
  /** What it does, in order, for its page; absent where it calls no operation and answers from the declarations. */
  readonly steps?: readonly string[];
  readonly example: Readonly<Record<string, unknown>>;
  /** One line for an assistant that has just connected. */
  readonly introduction?: Introduction;
  /** Whether it serves all tools alike, so that it stays on every menu, whatever services and tools are left out. */
  readonly servesAllTools?: true;
  /** Whether the short list has it, which is the rule; where not, it is called there by the tool that calls others. */
  readonly isFrontLine?: false;
}

export interface Workflow<S extends z.ZodObject = z.ZodObject> extends Described<S> {
  /** Runs the workflow. A failed step is reported in the result and never thrown. */
  run(args: z.output<S>, context: WorkflowContext): Promise<Readonly<Record<string, unknown>>>;
  /** Whether its result comes with a picture. */
  readonly draws?: true;
  /** The texts of a result that are not its JSON; undefined where they are. */
  texts?(result: Readonly<Record<string, unknown>>): readonly string[] | undefined;
}

/** The value of `makes` where only `compose` knows the operation. */
export const anyOperation = "any";

/**
 * A composed change: reads what is there, prepares the arguments of one operation from it, and makes that call as the
 * operation's own tool does, with a preview, a plan and an approval. It never sends anything without a plan, even where
 * the operation by itself would need none, because its caller has not seen the arguments.
 */
export interface Change<S extends z.ZodObject = z.ZodObject> extends Described<S> {
  readonly steps: readonly string[];
  /** The operation that it calls in the end; `anyOperation` where each composition names its own. */
  readonly makes: string;
  /** Whether its caller gives it the calls that it makes: what it does is then what they do, and a read where they are reads. */
  readonly holdsCalls?: true;
  /**
   * Prepares the call. It is run for the preview and again for the confirmation, and both have to come to the same
   * request, so it depends on its arguments and on what it reads alone.
   * @param context.invoke Calls operations that read; a change fails.
   * @param context.present Reads what an operation would change with these arguments, as the guard does; undefined when
   * nothing is there, or when no operation shows it.
   * @param context.isConfirmed Whether the preview was shown: what only informs need not be read again.
   * @throws Failure
   */
  compose(
    args: z.output<S>,
    context: Pick<WorkflowContext, "invoke" | "progress" | "tools" | "plan"> & {
      readonly present: (tool: string, args: Arguments) => Promise<unknown>;
      readonly isConfirmed: boolean;
    },
  ): Promise<Composition | Series | Unchanged>;
}

export type AnyWorkflow = Workflow | Change;
/** The workflows and composed changes by their tools' names, each loaded on first use. */
export type Workflows = Readonly<Record<string, () => Promise<AnyWorkflow>>>;

/** Declares a workflow, so that `run` gets typed arguments. */
export const workflow = <S extends z.ZodObject>(declared: Workflow<S>): Workflow<S> => declared;

/** Declares a composed change, so that `compose` gets typed arguments; its tool also takes `confirm`. */
export const change = <S extends z.ZodObject>(declared: Change<S>): Change => ({
  ...declared,
  input: declared.input.extend({ confirm: Confirm }),
});

export const isChange = (declared: AnyWorkflow): declared is Change => "compose" in declared;

/**
 * What a workflow or a composed change changes: a change has the effect of its operation, and the gravest where that is
 * not known before it is composed.
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
