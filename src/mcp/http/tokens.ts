/** Token files: one named token a line, in a file that its owner alone can read and write; and who holds the token that a request carries. */
import { createHash, timingSafeEqual } from "node:crypto";
import { Failure } from "../../language/failure.js";
import { processUser, readWithStatus, refuseOpenFile } from "../../system/file-access.js";
import { anonymous } from "../owner.js";

/** A token and the name of who holds it. */
export interface TokenHolder {
  readonly name: string;
  readonly token: string;
}

const minLength = 32;
const minDistinct = 6;
const minFresh = 20;
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Why a token can be guessed; undefined for one that looks random. It finds what somebody typed to fill the line: one
 * character, a piece again and again, a row such as 12345. It cannot tell words from a secret.
 */
function weaknessOf(token: string): string | undefined {
  if (new Set(token).size < minDistinct) return `has fewer than ${minDistinct} different characters`;
  const codes = [...token].map((character) => character.charCodeAt(0));
  const stepTo = (at: number): number => (codes[at] ?? 0) - (codes[at - 1] ?? 0);
  const pieces = new Set<string>();
  // What stood there before, or continues a row, does not make a token harder to guess.
  const fresh = codes.filter((_, at) => {
    const piece = token.slice(at - 2, at + 1);
    if (at < 2) return true;
    const isKnown = pieces.has(piece) || stepTo(at) === stepTo(at - 1);
    pieces.add(piece);
    return !isKnown;
  });
  return fresh.length < minFresh ? "repeats itself, or is a row of characters" : undefined;
}

/** Why a line of a token file cannot be used beside those above it; undefined when it can. */
function problemOf({ name, token }: TokenHolder, line: number, above: readonly TokenHolder[]): string | undefined {
  if (!namePattern.test(name)) return `The name on line ${line} has characters other than letters, digits, . _ -`;
  if (name === anonymous) return `Line ${line} uses the name ${anonymous}, which is that of clients without a token.`;
  if (token.length < minLength) return `The token on line ${line} is shorter than ${minLength} characters.`;
  if (!/^[\x21-\x7e]+$/.test(token)) return `The token on line ${line} has characters that no header carries.`;
  const weakness = weaknessOf(token);
  if (weakness !== undefined) return `The token on line ${line} ${weakness}, and could be guessed.`;
  // They name directories, and some file systems do not tell letters' cases apart.
  if (above.some((other) => other.name.toLowerCase() === name.toLowerCase())) return `Line ${line} repeats a name.`;
  return above.some((other) => other.token === token) ? `Line ${line} repeats a token.` : undefined;
}

/**
 * Reads the text of a token file: a line holds a name and a token, or a token alone, whose name is then made of `kind`
 * and its number. Empty lines and lines that begin with `#` are skipped.
 * @param flag The setting that names the file, for the error.
 * @throws Failure `bad_configuration` that names the line and never shows what stands in it.
 */
export function parseTokens(text: string, flag: string, kind: string): readonly TokenHolder[] {
  const holders: TokenHolder[] = [];
  const refuse = (why: string): never => {
    throw new Failure("bad_configuration", `The file of ${flag} does not hold a usable token.`, {
      why,
      next: `Put a name and a token of at least ${minLength} characters on each line, for example the output of openssl rand -hex 32.`,
    });
  };
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const words = line.trim().split(/\s+/);
    if (words[0] === "" || words[0]?.startsWith("#")) continue;
    if (words.length > 2) refuse(`Line ${index + 1} has more than a name and a token.`);
    const name = words.length === 2 ? (words[0] ?? "") : `${kind}-${holders.length + 1}`;
    const holder: TokenHolder = { name, token: words.at(-1) ?? "" };
    const problem = problemOf(holder, index + 1, holders);
    if (problem !== undefined) refuse(problem);
    holders.push(holder);
  }
  return holders.length === 0 ? refuse("It holds no token at all.") : holders;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * Makes the look-up of a token's holder. Every token is compared in constant time and none is skipped, so the time
 * says neither whether one was close nor whose it was.
 */
export function holderOf(holders: readonly TokenHolder[]): (given: string) => string | undefined {
  const known = holders.map(({ name, token }) => ({ name, digest: digest(token) }));
  return (given) => {
    const asked = digest(given);
    let found: string | undefined;
    for (const one of known) if (timingSafeEqual(one.digest, asked)) found = one.name;
    return found;
  };
}

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
    throw new Failure("bad_configuration", `${flag} ${path} cannot be read.`, {
      next: "Check its path and its permissions.",
    });
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
