/** The tools that find and describe other tools, for assistants without access to resources. */
import { invalidInput } from "../arguments/index.js";
import { workflow } from "../calls/workflow.js";
import { Failure, shown } from "../language/failure.js";
import { didYouMean } from "../language/nearest.js";
import { pageTool, searchTool } from "../language/own-tools.js";
import { introduction } from "../language/reading.js";
import { z } from "../language/z.js";

const limits = { usual: 5, most: 20 };

const takes = 'a task in a few words, such as "clear the cache of a page"';

const aboutRows =
  "An id comes from the tool after its arrow, and a name with ? is optional. A tool that is not listed is called through operation_ and its effect, such as operation_read.";
const aboutGuarded =
  "A guarded tool previews first; to make the change, repeat the call with confirm as the preview describes.";

/** The failure of a search without matches. */
export const nothingFound = (query: string): Failure =>
  new Failure("not_found", `Nothing was found for ${shown(query)}.`, {
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
    if (query.trim() === "") throw invalidInput(searchTool, [{ field: "query", given: shown(query), takes }]);
    const { tools: found, reports, resources } = (await search()).find(query, limit, (tool) => tools.has(tool));
    if (found.length + reports.length + resources.length === 0) throw nothingFound(query);
    return {
      tools: found,
      ...(reports.length === 0 ? {} : { reports }),
      ...(resources.length === 0 ? {} : { resources }),
      ...(found.length === 0
        ? {}
        : { calls: [aboutRows, ...(found.some(({ guarded }) => guarded) ? [aboutGuarded] : [])].join(" ") }),
      more: `${pageTool} has all arguments of a tool, its rules, its errors and an example; for a service, its guide.`,
    };
  },
});

const noAnswers = (name: string): Failure =>
  invalidInput(pageTool, [
    { field: "answers", given: "true", takes: `nothing for ${name}: only responses of operations are declared` },
  ]);

export const operationDescription = workflow({
  title: "Page of a tool",
  servesAllTools: true,
  does: "Returns a tool's page (arguments, rules, errors, example) or a service's guide. Use it when a schema refers to it.",
  input: z.strictObject({
    tool: z.string().min(1).max(64).describe("Tool or guide://SERVICE"),
    answers: z.boolean().optional().describe("true: responses instead"),
  }),
  example: { tool: "purge_submit" },
  introduction: introduction`${pageTool} returns a tool's page: arguments, rules, errors, example.`,

  async run({ tool, answers }, context) {
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
    const known = [...context.tools.keys(), ...guides.guidesFor(context.tools)];
    const takes = `the name of a tool or of a service${didYouMean(service, known)}`;
    throw invalidInput(pageTool, [{ field: "tool", given: shown(tool), takes }]);
  },
});
