/** Texts that pass through the hands of others: sealed with AES-256-GCM, and valid only for what they were sealed for. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const algorithm = "aes-256-gcm";
const sizes = { nonce: 12, tag: 16 };

/**
 * Seals a text.
 * @param key A key of 32 bytes.
 * @param audience What the text is for, without which it cannot be opened.
 */
export function seal(text: string, key: Buffer, audience: string): Buffer {
  const nonce = randomBytes(sizes.nonce);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(audience));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Opens what was sealed; undefined if it was not sealed with this key and for this audience. */
export function unseal(bytes: Buffer, key: Buffer, audience: string): string | undefined {
  const [nonce, tag] = [bytes.subarray(0, sizes.nonce), bytes.subarray(sizes.nonce, sizes.nonce + sizes.tag)];
  try {
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: sizes.tag })
      .setAAD(Buffer.from(audience))
      .setAuthTag(tag);
    const sealed = bytes.subarray(sizes.nonce + sizes.tag);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
