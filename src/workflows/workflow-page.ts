/** The page of a workflow: its schema, its steps and an example, as one value and as Markdown. */
import { jsonSchemaOf } from "../api/json-schema.js";
import type { Workflow } from "../calls/workflow.js";
import { block } from "../tools/operation-page.js";

export interface WorkflowPage {
  readonly tool: string;
  readonly title: string;
  readonly does: string;
  readonly input: unknown;
  readonly steps: readonly string[];
  readonly example: Readonly<Record<string, unknown>>;
}

/** Everything that is declared about a workflow, in a form to read. */
export function workflowPage(tool: string, { title, does, input, steps, example }: Workflow): WorkflowPage {
  const { $schema: _, ...schema } = jsonSchemaOf(input, "input");
  return { tool, title, does, input: schema, steps, example };
}

/** A page as Markdown. */
export function workflowMarkdown({ tool, title, does, input, steps, example }: WorkflowPage): string {
  const lines = [
    `# ${tool}`,
    `${title} · made of several operations`,
    does,
    "## Arguments",
    block(input),
    "## Steps",
    steps.map((step, index) => `${index + 1}. ${step}`).join("\n"),
    "## Example",
    block(example),
  ];
  return `${lines.join("\n\n")}\n`;
}
