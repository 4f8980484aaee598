/** Who may come in over HTTP: Host, Origin and bearer token, checked before any body is read, and the files that name the tokens. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AuthInfo } from "@modelcontextprotocol/server";
import { Failure } from "../../language/failure.js";
import { processUser, readWithStatus, refuseOpenFile } from "../../system/file-access.js";
import { loopbackNames } from "../../system/listen.js";
import { anonymous, writeScope } from "../owner.js";

/** Why a request is rejected. */
export interface Rejection {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers a request with why it is rejected, in the form of the protocol. */
export function refuse(response: ServerResponse, { status, message, headers }: Rejection, code = -32_000): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
}

/** A host as an address writes it: an IPv6 address in brackets. */
export const inAddress = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** The Host headers that name a server by itself: what it is bound to and this machine's own names, with its port. */
export function ownHosts(boundTo: string, port: number): ReadonlySet<string> {
  const names = [...loopbackNames, inAddress(boundTo).toLowerCase()];
  return new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])));
}

const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/;

/** Whether a Host header names what the configuration allows: a name with a port, or a name at whatever port a proxy has. */
function isAllowed(host: string, allowedHosts: readonly string[]): boolean {
  const [, name = ""] = hostPattern.exec(host) ?? [];
  return allowedHosts.some((allowed) => [host, name].includes(allowed.toLowerCase()));
}

function isOwnOrigin(header: string, own: ReadonlySet<string>, allowedHosts: readonly string[]): boolean {
  const url = URL.canParse(header) ? new URL(header) : undefined;
  // An origin is scheme, host and port and nothing else; `null` and anything that only looks like one is foreign.
  if (!url || url.origin !== header || !/^https?:$/.test(url.protocol)) return false;
  // Other ports of this machine are other origins, and https is only ever served by a proxy in front.
  return (url.protocol === "http:" && own.has(url.host)) || isAllowed(url.host, allowedHosts);
}

function countOf({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === name.length && rawHeaders[index]?.toLowerCase() === name) count += 1;
  return count;
}

/**
 * Checks a request's Host and Origin; undefined accepts it.
 * @param own The server's own names.
 * @param allowedHosts Host names and origins' host names, besides its own, that are this server's.
 */
export function rejectionOf(
  request: IncomingMessage,
  own: ReadonlySet<string>,
  allowedHosts: readonly string[],
): Rejection | undefined {
  const { host, origin } = request.headers;
  // Node keeps the first of two Host headers; a proxy in front may have used the other.
  if (host === undefined || countOf(request, "host") !== 1)
    return { status: 400, message: "The Host header is missing or repeated." };
  const named = host.toLowerCase();
  if (!own.has(named) && !isAllowed(named, allowedHosts))
    return { status: 403, message: "This server does not answer to that host name; --allowed-hosts adds one." };
  if (origin !== undefined && !isOwnOrigin(origin, own, allowedHosts))
    return { status: 403, message: "That origin is not allowed to call this server." };
  return undefined;
}

/** Who may call the endpoint, and which of them may make changes. */
interface Access {
  /** The name of a token's holder; undefined for a token that nobody holds. */
  readonly holder: (token: string) => string | undefined;
  /** Whether a request may come without a token. */
  readonly isOpen: boolean;
  /** Whether requests with a token may make changes. */
  readonly allowsWrites: boolean;
}

/**
 * Who makes a request and what it may do, as the SDK hands it on to the handlers; or why it is rejected. A header can
 * take the right to make changes away, and none can give it.
 */
export function authenticate(request: IncomingMessage, { holder, isOpen, allowsWrites }: Access): AuthInfo | Rejection {
  const { authorization, "x-edgewise-read-only": tightened } = request.headers;
  // The token itself goes no further than here.
  if (authorization === undefined && isOpen) return { token: "", clientId: anonymous, scopes: [] };
  const [, given = ""] = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? "") ?? [];
  const name = countOf(request, "authorization") === 1 ? holder(given) : undefined;
  if (name === undefined)
    return {
      status: 401,
      message: isOpen
        ? "That token is not known to this server: --token-file names the tokens. Without one, a client here can read."
        : "Send a token of the server's --token-file as a bearer token.",
      headers: { "www-authenticate": 'Bearer realm="edgewise"' },
    };
  const canWrite = allowsWrites && (tightened === undefined || tightened === "false");
  return { token: "", clientId: name, scopes: canWrite ? [writeScope] : [] };
}

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
  const unusable = (why: string): never => {
    throw new Failure("bad_configuration", `The file of ${flag} does not hold a usable token.`, {
      why,
      next: `Put a name and a token of at least ${minLength} characters on each line, for example the output of openssl rand -hex 32.`,
    });
  };
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const words = line.trim().split(/\s+/);
    if (words[0] === "" || words[0]?.startsWith("#")) continue;
    if (words.length > 2) unusable(`Line ${index + 1} has more than a name and a token.`);
    const name = words.length === 2 ? (words[0] ?? "") : `${kind}-${holders.length + 1}`;
    const holder: TokenHolder = { name, token: words.at(-1) ?? "" };
    const problem = problemOf(holder, index + 1, holders);
    if (problem !== undefined) unusable(problem);
    holders.push(holder);
  }
  return holders.length === 0 ? unusable("It holds no token at all.") : holders;
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
