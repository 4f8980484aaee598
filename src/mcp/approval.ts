/** Elicitation of an approval: the form, its message, and the signed state that ties a response to its plan. */
import { randomBytes } from "node:crypto";
import { createRequestStateCodec, type ServerContext } from "@modelcontextprotocol/server";
import { scrubbed } from "../answers/result.js";
import { type Preview, question } from "../guard/index.js";
import { ownerOf } from "./owner.js";

/** What travels through the client and back: only the plan's id, signed. */
export interface ApprovalState {
  readonly plan: string;
}

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

// Plans live in this process's memory, so a key that lives as long is enough.
const codec = createRequestStateCodec<ApprovalState>({
  key: randomBytes(32),
  ttlSeconds: 3_600,
  bind: ownerOf,
});
export const mintApproval = (state: ApprovalState, ctx: ServerContext): Promise<string> => codec.mint(state, ctx);
export const verifyApproval = codec.verify;

const maxLength = 1_500;

/**
 * The message of a question.
 * @param secrets The forms of the process's own secrets, which the message must not contain.
 * @param where Names the place of the whole preview; absent where there is none.
 */
export const approvalMessage = (preview: Preview, secrets: readonly string[], where?: string): string =>
  scrubbed(question(preview, maxLength, where), secrets);
