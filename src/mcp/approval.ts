/** Elicitation of an approval: the form and its message. */
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import { scrubbed } from "../answers/secret-forms.js";
import { type Preview, question } from "../guard/index.js";

/** The schema of an elicitation's form. */
export type ApprovalForm = ElicitRequestFormParams["requestedSchema"];

/**
 * A form with a required yes or no, and the target to be typed, both without a default that a client could fill in.
 * @param target What the user has to type, where a yes is not enough.
 */
export const approvalForm = (target?: string): ApprovalForm => ({
  type: "object",
  properties: {
    approve: {
      type: "boolean",
      title: "Do this now",
      description: "Yes makes the change shown above; no leaves everything as it is.",
    },
    ...(target === undefined
      ? {}
      : { target: { type: "string", title: "Target", description: `Type exactly: ${target}` } }),
  },
  required: target === undefined ? ["approve"] : ["approve", "target"],
});

/**
 * The message of a question.
 * @param secrets The forms of the process's own secrets, which the message must not contain.
 * @param where Names the place of the whole preview; absent where there is none.
 */
export const approvalMessage = (preview: Preview, secrets: readonly string[], where?: string): string =>
  scrubbed(question(preview, where), secrets);
