/** Elicitation of an approval: the form and its message. */
import { scrubbed } from "../answers/result.js";
import { type Preview, question } from "../guard/index.js";

/** A required yes or no, without a default that a client could fill in. */
export const approvalForm = {
  type: "object" as const,
  properties: {
    approve: {
      type: "boolean" as const,
      title: "Do this now",
      description: "Yes makes the change shown above; no leaves everything as it is.",
    },
  },
  required: ["approve"],
};

const maxLength = 1_500;

/**
 * The message of a question.
 * @param secrets The forms of the process's own secrets, which the message must not contain.
 * @param where Names the place of the whole preview; absent where there is none.
 */
export const approvalMessage = (preview: Preview, secrets: readonly string[], where?: string): string =>
  scrubbed(question(preview, maxLength, where), secrets);
