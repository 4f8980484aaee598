/**
 * Files and directories: which other users can use or change them, how to read their text, and how to create them. The
 * room hides the differences between platforms; access that a platform's modes do not determine counts as unknown.
 */
import { closeSync, fstatSync, mkdirSync, openSync, promises, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Failure } from "../language/failure.js";

export interface FileStatus {
  readonly mode: number;
  readonly uid: number;
}

/** The text of what a user wrote: UTF-8, or UTF-16 if it begins with that byte order mark. The mark is not part of the text. */
export function textIn(bytes: Uint8Array): string {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString("hex");
  const encoding = mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/**
 * Reads a file and its status from one descriptor, so that the checked file is the one that was read.
 * @throws the system's error.
 */
export function readWithStatus(path: string): { readonly text: string; readonly status: FileStatus } {
  const file = openSync(path, "r");
  try {
    return { status: fstatSync(file), text: textIn(readFileSync(file)) };
  } finally {
    closeSync(file);
  }
}

/** The user of a process, and the platform whose rules apply. */
export interface ProcessUser {
  readonly platform: NodeJS.Platform;
  /** Undefined if the system does not number its users. */
  readonly uid: number | undefined;
}

export const processUser = (): ProcessUser => ({ platform: process.platform, uid: process.getuid?.() });

/** The owner of a file, and the rights of others by its mode. */
export interface FileAccess {
  /** Root has access to everything anyway, so its ownership does not matter. */
  readonly owner: "self" | "root" | "other";
  /** Whether users other than the owner have any rights. */
  readonly canUse: boolean;
  readonly canWrite: boolean;
}

const anyRight = 0o077;
const writing = 0o022;

/** On Windows, access control lists determine access, and the bits of a mode are the same for nearly every file. */
export const isAccessKnown = (platform: NodeJS.Platform): boolean => platform !== "win32";

/** @returns Who has access to a file; undefined if the platform's modes do not determine it. */
export function fileAccessOf({ mode, uid }: FileStatus, user: ProcessUser): FileAccess | undefined {
  if (!isAccessKnown(user.platform)) return undefined;
  const isOfUser = user.uid === undefined || uid === user.uid;
  return {
    owner: isOfUser ? "self" : uid === 0 ? "root" : "other",
    canUse: (mode & anyRight) !== 0,
    canWrite: (mode & writing) !== 0,
  };
}

/** Whether a directory is unsafe for this process's files: another user, root included, owns it or can write to it. */
export function isOpenDirectory(found: FileStatus, user: ProcessUser): boolean {
  const access = fileAccessOf(found, user);
  return access !== undefined && (access.owner !== "self" || access.canWrite);
}

/** A file that this process relies on, and the consequences if others have access to it. */
interface ProtectedFile {
  readonly path: string;
  /** The file in a sentence: `the policy /etc/policy.yaml`. */
  readonly what: string;
  /** The access that other users must not have. */
  readonly forbids: "writing" | "any use";
  /** Whether another user may own it, who can then change it, such as the user who set it up. */
  readonly mayBelongToOthers?: boolean;
  /** What other users could do with it. */
  readonly why: string;
  /** The argument of chmod: `go-w` for a file that others may read. */
  readonly chmod: "600" | "go-w";
  /** What else to do. */
  readonly further?: string;
}

/** The commands that close a file to other users. */
export function howToClose(
  { path, chmod, mayBelongToOthers }: Pick<ProtectedFile, "path" | "chmod" | "mayBelongToOthers">,
  found: FileStatus,
  user: ProcessUser,
): string {
  const isForeign = fileAccessOf(found, user)?.owner === "other" && !mayBelongToOthers;
  return isForeign
    ? `It belongs to user ${found.uid}: run chown ${user.uid} ${path} and chmod ${chmod} ${path} as root, or use your own copy.`
    : `Run chmod ${chmod} ${path}.`;
}

/**
 * Refuses a file that other users can change, or one that they can use at all.
 * @throws Failure `bad_configuration` with the commands that close the file.
 */
export function refuseOpenFile(status: FileStatus, file: ProtectedFile, user: ProcessUser): void {
  const access = fileAccessOf(status, user);
  if (access === undefined) return;
  const isForeign = access.owner === "other" && !file.mayBelongToOthers;
  if (!isForeign && !(file.forbids === "writing" ? access.canWrite : access.canUse)) return;
  const can = file.forbids === "writing" ? "write to" : "read or write";
  const next = howToClose(file, status, user);
  throw new Failure("bad_configuration", `Other users can ${can} ${file.what}.`, {
    why: file.why,
    next: file.further === undefined ? next : `${next} ${file.further}`,
  });
}

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/**
 * Creates one directory.
 * @returns false if its parent does not exist.
 */
function makeOne(path: string, mode: number | undefined): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    if (isDirectory(path)) return true;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/**
 * Creates a directory and its missing parents; an existing one is not changed. Node's own recursive option retries a
 * directory as long as the system reports that its parent does not exist. Below /proc it does so for any directory, and
 * that option never ends. Here each is tried twice.
 * @throws the system's error; ENOENT if the parent exists and the system still does not create the directory.
 */
export function makeDirectory(path: string, mode?: number): void {
  const absolute = resolve(path);
  if (makeOne(absolute, mode)) return;
  const above = dirname(absolute);
  if (above !== absolute) makeDirectory(above, mode);
  if (makeOne(absolute, mode)) return;
  throw Object.assign(new Error(`The directory ${absolute} cannot be created.`), { code: "ENOENT", syscall: "mkdir" });
}

/**
 * Flushes changes of a directory to disk, so that they survive a power failure.
 * @throws the system's error.
 */
export async function syncDirectory(path: string, platform: NodeJS.Platform): Promise<void> {
  // Windows does not open a directory as a file, and writes its entries with the files.
  if (platform === "win32") return;
  const handle = await promises.open(path, "r");
  await handle.sync().finally(() => handle.close());
}
