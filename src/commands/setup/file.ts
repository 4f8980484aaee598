/** Reads a client's file and replaces it atomically, with a backup copy, and with its mode and owner. */
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure } from "../../language/failure.js";
import { makeDirectory } from "../../system/file-access.js";
import { refuse } from "../command.js";

interface ClientFile {
  /** The file itself, if the client's path is a link to it. */
  readonly path: string;
  readonly text: string;
  /** Its content; undefined if the file does not exist yet. */
  readonly found?: { readonly bytes: Buffer; readonly mode: number; readonly uid: number; readonly gid: number };
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** These files contain secrets of other servers. */
const newFileMode = 0o600;

/**
 * Reads the file of a client.
 * @throws Failure `bad_configuration` if it exists but cannot be read, or is not valid text.
 */
export function readClientFile(path: string): ClientFile {
  try {
    if (!isThere(path)) return { path, text: "" };
  } catch {
    return refuse(`${path} cannot be looked up.`, "Check its directories and their permissions.");
  }
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    return refuse(`${path} is a link to a file that does not exist.`, "Create that file, or remove the link.");
  }
  const { mode, uid, gid } = statSync(real);
  let bytes: Buffer;
  try {
    bytes = readFileSync(real);
  } catch {
    return refuse(`${path} cannot be read.`, "Check that it is a file, and its permissions.");
  }
  let text: string;
  try {
    // A byte order mark at the start is kept.
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refuse(`${path} is not UTF-8; it was not changed.`, "Save it as UTF-8, and run this again.");
  }
  return { path: real, text, found: { bytes, mode: mode & 0o7777, uid, gid } };
}

/** Writes a new file that only its owner can access, until it gets its final mode and owner. */
function writeNew(path: string, content: string | Buffer, { found: existing }: ClientFile): void {
  const file = openSync(path, "wx", newFileMode);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  const { uid } = statSync(path);
  if (existing && existing.uid !== uid) chownSync(path, existing.uid, existing.gid);
  chmodSync(path, existing?.mode ?? newFileMode);
}

/** Whether the file is unchanged since it was read. */
function isUnchanged({ path, found }: ClientFile): boolean {
  return found ? isThere(path) && readFileSync(path).equals(found.bytes) : !isThere(path);
}

/**
 * Replaces a client's file.
 * @param now The time for the copy's name, in milliseconds.
 * @returns The path of the copy; undefined if there was no file to copy.
 * @throws Failure `bad_configuration` if it cannot be written or has changed; then it is left unchanged.
 */
export function replaceClientFile(
  file: ClientFile,
  text: string,
  now: number,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const { path, found: existing } = file;
  // Replacing a file only needs permissions on its directory, but a read-only file is not meant to be changed.
  if (existing && (existing.mode & 0o222) === 0)
    return refuse(
      `${path} is read-only; it was not changed.`,
      platform === "win32" ? `Run attrib -r "${path}".` : `Run chmod u+w ${path}.`,
    );
  const stamp = new Date(now).toISOString().replaceAll(/[:.]/g, "-");
  const copy = existing && `${path}.${stamp}.bak`;
  const unfinished = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    makeDirectory(dirname(path));
    writeNew(unfinished, text, file);
    if (!isUnchanged(file))
      return refuse(`${path} was changed by another program in the meantime.`, "Close the client, and run this again.");
    if (copy !== undefined) writeNew(copy, existing?.bytes ?? "", file);
    renameSync(unfinished, path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    return refuse(
      `${path} cannot be written; it was not changed.`,
      // Windows does not replace files that another program has open.
      platform === "win32"
        ? "Close the client, check the permissions of its directory and the space on the disk, and run this again."
        : "Check the permissions of its directory, and the space on the disk.",
    );
  } finally {
    rmSync(unfinished, { force: true });
  }
  return copy;
}
