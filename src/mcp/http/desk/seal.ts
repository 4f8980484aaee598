/** Sealing: what a browser keeps for the server can neither be read nor altered there, and expires. */
import { createHmac } from "node:crypto";
import { seal, unseal } from "../../../secrets/sealing.js";

/** What is sealed; one kind is never accepted as another. */
type SealKind = "session" | "sign-in";

export interface Seals {
  seal(kind: SealKind, value: object, expiresAtMs: number): string;
  /** The sealed value; undefined if the text was altered, is of another kind, or has expired. */
  open(kind: SealKind, text: string): object | undefined;
}

/** A key of its own, because tickets are signed with the one that it is derived from. */
const sealingKey = (key: Buffer): Buffer => createHmac("sha256", key).update("sealed").digest();

/** @param keys The present key and former ones, which all instances share. */
export function createSeals(now: () => number, keys: readonly [Buffer, ...Buffer[]]): Seals {
  return {
    seal: (kind, value, expiresAtMs) =>
      seal(JSON.stringify({ value, expiresAtMs }), sealingKey(keys[0]), kind).toString("base64url"),
    open(kind, text) {
      const sealed = Buffer.from(text, "base64url");
      for (const key of keys) {
        const found = unseal(sealed, sealingKey(key), kind);
        if (found === undefined) continue;
        // Only the server can have written it.
        const { value, expiresAtMs } = JSON.parse(found) as { readonly value: object; readonly expiresAtMs: number };
        return expiresAtMs > now() ? value : undefined;
      }
      return undefined;
    },
  };
}
