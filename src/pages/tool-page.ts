/**
 * The page of any tool, as data and as Markdown: for an operation its schemas, responses, rules and errors, for a
 * workflow its steps, and an example. This folder hides how declarations become text that is short enough to read. Pages
 * and guides are made from declarations and definitions only: no call is made for them, and they contain nothing of an
 * account.
 */
import { type AnyWorkflow, anyOperation, isChange, type Workflows } from "../calls/workflow.js";
import type { ImportedTool } from "../definitions/library.js";
import { bodySchema, formatsOf } from "../language/choice.js";
import type { JobPolling } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { aboutDestinations, effectOf, guardOf, isAboutDestinations } from "../language/effect.js";
import { hintFor, meaningOf, standingInWords, statusesExplained } from "../language/hint.js";
import { choiceOrMedia, mediaList } from "../language/media.js";
import { onceFor } from "../language/once-for.js";
import type { Service } from "../language/service.js";
import type { z } from "../language/z.js";
import { argumentsSchema } from "../schema/arguments.js";
import { jsonSchemaOf, type Schema } from "../schema/json-schema.js";
import { serviceOf } from "../tools/index.js";
import { resolvedExample } from "./example.js";
import { notationOf, partExamples } from "./notation.js";

export interface OperationPage {
  readonly tool: string;
  readonly service: string;
  readonly document: string;
  /** Whether the vendor still runs it. */
  readonly standing: string;
  readonly route: string;
  readonly does: string;
  readonly needs?: string;
  readonly effect: string;
  readonly guard?: string;
  /** When it is guarded, if that is not always. */
  readonly guardedWhere?: string;
  readonly input: unknown;
  readonly answers: Readonly<Record<string, { readonly media: readonly string[]; readonly schema?: unknown }>>;
  readonly formats?: readonly string[];
  readonly rules: readonly string[];
  /** The rules that every operation of the service has. */
  readonly rulesOfAll: readonly string[];
  readonly means: Readonly<Record<string, string>>;
  /** The tools that poll a launch and read its result. */
  readonly awaits?: { readonly status: string; readonly result?: string };
  readonly errors: Readonly<Record<string, string>>;
  readonly note?: string;
  readonly example: Readonly<Record<string, unknown>>;
}

const schemaOf = (schema: z.ZodType, io: "input" | "output"): unknown => {
  const { $schema: _, ...rest } = jsonSchemaOf(schema, io);
  return rest;
};

// With fewer operations, common rules cannot be determined.
const leastInCommon = 3;

/** The rules that every operation of a service has. */
const rulesOfAll = onceFor(({ operations, rules }: Service): readonly string[] => {
  const all = Object.values(operations);
  if (all.length < leastInCommon) return [];
  return Object.entries(rules).flatMap(([id, rule]) => (all.every(({ spec }) => spec.rules?.includes(id)) ? rule : []));
});

const pollingTools = ({ status, result }: JobPolling) => ({ status, ...(result === undefined ? {} : { result }) });

/** The complete declaration of an operation, in readable form. */
export function operationPage(tool: string, operation: AnyOperation, service: Service, nowMs: number): OperationPage {
  const { spec, route } = operation;
  const guard = guardOf(operation);
  const answers = Object.entries(spec.returns).map(([status, declared]) => {
    const media = mediaList(declared);
    const [first] = media;
    const hasBody = first !== undefined && first.codec !== "empty";
    // Each choice has its own schema; the formats that `format` selects have the same content.
    const schema = "choices" in choiceOrMedia(declared) ? bodySchema(media) : first?.schema;
    return [
      status,
      {
        media: media.map((one) => one.type || "no body"),
        ...(hasBody && schema ? { schema: schemaOf(schema, "output") } : {}),
      },
    ];
  });
  const formats = formatsOf(operation);
  return {
    tool,
    service: service.title,
    document: spec.document ?? service.document,
    standing: standingInWords(spec.standing ?? service.standing),
    route,
    does: spec.does,
    ...(spec.needs === undefined ? {} : { needs: spec.needs }),
    effect: effectOf(operation),
    ...(guard === undefined ? {} : { guard: guard.kind }),
    ...(isAboutDestinations(operation) ? { guardedWhere: aboutDestinations } : {}),
    input: schemaOf(argumentsSchema(operation), "input"),
    answers: Object.fromEntries(answers),
    ...(formats.length > 1 ? { formats } : {}),
    rules: (spec.rules ?? []).map((id) => service.rules[id] ?? id),
    rulesOfAll: rulesOfAll(service),
    means: Object.fromEntries(statusesExplained(spec, false).map((status) => [status, meaningOf(spec, status) ?? ""])),
    ...(spec.awaits?.status === undefined ? {} : { awaits: pollingTools(spec.awaits) }),
    errors: Object.fromEntries(statusesExplained(spec, true).map((status) => [status, hintFor(spec, status) ?? ""])),
    ...(spec.note === undefined ? {} : { note: spec.note }),
    example: resolvedExample(spec.example, nowMs),
  };
}

// Most services are alive, so a page only has a different standing.
const aliveText = standingInWords({ state: "alive" });

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** The arguments of a tool, with a heading; a sentence if it has none. */
export function argumentsSection(input: unknown): string[] {
  const text = notationOf(input as Schema);
  return ["## Arguments", text === "" ? "None." : fenced("", text)];
}

/** An example of a call, with a heading; for arguments with parts of several kinds, one of each. */
function exampleSection(example: unknown, input: unknown): string[] {
  const parts = partExamples(input as Schema).flatMap(({ at, examples }) => [
    `\`${at}\` of each kind:`,
    fenced("", examples.map((one) => JSON.stringify(one)).join("\n")),
  ]);
  return ["## Example", fenced("json", JSON.stringify(example)), ...parts];
}

/** The effect of a call, and whether it is previewed first. */
export function effectInWords({ effect, guard, guardedWhere }: OperationPage): string {
  if (guard === undefined) return effect;
  const where = guardedWhere === undefined ? "" : ` ${guardedWhere}`;
  return `${effect}, guarded as ${guard}${where}: without \`confirm\` it only previews`;
}

/** Distinct values with all of their statuses. */
function statusesByValue<T>(values: Readonly<Record<string, T>>): [statuses: string, value: T][] {
  const groups = new Map<string, [string[], T]>();
  for (const [status, value] of Object.entries(values)) {
    const key = JSON.stringify(value);
    groups.set(key, [[...(groups.get(key)?.[0] ?? []), status], value]);
  }
  return [...groups.values()].map(([statuses, value]) => [statuses.join(", "), value]);
}

export const listByStatus = (texts: Readonly<Record<string, string>>): string[] =>
  statusesByValue(texts).map(([statuses, text]) => `${statuses}: ${text}`);

/** How to poll a launch and read its result. */
export function pollingInWords({ awaits }: OperationPage): string[] {
  if (!awaits) return [];
  const then = awaits.result === undefined ? "" : `, then call \`${awaits.result}\` when it is ready`;
  return [`Without \`wait\`: poll \`${awaits.status}\`${then}.`];
}

/** A list with a heading; nothing if it is empty. */
export const section = (title: string, texts: readonly string[]): string[] =>
  texts.length === 0 ? [] : [`## ${title}`, texts.map((text) => `- ${text}`).join("\n")];

/**
 * A page as Markdown, without the rules of all operations of the service, which are in its guide. The arguments come
 * first and the example last, because a result that exceeds its budget is truncated at the end.
 */
export function operationMarkdown(page: OperationPage): string {
  const standing = page.standing === aliveText ? [] : [page.standing];
  const lines = [
    `# ${page.tool}`,
    [`\`${page.route}\``, page.service, effectInWords(page), ...standing].join(" · "),
    [page.does, page.needs].filter(Boolean).join(" "),
    ...argumentsSection(page.input),
    ...section("Answers", [...listByStatus(page.means), ...pollingInWords(page)]),
    ...section(
      "Rules",
      page.rules.filter((rule) => !page.rulesOfAll.includes(rule)),
    ),
    ...section("Errors", listByStatus(page.errors)),
    ...(page.note === undefined ? [] : ["## Note", page.note]),
    ...exampleSection(page.example, page.input),
  ];
  return `${lines.join("\n\n")}\n`;
}

/** The responses of an operation as Markdown, by status, equal ones once. */
function answersMarkdown({ tool, answers }: OperationPage): string {
  const each = statusesByValue(answers).flatMap(([statuses, { media, schema }]) => {
    const text = schema === undefined ? "" : notationOf(schema as Schema, true);
    const isKnown = text !== "" && text !== "any";
    return [`**${statuses}** ${media.join(" or ")}`, ...(isKnown ? [fenced("", text)] : [])];
  });
  return `${[`# Responses of ${tool}`, ...each].join("\n\n")}\n`;
}

interface WorkflowPage {
  readonly tool: string;
  readonly title: string;
  readonly does: string;
  readonly input: unknown;
  readonly steps?: readonly string[];
  /** The operation that a composed change calls, or the word for one that it selects. */
  readonly makes?: string;
  readonly example: Readonly<Record<string, unknown>>;
}

/** How a workflow or a composed change is made, in words. */
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

/** The complete declaration of a workflow or a composed change, in readable form. */
export function workflowPage(tool: string, declared: AnyWorkflow): WorkflowPage {
  const { title, does, input, steps, example } = declared;
  const schema = schemaOf(input, "input");
  const madeCall = isChange(declared) ? { makes: declared.makes } : {};
  return { tool, title, does, input: schema, ...(steps === undefined ? {} : { steps }), ...madeCall, example };
}

/** What a composed change does with and without an approval. */
export const approvalRule =
  "Without confirm it reads and previews, and changes nothing. After the approval, the same call with confirm reads again and sends the request only if it is the previewed one.";

function workflowMarkdown(page: WorkflowPage): string {
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

/** Access to the declarations of all tools by name. */
interface Declarations {
  readonly tools: ReadonlyMap<string, { readonly service: string; readonly imported?: ImportedTool }>;
  readonly workflows: Workflows;
}

interface ToolPage {
  readonly data: OperationPage | WorkflowPage;
  readonly markdown: string;
  /** The responses of an operation, as Markdown; workflows declare none. */
  readonly answers?: string;
}

/** The page of an imported operation, whose responses are not declared. */
async function importedToolPage(imported: ImportedTool): Promise<ToolPage> {
  const { importedPage } = await import("./imported-page.js");
  const { name, title, route } = imported;
  const data = { tool: name, title, does: `${title} (${route}).`, input: imported.schema(), example: {} };
  return { data, markdown: importedPage(imported) ?? "" };
}

/** Writes the page of a tool; undefined if there is no such tool. */
export async function toolPage(tool: string, { tools, workflows }: Declarations): Promise<ToolPage | undefined> {
  const entry = tools.get(tool);
  if (!entry) return undefined;
  if (entry.imported) return importedToolPage(entry.imported);
  const workflow = Object.hasOwn(workflows, tool) ? workflows[tool] : undefined;
  if (workflow) {
    const data = workflowPage(tool, await workflow());
    return { data, markdown: workflowMarkdown(data) };
  }
  const service = await serviceOf(entry.service);
  const operation = service?.operations[tool];
  if (!service || !operation) return undefined;
  const data = operationPage(tool, operation, service, Date.now());
  return { data, markdown: operationMarkdown(data), answers: answersMarkdown(data) };
}
