/** Small files in a private directory that several processes share: each is made whole, once, and never changed. */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { link, lstat, open, readdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hourMs } from "../../language/durations.js";
import { Failure } from "../../language/failure.js";
import {
  accessTo,
  isOpenDirectory,
  makeDirectory,
  type ProcessUser,
  processUser,
  syncDirectory,
} from "../../system/file-access.js";
import { damaged } from "./storage.js";

const maxFileBytes = 2_097_152;
const leftoverMs = hourMs;
const temporaryName = /^tmp_[A-Za-z0-9_-]{22}$/;

const inWords: Readonly<Record<string, string>> = {
  EACCES: "This user may not write there.",
  // What Windows says of a link on a file system like exFAT.
  EISDIR: "Its file system has no hard links.",
  EPERM: "This user may not write there, or its file system has no hard links.",
  ENOTSUP: "Its file system has no hard links.",
  ENOSYS: "Its file system has no hard links.",
  EROFS: "Its file system can only be read.",
  ENOSPC: "The disk is full.",
  EDQUOT: "The quota of this user is used up.",
  ENOTDIR: "A part of its path is not a directory.",
  ENOENT: "The system makes no directory there.",
};

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

/** A file's text; undefined when it is not there, `damaged` for anything but a file that the user alone can write, or use. */
async function textOf(path: string, user: ProcessUser, isPrivate: boolean): Promise<string | undefined> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    // A link is not followed, and a pipe does not wait for a writer.
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return codeOf(error) === "ENOENT" ? undefined : damaged;
  }
  try {
    const found = await handle.stat();
    const access = accessTo(found, user);
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
 * Opens a directory that only this user can write to; it is made when the first file is.
 * @throws Failure `not_allowed`, from every method, for a directory that cannot be used or that others can write to.
 */
export function privateDirectory(path: string, user = processUser()) {
  const unusable = (why: string): Failure =>
    new Failure("not_allowed", `The plans cannot be kept in ${JSON.stringify(path)}.`, {
      why: `${why} Without its plan no guarded call is made, and nothing was sent.`,
      next: "Correct that, or set --state-dir to a directory of your own, or to memory, and start again.",
    });
  /** Runs a step; an error of the file system becomes a Failure in our words. */
  const step = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      if (error instanceof Failure || (error as NodeJS.ErrnoException).syscall === undefined) throw error;
      throw unusable(inWords[codeOf(error)] ?? "The system does not let it be used.");
    }
  };

  /** Whether the directory is there; refuses one that is not this user's own. Its parent is checked as well: who can write there can replace it. */
  const isThere = async (): Promise<boolean> => {
    for (const one of [dirname(path), path]) {
      const found = await lstat(one).catch((error: unknown) => {
        if (codeOf(error) === "ENOENT") return undefined;
        throw error;
      });
      if (found === undefined) return false;
      if (!found.isDirectory()) throw unusable(`${JSON.stringify(one)} is a link, or not a directory.`);
      if (isOpenDirectory(found, user))
        throw unusable(`${JSON.stringify(one)} belongs to another user, or others can write to it.`);
    }
    return true;
  };

  const unlinked = (name: string): Promise<void> =>
    unlink(join(path, name)).catch((error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw error;
    });

  return {
    /** The names of its files; none where the directory has not been made yet. */
    names: (): Promise<readonly string[]> => step(async () => ((await isThere()) ? readdir(path) : [])),

    /** A file's text as `textOf` has it. @param how.isPrivate Whether this user alone may read it as well. */
    read: (name: string, how = { isPrivate: false }): Promise<string | undefined | typeof damaged> =>
      step(async () => ((await isThere()) ? textOf(join(path, name), user, how.isPrivate) : undefined)),

    /** Makes a file, on disk when it returns; false when it is there already. At most one process makes a name. */
    create: (name: string, text: string): Promise<boolean> =>
      step(async () => {
        makeDirectory(path, 0o700);
        if (!(await isThere())) throw unusable("It was removed while it was used.");
        const temporary = `tmp_${randomBytes(16).toString("base64url")}`;
        const handle = await open(join(path, temporary), "wx", 0o600);
        try {
          try {
            await handle.writeFile(text);
            await handle.sync();
          } finally {
            await handle.close();
          }
          // A link is made for one process alone, and what it names is whole: no reader ever sees half of a file.
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

    /** Removes a file, for good when it returns. */
    remove: (name: string): Promise<void> =>
      step(async () => {
        await unlinked(name);
        await syncDirectory(path, user.platform);
      }),

    /** Removes files that processes left unfinished, and those of the names given that have been there for long. */
    tidy: (strays: readonly string[]): Promise<void> =>
      step(async () => {
        for (const name of await readdir(path)) {
          if (!temporaryName.test(name) && !strays.includes(name)) continue;
          const found = await lstat(join(path, name)).catch(() => undefined);
          if (found && found.mtimeMs + leftoverMs < Date.now()) await unlinked(name);
        }
      }),
  };
}
