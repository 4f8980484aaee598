/** The tool that shows the rows of a kept result as a view asks for them, and explains what a view holds. */
import { View } from "../answers/view/schema.js";
import { viewTool } from "../api/own-tools.js";
import { z } from "../api/z.js";
import { answerViewed } from "../calls/row-view.js";
import { workflow } from "../calls/workflow.js";
import { bare, Handle, keptAt } from "./kept-handle.js";

export const resultView = workflow({
  title: "View of a kept result",
  does: "Selects, sorts, groups, adds up or compares rows of a kept result. The view of other tools has these members.",
  servesAllTools: true,
  // Its schema is longer than what the other tools leave of the short list's budget.
  isFrontLine: false,
  input: z.strictObject({ handle: Handle, ...View.shape }),
  steps: [
    "Find the rows of the kept result, or the list that rows names.",
    "Keep those of which where holds; for compare, read the period before with the call whose result it is.",
    "Group and add them up, or show the members that fields names, in the order of sort, the first as many as top says.",
  ],
  example: { handle: "AAAAAAAAAAAAAAAAAAAAAA", group_by: ["day(time)"], aggregate: ["sum(hits)", "max(hits)"] },

  introduction: `${viewTool} takes a view of one.`,

  async run({ handle, ...view }, { results, invoke }) {
    const kept = keptAt(results, handle, "handle");
    const whole = await results.whole(kept.content);
    const answer = { ...kept, content: JSON.parse(results.json(whole)) as unknown, at: [] };
    const { value, notes } = await answerViewed(viewTool, answer, view, invoke);
    return {
      handle: bare(handle),
      [Array.isArray(value) ? "rows" : "members"]: value,
      ...(notes.length === 0 ? {} : { notes }),
    };
  },
});
