/** The tool that makes several calls of one tool, under one approval where they need one; it is a read where they are reads. */
import { invalidInput, ViewArgument } from "../arguments/index.js";
import { anyOperation, change } from "../calls/workflow.js";
import { shown } from "../language/failure.js";
import { didYouMean } from "../language/nearest.js";
import { batchTool } from "../language/own-tools.js";
import { z } from "../language/z.js";

const maxCalls = 50;

export const batch = change({
  title: "Batch of calls",
  servesAllTools: true,
  does: "Makes up to 50 calls of one tool in order, with one preview and approval where needed; view is of all their rows. Stops at the first unknown outcome.",
  input: z.strictObject({
    tool: z.string().describe("Of one API operation"),
    arguments: z.array(z.record(z.string(), z.unknown())).min(1).max(maxCalls).describe("Of each call"),
    view: ViewArgument.optional(),
  }),
  steps: [
    "Check every call before the first is sent; where some cannot be made, list what is wrong with each and send none.",
    "Where the tool needs an approval, preview all calls as one plan; calls that read need none, also on a read-only server.",
    "Make the calls one after the other, until one has an outcome that nobody knows.",
  ],
  example: {
    tool: "alert_definition_delete",
    arguments: [{ definitionId: "s@2071" }, { definitionId: "s@1623" }],
  },
  makes: anyOperation,
  holdsCalls: true,

  async compose({ tool, arguments: each, view }, { tools }) {
    const known = tools.get(tool);
    if (known === undefined || known.service === "workflows")
      throw invalidInput(batchTool, [
        {
          field: "tool",
          given: shown(tool),
          takes: `the name of a tool that is one API operation${didYouMean(tool, tools.keys())}`,
        },
      ]);
    return { tool, each, view, isGiven: true };
  },
});
