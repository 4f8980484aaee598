/** The tools that find and describe other tools, for assistants without access to resources. */
import { type Tools, workflow } from "../calls/workflow.js";
import type { ImportedTool } from "../definitions/library.js";
import { Failure, quoteValue } from "../language/failure.js";
import { introduction } from "../language/reading.js";
import { pageTool, searchTool } from "../language/server-tools.js";
import { z } from "../language/z.js";
import { invalidInput } from "../schema/arguments.js";
import { clauseOf } from "../text/clause.js";
import { didYouMean } from "../text/nearest.js";

const limits = { usual: 5, most: 20 };

const takes = 'a task in a few words, such as "clear the cache of a page"';

const aboutRows = `Unlisted tools: operation_EFFECT, such as operation_read. ${pageTool} has all arguments.`;

interface ToolRow {
  readonly tool: string;
  readonly effect: string;
  readonly needs?: string;
  readonly does?: string;
}

/** A tool in one line: its name, its effect here (the operator may have lowered an imported guard), what it needs and does. */
function lineOf({ tool, effect: usual, needs = "", does: rowText }: ToolRow, tools: Tools): string {
  const { imported, effect = usual } = tools.get(tool) ?? {};
  const does = rowText ?? (imported && clauseOf(imported.title));
  return `${tool} ${effect}(${needs})${does === undefined ? "" : `: ${does}`}`;
}

/** The failure of a search without matches. */
export const noMatchFailure = (query: string): Failure =>
  new Failure("not_found", `Nothing was found for ${quoteValue(query)}.`, {
    why: "None of its words is known here, or they are too general.",
    next: "Name the object (cache, certificate, DNS record, user, log, alert, property) and what to do with it, in English.",
  });

export const operationSearch = workflow({
  title: "Search for a tool",
  does: `Finds the tools for a task in plain words, with the arguments of each; also report types and resources.`,
  servesAllTools: true,
  input: z.strictObject({
    query: z.string().max(500).describe("The task, in the user's words"),
    limit: z.int().min(1).max(limits.most).default(limits.usual).describe("Maximum number of tools"),
  }),
  example: { query: "clear the cache of a page" },
  introduction: introduction`${searchTool} finds the tool for a task in plain words.`,

  async run({ query, limit }, { search, tools }) {
    if (query.trim() === "") throw invalidInput(searchTool, [{ field: "query", given: quoteValue(query), takes }]);
    const matches = (await search()).find(query, limit, (tool) => tools.has(tool));
    const { imported, tools: declaredTools, reports, resources } = matches;
    if (Object.values(matches).every((rows) => rows.length === 0)) throw noMatchFailure(query);
    return {
      tools: declaredTools.map((one) => lineOf(one, tools)),
      ...(imported.length === 0 ? {} : { imported: imported.map((one) => lineOf(one, tools)) }),
      ...(reports.length === 0 ? {} : { reports: reports.map(({ report, measures }) => `${report}: ${measures}`) }),
      ...(resources.length === 0 ? {} : { resources: resources.map(({ resource, title }) => `${resource}: ${title}`) }),
      ...(declaredTools.length + imported.length === 0 ? {} : { calls: aboutRows }),
    };
  },

  texts: ({ notes, tools, imported, reports, resources, calls }) => [
    Object.entries({ Notes: notes, "": tools, Imported: imported, Reports: reports, Resources: resources })
      .flatMap(([heading, lines]) =>
        Array.isArray(lines) && lines.length > 0 ? [...(heading === "" ? [] : [`${heading}:`]), ...lines] : [],
      )
      .concat(calls === undefined ? [] : String(calls))
      .join("\n"),
  ],
});

const noAnswers = (name: string): Failure =>
  invalidInput(pageTool, [
    { field: "answers", given: "true", takes: `nothing for ${name}: only responses of operations are declared` },
  ]);

/** A part of the arguments of an imported operation. */
async function describePart(imported: ImportedTool, pointer = "") {
  const { importedPage } = await import("../pages/imported-page.js");
  const page = importedPage(imported, pointer);
  if (page !== undefined) return { tool: imported.name, page };
  const takes = `a part of the arguments of ${imported.name}, such as ${imported.name}#/body`;
  throw invalidInput(pageTool, [{ field: "tool", given: quoteValue(`#${pointer}`), takes }]);
}

export const operationDescription = workflow({
  title: "Page of a tool",
  servesAllTools: true,
  does: "Returns a tool's page (arguments, rules, errors, example) or a service's guide. Use it when a schema refers to it.",
  input: z.strictObject({
    tool: z.string().min(1).max(300).describe("Tool or guide://SERVICE"),
    answers: z.boolean().optional().describe("true: responses instead"),
  }),
  example: { tool: "purge_submit" },
  introduction: introduction`${pageTool} returns a tool's page: arguments, rules, errors, example.`,

  async run({ tool, answers }, context) {
    const [named = "", pointer] = tool.split("#");
    const imported = pointer === undefined ? undefined : context.tools.get(named)?.imported;
    if (imported) return describePart(imported, pointer);
    const { toolPage } = await import("../pages/tool-page.js");
    const page = await toolPage(tool, context);
    if (page && !answers) return { tool, page: page.markdown };
    if (page?.answers !== undefined) return { tool, answers: page.answers };
    if (page) throw noAnswers(tool);
    const guides = await import("../pages/guide-page.js");
    const service = tool.replace(/^guide:\/\//, "");
    const guide = await guides.guidePage(service, context.tools);
    if (guide && answers) throw noAnswers(tool);
    if (guide) return { guide: guides.guideAddress(service), page: guide };
    const refusal = context.refusalOf(tool);
    if (refusal) throw refusal;
    const known = [...context.tools.keys(), ...guides.guidesFor(context.tools)];
    const takes = `the name of a tool or of a service${didYouMean(service, known)}`;
    throw invalidInput(pageTool, [{ field: "tool", given: quoteValue(tool), takes }]);
  },
});
