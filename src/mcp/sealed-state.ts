/** The state that travels through a client while its user is asked: sealed, so that the client can neither read nor alter it. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { ServerContext } from "@modelcontextprotocol/server";
import { ownerOf } from "./owner.js";

/** The plan that the question is about, and the profile in which it was asked. */
export interface ApprovalState {
  readonly plan: string;
  readonly profile?: string | undefined;
}

const algorithm = "aes-256-gcm";
const sizes = { nonce: 12, tag: 16 };
// A question lives no longer than the process that asked it; its plan may.
const key = randomBytes(32);

/** Who is asked and for which method is authenticated with the state, so that it holds for no one else. */
const audience = (ctx: ServerContext): Buffer => Buffer.from(JSON.stringify([ctx.mcpReq.method, ownerOf(ctx)]));

/** Seals the state for the client that made a request. */
export function sealed({ plan, profile }: ApprovalState, ctx: ServerContext): string {
  const nonce = randomBytes(sizes.nonce);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(audience(ctx));
  const text = Buffer.concat([cipher.update(JSON.stringify({ plan, profile }), "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url");
}

/**
 * Opens a state that came back.
 * @throws Error for anything that `sealed` did not make for this client; the SDK answers it without the error's text.
 */
export function unsealed(state: string, ctx: ServerContext): ApprovalState {
  const bytes = Buffer.from(state, "base64url");
  // Decoding skips what is no base64url, so that two texts could mean the same state.
  if (bytes.toString("base64url") !== state) throw new Error("The state is not as it was written.");
  const [nonce, tag] = [bytes.subarray(0, sizes.nonce), bytes.subarray(sizes.nonce, sizes.nonce + sizes.tag)];
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: sizes.tag })
    .setAAD(audience(ctx))
    .setAuthTag(tag);
  const text = bytes.subarray(sizes.nonce + sizes.tag);
  return JSON.parse(Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8")) as ApprovalState;
}
