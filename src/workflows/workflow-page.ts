/** The page of a workflow: its schema, its steps where it has some, and an example, as one value and as Markdown. */
import { jsonSchemaOf } from "../api/json-schema.js";
import type { Workflow } from "../calls/workflow.js";
import { block } from "../tools/operation-page.js";

export interface WorkflowPage {
  readonly tool: string;
  readonly title: string;
  readonly does: string;
  readonly input: unknown;
  readonly steps?: readonly string[];
  readonly example: Readonly<Record<string, unknown>>;
}

/** What a workflow is made of, in words. */
export const compositionOf = ({ steps }: Pick<Workflow, "steps">): string =>
  steps === undefined ? "calls no operation" : "made of several operations";

/** Everything that is declared about a workflow, in a form to read. */
export function workflowPage(tool: string, { title, does, input, steps, example }: Workflow): WorkflowPage {
  const { $schema: _, ...schema } = jsonSchemaOf(input, "input");
  return { tool, title, does, input: schema, ...(steps === undefined ? {} : { steps }), example };
}

/** A page as Markdown. */
export function workflowMarkdown(page: WorkflowPage): string {
  const { tool, title, does, input, steps, example } = page;
  const lines = [
    `# ${tool}`,
    `${title} · ${compositionOf(page)}`,
    does,
    "## Arguments",
    block(input),
    ...(steps === undefined ? [] : ["## Steps", steps.map((step, index) => `${index + 1}. ${step}`).join("\n")]),
    "## Example",
    block(example),
  ];
  return `${lines.join("\n\n")}\n`;
}
