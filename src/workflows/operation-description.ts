/** The page of a tool, or the guide of a service, for assistants that are not shown resources: the same text as there. */
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
  does: "Returns a tool's page as Markdown: its whole argument schema, responses, rules, errors and an example. Read it where a listed schema says so. Of a service: its guide.",
  input: z.strictObject({ tool: z.string().min(1).max(64).describe("Name of a tool, or guide://SERVICE") }),
  example: { tool: "purge_submit" },
  introduction: `${pageTool} returns a tool's page: schema, rules, errors, example.`,

  async run({ tool }, context) {
    const page = await toolPage(tool, context);
    if (page) return { tool, page: page.markdown };
    const guides = await import("./guide-page.js");
    const service = tool.replace(/^guide:\/\//, "");
    const guide = await guides.guidePage(service, context.tools);
    if (guide) return { guide: guides.guideAddress(service), page: guide };
    const known = [...context.tools.keys(), ...guides.guidesFor(context.tools)];
    const takes = `the name of a tool or of a service${didYouMean(service, known)}`;
    throw invalidInput(pageTool, [{ field: "tool", given: shown(tool), takes }]);
  },
});
