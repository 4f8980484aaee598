/**
 * Small files in a private directory shared by several processes: each is written once, atomically, and never changed.
 */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { link, lstat, open, readdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "../language/failure.js";
import { hourMs } from "../time/durations.js";
import {
  fileAccessOf,
  isOpenDirectory,
  makeDirectory,
  type ProcessUser,
  processUser,
  syncDirectory,
} from "./file-access.js";

/** In place of the text of a file that is no file, or that others can change. */
export const damaged = "damaged";

const maxFileBytes = 2_097_152;
const leftoverMs = hourMs;
const temporaryName = /^tmp_[A-Za-z0-9_-]{22}$/;

const inWords: Readonly<Record<string, string>> = {
  EACCES: "This user cannot write there.",
  // The error of Windows for links on file systems like exFAT.
  EISDIR: "Its file system has no hard links.",
  EPERM: "This user cannot write there, or the file system has no hard links.",
  ENOTSUP: "Its file system has no hard links.",
  ENOSYS: "Its file system has no hard links.",
  EROFS: "The file system is read-only.",
  ENOSPC: "The disk is full.",
  EDQUOT: "This user's disk quota is used up.",
  ENOTDIR: "A part of its path is not a directory.",
  ENOENT: "The system does not allow a directory there.",
};

/** What a directory holds, and what needs it, for failures. */
interface DirectoryPurpose {
  readonly what: string;
  readonly need: string;
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

/**
 * The text of a file; undefined if it does not exist, `damaged` if it is not a file that only the user can write (or
 * use).
 */
async function textOf(path: string, user: ProcessUser, isPrivate: boolean): Promise<string | undefined> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    // Links are not followed, and a pipe does not block.
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return codeOf(error) === "ENOENT" ? undefined : damaged;
  }
  try {
    const found = await handle.stat();
    const access = fileAccessOf(found, user);
    const isOpen = access && (access.owner !== "self" || (isPrivate ? access.canUse : access.canWrite));
    if (!found.isFile() || found.size > maxFileBytes || isOpen) return damaged;
    return await handle.readFile("utf8");
  } catch {
    return damaged;
  } finally {
    await handle.close();
  }
}

/**
 * Opens a directory that only this user can write to; it is created with the first file.
 * @param purpose What it holds, for the failure.
 * @throws Failure `not_allowed`, from every method, if the directory cannot be used or others can write to it.
 */
export function privateDirectory(path: string, purpose: DirectoryPurpose, user = processUser()) {
  const unusable = (why: string): Failure =>
    new Failure("not_allowed", `${purpose.what} cannot be stored in ${JSON.stringify(path)}.`, {
      why: `${why} ${purpose.need}, so nothing was sent.`,
      next: "Correct that, or set --state-dir to another directory, or to memory, and start again.",
    });
  /** Runs a step; a file system error becomes a Failure with our own text. */
  const step = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      if (error instanceof Failure || (error as NodeJS.ErrnoException).syscall === undefined) throw error;
      throw unusable(inWords[codeOf(error)] ?? "The system does not allow it.");
    }
  };

  /**
   * Whether the directory exists; refuses one that others can change. Its parent is checked as well, because anyone who
   * can write there can replace it.
   */
  const isThere = async (): Promise<boolean> => {
    for (const directory of [dirname(path), path]) {
      const status = await lstat(directory).catch((error: unknown) => {
        if (codeOf(error) === "ENOENT") return undefined;
        throw error;
      });
      if (status === undefined) return false;
      if (!status.isDirectory()) throw unusable(`${JSON.stringify(directory)} is a link, or not a directory.`);
      if (isOpenDirectory(status, user))
        throw unusable(`${JSON.stringify(directory)} belongs to another user, or others can write to it.`);
    }
    return true;
  };

  const unlinked = (name: string): Promise<void> =>
    unlink(join(path, name)).catch((error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw error;
    });

  return {
    /** The names of its files; empty if the directory does not exist yet. */
    names: (): Promise<readonly string[]> => step(async () => ((await isThere()) ? readdir(path) : [])),

    /**
     * The text of a file, as `textOf` returns it.
     * @param how.isPrivate Whether other users must not be able to read it.
     */
    read: (name: string, how = { isPrivate: false }): Promise<string | undefined | typeof damaged> =>
      step(async () => ((await isThere()) ? textOf(join(path, name), user, how.isPrivate) : undefined)),

    /** Creates a file, on disk when it returns; false if it already exists. At most one process creates a name. */
    create: (name: string, text: string): Promise<boolean> =>
      step(async () => {
        makeDirectory(path, 0o700);
        if (!(await isThere())) throw unusable("It was removed while it was in use.");
        const temporary = `tmp_${randomBytes(16).toString("base64url")}`;
        const handle = await open(join(path, temporary), "wx", 0o600);
        try {
          try {
            await handle.writeFile(text);
            await handle.sync();
          } finally {
            await handle.close();
          }
          // Linking succeeds for one process only, and the linked file is complete, so that no reader sees half of a
          // file.
          await link(join(path, temporary), join(path, name));
        } catch (error) {
          if (codeOf(error) === "EEXIST") return false;
          throw error;
        } finally {
          await unlinked(temporary);
        }
        await syncDirectory(path, user.platform);
        return true;
      }),

    /** Removes a file, on disk when it returns. */
    remove: (name: string): Promise<void> =>
      step(async () => {
        await unlinked(name);
        await syncDirectory(path, user.platform);
      }),

    /** Removes unfinished files of other processes, and old files with the given names. */
    tidy: (strays: readonly string[]): Promise<void> =>
      step(async () => {
        for (const name of await readdir(path)) {
          if (!temporaryName.test(name) && !strays.includes(name)) continue;
          const status = await lstat(join(path, name)).catch(() => undefined);
          if (status && status.mtimeMs + leftoverMs < Date.now()) await unlinked(name);
        }
      }),
  };
}
