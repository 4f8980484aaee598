/** Workflows: tools that are not one operation but call several, or none. */

import type { Effect } from "../api/define.js";
import type { z } from "../api/z.js";
import type { Invoke } from "./context.js";
import type { Progress } from "./progress.js";

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
}

export interface Workflow<S extends z.ZodObject = z.ZodObject> {
  readonly title: string;
  /** What it finds out or does, and when to use it; plain sentences. */
  readonly does: string;
  readonly input: S;
  /** What it does, in order, for its page; absent where it calls no operation and answers from the declarations. */
  readonly steps?: readonly string[];
  readonly example: Readonly<Record<string, unknown>>;
  /** One line for an assistant that has just connected. */
  readonly introduction?: string;
  /** Runs the workflow. A failed step is reported in the result and never thrown. */
  run(args: z.output<S>, context: WorkflowContext): Promise<Readonly<Record<string, unknown>>>;
}

/** Declares a workflow, so that `run` gets typed arguments. */
export const workflow = <S extends z.ZodObject>(declared: Workflow<S>): Workflow<S> => declared;

/** The workflows by their tools' names, each loaded on first use. */
export type Workflows = Readonly<Record<string, () => Promise<Workflow>>>;
