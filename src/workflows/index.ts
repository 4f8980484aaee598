/** The workflows, each behind an import of its own, so that a call loads only the one it needs. */
import { lazily } from "../api/lazily.js";
import type { Workflow } from "../calls/workflow.js";

/** Tool name to workflow. */
export const workflows = {
  diagnosis_run: lazily(async () => (await import("./diagnosis.js")).diagnosis),
} satisfies Record<string, () => Promise<Workflow>>;

export type WorkflowName = keyof typeof workflows;
export const isWorkflow = (name: string): name is WorkflowName => Object.hasOwn(workflows, name);

/** All workflows with their names, loaded; for the build, the pages and the tests, never for a call. */
export const allWorkflows = (): Promise<[string, Workflow][]> =>
  Promise.all(Object.entries(workflows).map(async ([name, load]): Promise<[string, Workflow]> => [name, await load()]));
