/** The secret directory: files that a secret is written to once, or read from, and that no one but this user can read. */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Failure, shown } from "../api/failure.js";
import type { SecretProblem } from "../api/secret-files.js";

/** A new file for one secret. */
export interface SecretFile {
  readonly path: string;
  /** Writes the secret, on disk when it returns; false when that fails. */
  write(secret: string): Promise<boolean>;
  /** Removes the file, into which nothing was written. */
  discard(): Promise<void>;
}

export interface SecretFiles {
  /**
   * Makes an empty file that was not there before and that its owner alone can read.
   * @throws Failure `not_allowed` when none can be made.
   */
  create(tool: string): Promise<SecretFile>;
  /** The text of a file, without its last line end; or what it has to be instead. */
  read(name: string): Promise<string | SecretProblem>;
}

const maxBytes = 4_096;
const usableByOthers = 0o077;
const writableByOthers = 0o022;

const isSystemError = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall !== undefined;

/** Whether somebody else owns it or has one of the rights, where the system has users. */
function isOpenToOthers(found: { readonly uid: number; readonly mode: number }, rights: number): boolean {
  const uid = process.getuid?.();
  return uid !== undefined && (found.uid !== uid || (found.mode & rights) !== 0);
}

/** Why a directory cannot hold secrets; undefined for one that can, and for one that is not there yet. */
async function problemOf(dir: string): Promise<string | undefined> {
  const found = await lstat(dir).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  if (!found.isDirectory()) return "It is a link, or not a directory.";
  return isOpenToOthers(found, writableByOthers) ? "It belongs to another user, or others can write to it." : undefined;
}

/** @param dir The directory; undefined where none is set, so that there can be no files. */
export function secretFiles(dir: string | undefined): SecretFiles {
  const unusable = (why: string): Failure =>
    new Failure("not_allowed", `The secret that this call returns cannot be kept in ${shown(dir ?? "a file")}.`, {
      why: `${why} A secret is never shown, so without a file for it the call is not made, and nothing was sent.`,
      next: "Ask the operator to set --secret-dir to a directory that this server's user alone can write to.",
    });
  return {
    async create(tool) {
      if (dir === undefined) throw unusable("With --state-dir memory there is none unless --secret-dir names one.");
      const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
      const path = join(dir, `${tool}-${time}-${randomBytes(6).toString("hex")}`);
      try {
        await mkdir(dir, { recursive: true, mode: 0o700 });
        const problem = await problemOf(dir);
        if (problem !== undefined) throw unusable(problem);
        // Never a file that is there already, and never what a link points to.
        const handle = await open(path, "wx", 0o600);
        return {
          path,
          async write(secret) {
            try {
              await handle.writeFile(secret);
              await handle.sync();
              return true;
            } catch (error) {
              if (!isSystemError(error)) throw error;
              return false;
            } finally {
              await handle.close();
            }
          },
          async discard() {
            await handle.close();
            await unlink(path).catch(() => undefined);
          },
        };
      } catch (error) {
        if (error instanceof Failure || !isSystemError(error)) throw error;
        throw unusable("The system does not let a file be made there.");
      }
    },

    async read(name) {
      const where = `a file in the secret directory${dir === undefined ? ", which --secret-dir sets" : ""}`;
      if (dir === undefined) return { takes: where };
      try {
        if ((await problemOf(dir)) !== undefined)
          return { takes: `${where}, which has to be this server's user's own and not writable by others` };
        // A link is not followed, and a pipe does not wait for a writer.
        const handle = await open(join(dir, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
        try {
          const found = await handle.stat();
          if (!found.isFile() || found.size > maxBytes) return { takes: `${where} of at most ${maxBytes} bytes` };
          if (isOpenToOthers(found, usableByOthers))
            return { takes: `${where} that belongs to this server's user and has mode 0600` };
          const text = (await handle.readFile("utf8")).replace(/\r?\n$/, "");
          const isOneLine = text !== "" && !/[\p{Cc}\ufffd]/u.test(text);
          return isOneLine ? text : { takes: `${where} with one line of text, and nothing else in it` };
        } finally {
          await handle.close();
        }
      } catch (error) {
        if (!isSystemError(error)) throw error;
        return { takes: `${where} that is there and can be read` };
      }
    },
  };
}
