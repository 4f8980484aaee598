/** The page of any tool, as one value and as Markdown: of an operation, or of a workflow, whose schema, steps and example it has. */
import { type AnyWorkflow, anyOperation, isChange, type Workflows } from "../calls/workflow.js";
import { jsonSchemaOf } from "../schema/json-schema.js";
import { serviceOf } from "../tools/index.js";
import {
  answersMarkdown,
  argumentsSection,
  asMarkdown,
  exampleSection,
  type OperationPage,
  operationPage,
} from "./operation-page.js";

export interface WorkflowPage {
  readonly tool: string;
  readonly title: string;
  readonly does: string;
  readonly input: unknown;
  readonly steps?: readonly string[];
  /** The operation that a composed change makes, or the word for one that it chooses. */
  readonly makes?: string;
  readonly example: Readonly<Record<string, unknown>>;
}

/** What a workflow or a composed change is made of, in words. */
export function compositionOf({
  steps,
  makes,
}: {
  readonly steps?: readonly string[];
  readonly makes?: string;
}): string {
  if (makes === anyOperation) return "composes one call";
  if (makes !== undefined) return `composes a call of ${makes}`;
  return steps === undefined ? "calls no operation" : "made of several operations";
}

/** Everything that is declared about a workflow or a composed change, in a form to read. */
export function workflowPage(tool: string, declared: AnyWorkflow): WorkflowPage {
  const { title, does, input, steps, example } = declared;
  const { $schema: _, ...schema } = jsonSchemaOf(input, "input");
  const made = isChange(declared) ? { makes: declared.makes } : {};
  return { tool, title, does, input: schema, ...(steps === undefined ? {} : { steps }), ...made, example };
}

/** What a composed change does without an approval and with one. */
export const approvalRule =
  "Without confirm it reads and previews, and changes nothing. When the preview is approved, the same call with confirm reads again and sends the request only if it is the one that was previewed.";

/** A page as Markdown. */
export function workflowMarkdown(page: WorkflowPage): string {
  const { tool, title, does, input, steps, makes, example } = page;
  const lines = [
    `# ${tool}`,
    `${title} · ${compositionOf(page)}`,
    does,
    ...(makes === undefined ? [] : [approvalRule]),
    ...argumentsSection(input),
    ...(steps === undefined ? [] : ["## Steps", steps.map((step, index) => `${index + 1}. ${step}`).join("\n")]),
    ...exampleSection(example, input),
  ];
  return `${lines.join("\n\n")}\n`;
}

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
