/** Work that is one tool without being one operation: what it says of itself, and what it is given to work with. */

import type { Effect } from "../api/define.js";
import type { z } from "../api/z.js";
import type { Invoke } from "./context.js";
import type { Progress } from "./progress.js";

/** Every tool by its name. */
export type Tools = ReadonlyMap<string, { readonly service: string; readonly effect: Effect }>;

/** What a workflow is given to work with. */
export interface WorkflowContext {
  /** Makes calls that share the deadline of the whole work. */
  readonly invoke: Invoke;
  readonly progress: Progress;
  /** All tools by name, of which the workflows are some. */
  readonly tools: Tools;
  readonly workflows: Workflows;
}

export interface Workflow<S extends z.ZodObject = z.ZodObject> {
  readonly title: string;
  /** What it finds out or brings about, and when to use it; plain sentences. */
  readonly does: string;
  readonly input: S;
  /** What it does, in order, for its page; absent where it calls no operation and answers from the declarations. */
  readonly steps?: readonly string[];
  readonly example: Readonly<Record<string, unknown>>;
  /** One line for an assistant that has just connected. */
  readonly introduction?: string;
  /** Does the work. A step that fails is told in the result and never thrown. */
  run(args: z.output<S>, context: WorkflowContext): Promise<Readonly<Record<string, unknown>>>;
}

/** Declares a workflow, so that its work gets its arguments by their types. */
export const workflow = <S extends z.ZodObject>(declared: Workflow<S>): Workflow<S> => declared;

/** The workflows by their tools' names, each loaded on first use. */
export type Workflows = Readonly<Record<string, () => Promise<Workflow>>>;
