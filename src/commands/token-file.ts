/** Reading a file of tokens, which its owner alone can read and write. */
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { Failure } from "../api/failure.js";
import { parseTokens, type TokenHolder } from "../mcp/http-tokens.js";

const usableByOthers = 0o077;

/**
 * Reads a file of tokens; the setting names a file so that no token is ever on a command line.
 * @param kind What each line's holder is, for those without a name.
 * @throws Failure `bad_configuration` when it cannot be read or used, or when other users can read it or write to it.
 */
export function readTokens(flag: string, path: string, kind: string): readonly TokenHolder[] {
  const read = (): { readonly text: string; readonly mode: number } => {
    // From one descriptor, so that what was checked is what is read.
    const file = openSync(path, "r");
    try {
      return { mode: fstatSync(file).mode, text: readFileSync(file, "utf8") };
    } finally {
      closeSync(file);
    }
  };
  let found: ReturnType<typeof read>;
  try {
    found = read();
  } catch {
    throw new Failure("bad_configuration", `${flag} ${path} cannot be read.`, { next: "Check its path and its mode." });
  }
  // Windows has no such modes: every file looks as if all could use it.
  if (process.platform !== "win32" && (found.mode & usableByOthers) !== 0)
    throw new Failure("bad_configuration", `Other users can read or write the file of ${flag}, ${path}.`, {
      why: "They could use a token that is in it, or add one of their own.",
      next: `Run chmod 600 ${path}. A file that is mounted gets mode 0400 or 0600, and this server's user as its owner, where it comes from.`,
    });
  return parseTokens(found.text, flag, kind);
}
