/** The page of a tool, or the guide of a service, for assistants that are not shown resources: the same text as there. */
import { invalidInput } from "../arguments/index.js";
import { workflow } from "../calls/workflow.js";
import { type Failure, shown } from "../language/failure.js";
import { didYouMean } from "../language/nearest.js";
import { pageTool } from "../language/own-tools.js";
import { introduction } from "../language/reading.js";
import { z } from "../language/z.js";
import { toolPage } from "../pages/tool-page.js";

const noAnswers = (name: string): Failure =>
  invalidInput(pageTool, [
    { field: "answers", given: "true", takes: `nothing for ${name}: only what an operation answers is declared` },
  ]);

export const operationDescription = workflow({
  title: "Page of a tool",
  servesAllTools: true,
  does: "Returns a tool's page (arguments, rules, errors, example) or a service's guide. Read it where a schema says so.",
  input: z.strictObject({
    tool: z.string().min(1).max(64).describe("Tool or guide://SERVICE"),
    answers: z.boolean().optional().describe("true: answers instead"),
  }),
  example: { tool: "purge_submit" },
  introduction: introduction`${pageTool} returns a tool's page: arguments, rules, errors, example.`,

  async run({ tool, answers }, context) {
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
