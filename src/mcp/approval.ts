/** Elicitation of an approval: the form and its message. */
import { textTo } from "../answers/budget.js";
import { scrubbed } from "../answers/result.js";
import { onOneLine } from "../answers/visible.js";
import type { Preview } from "../guard/index.js";

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
 * The message, leading with what would change. Values from outside are quoted, on one line, and
 * invisible characters in them are shown as marks.
 * @param secrets The forms of the process's own secrets, which the message must not contain.
 */
export function approvalMessage(preview: Preview, secrets: readonly string[]): string {
  const lines = [
    preview.summary,
    `Account: ${preview.account}${preview.network === undefined ? "" : `; network: ${preview.network}`}`,
    `Request: ${preview.request.method} ${preview.request.path}`,
    ...(preview.count === undefined ? [] : [`Objects: ${preview.count}`]),
    `With: ${JSON.stringify(preview.arguments)}`,
    ...(preview.sample ?? []).map((item) => `  ${JSON.stringify(item)}`),
    ...(preview.changes ?? []).map((change) => `Change at ${JSON.stringify(change)}`),
    ...(preview.current === undefined ? [] : [`Now: ${JSON.stringify(preview.current)}`]),
  ];
  const text = scrubbed(lines.map(onOneLine).join("\n"), secrets);
  return text.length > maxLength ? `${textTo(text, maxLength - 20)}… (shortened)` : text;
}
