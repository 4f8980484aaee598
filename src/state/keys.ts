/** The keys that protect what leaves the process: hashes of plans, sealed questions, tickets, and audit heads. */
import { createHmac, randomBytes } from "node:crypto";
import { Failure } from "../language/failure.js";
import { lazily } from "../language/once-for.js";
import { processUser, readWithStatus, refuseOpenFile } from "../system/file-access.js";

type KeyPurpose = "plans" | "question" | "tickets" | "audit";

/** Keys by purpose, each derived separately, so that what is signed for one purpose means nothing for another. */
export interface StateKeys {
  /** The current key first; what others made under a former key is still accepted. */
  of(purpose: KeyPurpose): readonly [Buffer, ...Buffer[]];
}

const deriveKey = (secret: Buffer, purpose: KeyPurpose): Buffer =>
  createHmac("sha256", secret).update(`edgewise ${purpose}`).digest();

/** Keys derived from secrets, the current one first. */
export function keysFrom([current, ...former]: readonly [Buffer, ...Buffer[]]): StateKeys {
  return { of: (purpose) => [deriveKey(current, purpose), ...former.map((one) => deriveKey(one, purpose))] };
}

/** Keys of this process, created on first use and stored nowhere, so that what they protect ends with the process. */
export function processKeys(): StateKeys {
  const createdKeys = lazily(() => keysFrom([randomBytes(32)]));
  return { of: (purpose) => createdKeys().of(purpose) };
}

const keyPattern = /^[0-9a-f]{64,}$/i;

/**
 * Reads the keys that all instances share: one per line, the current one first, then those that are still accepted.
 * @throws Failure `bad_configuration` if the file cannot be read or used, or if other users can use it.
 */
export function readKeys(path: string): StateKeys {
  const unusable = (why: string): never => {
    throw new Failure("bad_configuration", `The file of --store-key-file, ${path}, has no usable key.`, {
      why,
      next: "Write the output of openssl rand -hex 32 into it, the same for all instances; to change the key, put the new one on the line above.",
    });
  };
  let keyFile: ReturnType<typeof readWithStatus>;
  try {
    keyFile = readWithStatus(path);
  } catch {
    return unusable("It cannot be read.");
  }
  refuseOpenFile(
    keyFile.status,
    {
      path,
      what: `the file of --store-key-file, ${path}`,
      forbids: "any use",
      why: "They could approve plans with its key.",
      chmod: "600",
    },
    processUser(),
  );
  const lines = keyFile.text.split(/\r?\n/).map((line) => line.trim());
  const keys = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (!keys.every((line) => keyPattern.test(line) && new Set(line).size > 5))
    unusable("A line of it is not a random key of at least 64 hexadecimal digits.");
  const [current, ...former] = keys.map((line) => Buffer.from(line, "hex"));
  return current === undefined ? unusable("It is empty.") : keysFrom([current, ...former]);
}
