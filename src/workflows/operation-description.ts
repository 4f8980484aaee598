/** The page of a tool for assistants that are not shown resources: the same text, from the same declarations. */
import { invalidInput } from "../api/arguments.js";
import { shown } from "../api/failure.js";
import { didYouMean } from "../api/nearest.js";
import { pageTool } from "../api/own-tools.js";
import { z } from "../api/z.js";
import { workflow } from "../calls/workflow.js";
import { toolPage } from "./tool-page.js";

export const operationDescription = workflow({
  title: "Page of a tool",
  servesAllTools: true,
  does: "Returns a tool's page as Markdown: its whole argument schema, responses, rules, errors and an example. Read it where a listed schema says so.",
  input: z.strictObject({ tool: z.string().min(1).max(64).describe("Name of a tool") }),
  example: { tool: "purge_submit" },
  introduction: `${pageTool} returns a tool's page: schema, rules, errors, example.`,

  async run({ tool }, context) {
    const page = await toolPage(tool, context);
    if (page) return { tool, page: page.markdown };
    const takes = `the name of a tool${didYouMean(tool, context.tools.keys())}`;
    throw invalidInput(pageTool, [{ field: "tool", given: shown(tool), takes }]);
  },
});
