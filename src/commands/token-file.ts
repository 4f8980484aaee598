/** Reading a file of tokens, which its owner alone can read and write. */
import { parseTokens, type TokenHolder } from "../mcp/http/tokens.js";
import { processUser, readWithStatus, refuseOpenFile } from "../system/file-access.js";
import { refuse } from "./command.js";

/**
 * Reads a file of tokens; the setting names a file so that no token is ever on a command line.
 * @param kind What each line's holder is, for those without a name.
 * @throws Failure `bad_configuration` when it cannot be read or used, or when other users can read it or write to it.
 */
export function readTokens(flag: string, path: string, kind: string, user = processUser()): readonly TokenHolder[] {
  let found: ReturnType<typeof readWithStatus>;
  try {
    found = readWithStatus(path);
  } catch {
    refuse(`${flag} ${path} cannot be read.`, "Check its path and its permissions.");
  }
  refuseOpenFile(
    found.status,
    {
      path,
      what: `the file of ${flag}, ${path}`,
      forbids: "any use",
      why: "They could use a token that is in it, or add one of their own.",
      chmod: "600",
      further:
        "A file that is mounted gets mode 0400 or 0600, and this server's user as its owner, where it comes from.",
    },
    user,
  );
  return parseTokens(found.text, flag, kind);
}
