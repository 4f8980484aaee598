/** The page of any tool, as one value and as Markdown, whether it is an operation or a workflow. */
import type { Workflows } from "../calls/workflow.js";
import { serviceOf } from "../tools/index.js";
import { type OperationPage, operationPage } from "../tools/operation-page.js";
import { answersMarkdown, asMarkdown } from "../tools/page-markdown.js";
import { type WorkflowPage, workflowMarkdown, workflowPage } from "./workflow-page.js";

/** Where the declarations of all tools are found by name. */
export interface Declarations {
  readonly tools: ReadonlyMap<string, { readonly service: string }>;
  readonly workflows: Workflows;
}

export interface ToolPage {
  readonly data: OperationPage | WorkflowPage;
  readonly markdown: string;
  /** What an operation answers, as Markdown; nothing is declared of what a workflow answers. */
  readonly answers?: string;
}

/** Writes the page of a tool; undefined when there is no such tool. */
export async function toolPage(tool: string, { tools, workflows }: Declarations): Promise<ToolPage | undefined> {
  const entry = tools.get(tool);
  if (!entry) return undefined;
  const workflow = Object.hasOwn(workflows, tool) ? workflows[tool] : undefined;
  if (workflow) {
    const data = workflowPage(tool, await workflow());
    return { data, markdown: workflowMarkdown(data) };
  }
  const service = await serviceOf(entry.service);
  const operation = service?.operations[tool];
  if (!service || !operation) return undefined;
  const data = operationPage(tool, operation, service, Date.now());
  return { data, markdown: asMarkdown(data), answers: answersMarkdown(data) };
}
