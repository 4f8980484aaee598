/** The policy file on the disk: read once, and only when nobody but its owner can have written it. */
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { Failure } from "../api/failure.js";
import { type KnownTools, readPolicy } from "./read.js";
import type { Policy } from "./rule.js";

const maxBytes = 1_048_576;
const othersCanWrite = 0o022;

const unusable = (what: string, next: string): Failure => new Failure("bad_configuration", what, { next });

/** The bytes of the file, from one descriptor, so that what was checked is what is read. */
function bytesOf(path: string): Buffer {
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
    // Windows has no such modes: every file looks as if all could write to it.
    if (process.platform !== "win32" && (about.mode & othersCanWrite) !== 0)
      throw unusable(
        `The policy ${path} can be written by others than its owner.`,
        `Run chmod go-w ${path}, after looking at what is in it.`,
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
export function loadPolicy(path: string, tools: KnownTools): Policy {
  const bytes = bytesOf(path);
  const hash = createHash("sha256").update(bytes).digest("hex");
  return { ...readPolicy(bytes.toString("utf8"), path, tools), hash };
}
