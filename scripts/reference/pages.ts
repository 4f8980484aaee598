/** The reference of a service for people: each tool's arguments and answers as tables, with a request in plain words, the call, and what came of it on the emulator. */
import type { Arguments } from "../../src/api/conduct.js";
import type { Phrases } from "../../src/api/said.js";
import type { Service } from "../../src/api/service.js";
import type { AnyWorkflow } from "../../src/calls/workflow.js";
import type { ServiceName } from "../../src/tools/index.js";
import { type OperationPage, operationPage } from "../../src/tools/operation-page.js";
import { said } from "../../src/tools/said/index.js";
import { said as saidOfWorkflows } from "../../src/workflows/said.js";
import { approvalRule, compositionOf, workflowPage } from "../../src/workflows/workflow-page.js";
import { exampleNowMs } from "./fixed.js";
import { cell, code, fenced, prose } from "./markdown.js";
import type { Runs } from "./runs.js";
import { answerTable, argumentsTable, type Schema } from "./schema-table.js";

const mostLines = 24;
const mostCharacters = 300;
const widest = 100;

/** The first lines of an answer; each row of a table is a line, so none is cut in the middle unless it is very long. */
function shortened(text: string, most: number): string {
  const lines = text.trimEnd().split("\n");
  const shown = lines
    .slice(0, most)
    .map((line) => (line.length > mostCharacters ? `${line.slice(0, mostCharacters)} …` : line));
  const left = lines.length - most;
  return [...shown, ...(left > 0 ? [`… ${left} more ${left === 1 ? "line" : "lines"}`] : [])].join("\n");
}

const asks =
  /^(how|what|which|why|who|whose|where|when|is|are|was|were|did|does|has|have|can|will|should|do (I|we|you|they))\b/;

/** The first of some phrases as somebody would say it. */
function asPrompt(phrases: Phrases): string {
  const [first = ""] = phrases.split(";");
  const text = first.trim();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${asks.test(text) ? "?" : "."}`;
}

/** A value as JSON, each part of it on one line where it fits. */
function asJson(value: unknown, indent = ""): string {
  const line = JSON.stringify(value);
  if (typeof value !== "object" || value === null || line.length + indent.length <= widest) return line;
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((one) => asJson(one, deeper))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${asJson(one, deeper)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${parts.map((part) => deeper + part).join(",\n")}\n${indent}${close}`;
}

/** An example of a tool: what a person says, the call, and its result. */
async function example(tool: string, phrases: Phrases, declared: Arguments, runs: Runs): Promise<string[]> {
  const { args, text } = await runs.example(tool, declared);
  const isPreview = text?.startsWith("Approval is required.") === true;
  return [
    "### Example",
    `> ${prose(asPrompt(phrases))}`,
    `Call of \`${tool}\`:`,
    fenced("json", asJson(args)),
    ...(text === undefined
      ? ["Its answer comes from files that are made with the program, so it is not shown here."]
      : [
          isPreview ? "Preview, which changes nothing:" : "Answer:",
          fenced("text", shortened(text, isPreview ? 2 * mostLines : mostLines)),
        ]),
  ];
}

const list = (texts: readonly string[]): string => texts.map((text) => `- ${prose(text)}`).join("\n");
const section = (title: string, texts: readonly string[]): string[] =>
  texts.length === 0 ? [] : [`### ${title}`, list(texts)];

function answers({ answers: declared, formats, means, awaits }: OperationPage): string[] {
  const each = Object.entries(declared).flatMap(([status, { media, schema }]) => {
    const table = schema === undefined ? "" : answerTable(schema as Schema);
    return [prose(`**${status}** ${media.join(" or ")}`), ...(table === "" ? [] : [table])];
  });
  const then = awaits?.result === undefined ? "" : `, then call \`${awaits.result}\` when it is ready`;
  return [
    "### Answers",
    ...(formats ? [`\`format\` selects the format: ${formats.join(" or ")}.`] : []),
    ...each,
    ...Object.entries(means).map(([status, text]) => prose(`${status}: ${text}`)),
    ...(awaits ? [`Without \`wait\`: poll \`${awaits.status}\`${then}.`] : []),
  ];
}

const argumentsOf = (input: unknown): string[] => {
  const table = argumentsTable(input as Schema);
  return ["### Arguments", table === "" ? "None." : table];
};

async function operationSection(
  page: OperationPage,
  phrases: Phrases,
  declared: Arguments,
  runs: Runs,
): Promise<string> {
  const { tool, guard, effect, route, standing, does, needs, rules, errors, note } = page;
  const acts = guard === undefined ? effect : `${effect}, guarded as ${guard}: without \`confirm\` it only previews`;
  return [
    `## ${tool}`,
    `${code(route)} · ${acts} · ${standing}`,
    prose([does, needs].filter(Boolean).join(" ")),
    ...argumentsOf(page.input),
    ...answers(page),
    ...section("Rules", rules),
    ...section(
      "Errors",
      Object.entries(errors).map(([status, text]) => `${status}: ${text}`),
    ),
    ...(note === undefined ? [] : ["### Note", prose(note)]),
    ...(await example(tool, phrases, declared, runs)),
  ].join("\n\n");
}

/** The whole page: a line about each tool, then the tools. */
function wholePage(
  title: string,
  about: string,
  tools: readonly { name: string; does: string; effect: string }[],
  sections: readonly string[],
): string {
  const moment = new Date(exampleNowMs).toISOString().slice(0, 16).replace("T", " ");
  const lines = [
    "<!-- Generated by npm run generate; do not edit. -->",
    `# ${title}`,
    prose(about),
    `Examples were run on the emulator at ${moment} UTC; long answers are cut after a line. For programs, \`operation://{tool}\` and \`operation_describe\` have each tool's JSON schemas.`,
    [
      "| Tool | Effect | What it does |",
      "| --- | --- | --- |",
      ...tools.map(({ name, does, effect }) => `| [${name}](#${name}) | ${effect} | ${cell(does)} |`),
    ].join("\n"),
    ...sections,
  ];
  return `${lines.join("\n\n")}\n`;
}

const firstSentence = (text: string): string => /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/:$/, ".") ?? text;

/** The reference of a service. */
export async function servicePage(service: Service, runs: Runs): Promise<string> {
  const { operations: phrases } = said[service.name as ServiceName];
  const pages = Object.entries(service.operations).map(([tool, operation]) => ({
    page: operationPage(tool, operation, service, exampleNowMs),
    declared: operation.spec.example,
  }));
  const sections: string[] = [];
  for (const { page, declared } of pages)
    sections.push(await operationSection(page, phrases[page.tool] ?? "", declared, runs));
  const about = `${service.about} Document ${service.document}.`;
  const tools = pages.map(({ page: { tool, does, effect, guard } }) => ({
    name: tool,
    does: firstSentence(does),
    effect: guard === undefined ? effect : "guarded",
  }));
  return wholePage(service.title, about, tools, sections);
}

/** The reference of the tools that are made of several operations, or of none. */
export async function workflowsPage(
  workflows: readonly (readonly [string, AnyWorkflow])[],
  runs: Runs,
): Promise<string> {
  const phrases: Readonly<Record<string, Phrases>> = saidOfWorkflows.operations;
  const tools: { name: string; does: string; effect: string }[] = [];
  const sections: string[] = [];
  for (const [tool, declared] of workflows) {
    const page = workflowPage(tool, declared);
    const { title, does, input, steps = [], makes } = page;
    tools.push({ name: tool, does: firstSentence(does), effect: compositionOf(page) });
    const lines = [
      `## ${tool}`,
      `${title} · ${compositionOf(page)}`,
      prose(does),
      ...(makes === undefined ? [] : [approvalRule]),
      ...argumentsOf(input),
      ...(steps.length === 0 ? [] : ["### Steps", steps.map((step, at) => `${at + 1}. ${prose(step)}`).join("\n")]),
      ...(await example(tool, phrases[tool] ?? "", declared.example, runs)),
    ];
    sections.push(lines.join("\n\n"));
  }
  return wholePage(
    "Workflows",
    "Tools that are made of several operations, that prepare one change, or that serve all other tools.",
    tools,
    sections,
  );
}
