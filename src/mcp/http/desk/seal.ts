/** Sealing: what a browser keeps for the server can neither be read nor altered there, and expires. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";

/** What is sealed; one kind is never accepted as another. */
type Kind = "session" | "sign-in";

export interface Seals {
  seal(kind: Kind, value: object, expiresAtMs: number): string;
  /** The sealed value; undefined if the text was altered, is of another kind, or has expired. */
  open(kind: Kind, text: string): object | undefined;
}

const nonceBytes = 12;
const tagBytes = 16;

const keyFor = (key: Buffer, kind: Kind): Buffer => createHmac("sha256", key).update(`sealed ${kind}`).digest();

/** The text under one key; undefined if it was not sealed with it. */
function opened(key: Buffer, sealed: Buffer): string | undefined {
  if (sealed.length < nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

/** @param keys The present key and former ones, which all instances share. */
export function createSeals(now: () => number, keys: readonly [Buffer, ...Buffer[]]): Seals {
  return {
    seal(kind, value, expiresAtMs) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", keyFor(keys[0], kind), nonce);
      const text = [cipher.update(JSON.stringify({ value, expiresAtMs }), "utf8"), cipher.final()];
      return Buffer.concat([nonce, ...text, cipher.getAuthTag()]).toString("base64url");
    },
    open(kind, text) {
      const sealed = Buffer.from(text, "base64url");
      for (const key of keys) {
        const found = opened(keyFor(key, kind), sealed);
        if (found === undefined) continue;
        // Only the server can have written it.
        const { value, expiresAtMs } = JSON.parse(found) as { readonly value: object; readonly expiresAtMs: number };
        return expiresAtMs > now() ? value : undefined;
      }
      return undefined;
    },
  };
}
