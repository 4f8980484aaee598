/** The policy file on the disk: read once, and only when no other user can have written it. */
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { Failure } from "../api/failure.js";
import { type ProcessUser, processUser, refuseOpenFile } from "../api/file-access.js";
import { type KnownTools, readPolicy } from "./read.js";
import type { Policy } from "./rule.js";

const maxBytes = 1_048_576;

const unusable = (what: string, next: string): Failure => new Failure("bad_configuration", what, { next });

/** The bytes of the file, from one descriptor, so that what was checked is what is read. */
function bytesOf(path: string, user: ProcessUser): Buffer {
  let file: number;
  try {
    // Without blocking, because opening a pipe would wait for whoever writes to it.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    throw unusable(`The policy ${path} cannot be read.`, "Correct --policy, or make the file readable for this user.");
  }
  try {
    const about = fstatSync(file);
    if (!about.isFile() || about.size > maxBytes)
      throw unusable(`The policy ${path} is no file of at most ${maxBytes} bytes.`, "Name the YAML file itself.");
    refuseOpenFile(
      about,
      {
        path,
        what: `the policy ${path}`,
        forbids: "writing",
        // It is best given to somebody whose files an assistant's shell cannot change.
        mayBelongToOthers: true,
        why: "They could allow what it denies, and have calls go without approvals.",
        chmod: "go-w",
        further: "Look at what is in it first.",
      },
      user,
    );
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Loads the policy of a process; a change of the file has no effect until the next start.
 * @throws Failure `bad_configuration` when the file cannot be read, can be written by others, or says something unknown.
 */
export function loadPolicy(path: string, tools: KnownTools, user = processUser()): Policy {
  const bytes = bytesOf(path, user);
  const hash = createHash("sha256").update(bytes).digest("hex");
  return { ...readPolicy(bytes.toString("utf8"), path, tools), hash };
}
