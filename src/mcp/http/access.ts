/** Access control over HTTP: Host, Origin and bearer token, which are checked before any body is read, and token files. */
import { hash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Failure } from "../../language/failure.js";
import { nameKey } from "../../policy/principal.js";
import { processUser, readWithStatus, refuseOpenFile } from "../../system/file-access.js";
import { loopbackNames } from "../../system/listen.js";
import { anonymous } from "../owner.js";

/** Why a request is rejected. */
export interface Rejection {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The id of the request, if it is known. */
  readonly id?: string | number | null;
  /** The code of the JSON-RPC error. */
  readonly code?: number;
}

/** Rejects a request with the reason, as a JSON-RPC error. */
export function rejectRequest(
  response: ServerResponse,
  { status, message, headers, id = null, code = -32_000 }: Rejection,
): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id }));
}

/** A host as in a URL: IPv6 addresses in brackets. */
export const urlHost = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** The Host headers that a server accepts by default: its bound address and this machine's names, with its port. */
export function serverHosts(boundTo: string, port: number): ReadonlySet<string> {
  const names = [...loopbackNames, urlHost(boundTo).toLowerCase()];
  return new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])));
}

const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/;

/** Whether the configuration allows a Host header: a name with a port, or a name with any port. */
function isAllowed(host: string, allowedHosts: readonly string[]): boolean {
  const [, name = ""] = hostPattern.exec(host) ?? [];
  return allowedHosts.some((allowed) => [host, name].includes(allowed.toLowerCase()));
}

function isServerOrigin(header: string, acceptedHosts: ReadonlySet<string>, allowedHosts: readonly string[]): boolean {
  const url = URL.canParse(header) ? new URL(header) : undefined;
  // An origin consists of scheme, host and port; `null` and anything else is foreign.
  if (!url || url.origin !== header || !/^https?:$/.test(url.protocol)) return false;
  // Other ports of this machine are other origins, and only a proxy serves https.
  return (url.protocol === "http:" && acceptedHosts.has(url.host)) || isAllowed(url.host, allowedHosts);
}

function countOf({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === name.length && rawHeaders[index]?.toLowerCase() === name) count += 1;
  return count;
}

/**
 * Checks a request's Host.
 * @param acceptedHosts The server's own names.
 * @param allowedHosts Further host names of this server.
 * @returns undefined if it is accepted.
 */
export function hostRejectionOf(
  request: IncomingMessage,
  acceptedHosts: ReadonlySet<string>,
  allowedHosts: readonly string[],
): Rejection | undefined {
  const { host } = request.headers;
  // Node keeps the first of two Host headers; a proxy may have used the other.
  if (host === undefined || countOf(request, "host") !== 1)
    return { status: 400, message: "The Host header is missing or repeated." };
  const named = host.toLowerCase();
  if (!acceptedHosts.has(named) && !isAllowed(named, allowedHosts))
    return { status: 403, message: "This server does not answer to that host name; --allowed-hosts adds one." };
  return undefined;
}

/** Checks a request's Host and Origin, which may be the same. */
export function rejectionOf(
  request: IncomingMessage,
  acceptedHosts: ReadonlySet<string>,
  allowedHosts: readonly string[],
): Rejection | undefined {
  const { origin } = request.headers;
  const rejection = hostRejectionOf(request, acceptedHosts, allowedHosts);
  if (rejection) return rejection;
  if (origin !== undefined && !isServerOrigin(origin, acceptedHosts, allowedHosts))
    return { status: 403, message: "That origin is not allowed to call this server." };
  return undefined;
}

/** The bearer token of a request; undefined without one, or if there could be two. */
export function tokenIn(request: IncomingMessage): string | undefined {
  const [, given] = /^Bearer ([\x21-\x7e]+)$/i.exec(request.headers.authorization ?? "") ?? [];
  return countOf(request, "authorization") === 1 ? given : undefined;
}

/** The known tokens, and whether one is required. */
export interface KnownTokens {
  /** The name of a token's holder; undefined for an unknown token. */
  readonly holder: (token: string) => string | undefined;
  /** Whether requests without a token are accepted. */
  readonly isOpen: boolean;
}

/** The rejection of a request without a known token. */
export const unknownTokenRejection = ({ isOpen }: Pick<KnownTokens, "isOpen">): Rejection => ({
  status: 401,
  message: isOpen
    ? "That token is not known to this server: --token-file names the tokens. Without one, a client here can read."
    : "Send a token of the server's --token-file as a bearer token.",
  headers: { "www-authenticate": 'Bearer realm="edgewise"' },
});

/** Rejects a request without a known token; undefined if it is accepted. */
export function rejectionOfToken(request: IncomingMessage, { holder, isOpen }: KnownTokens): Rejection | undefined {
  if (request.headers.authorization === undefined && isOpen) return undefined;
  const token = tokenIn(request);
  return token !== undefined && holder(token) !== undefined ? undefined : unknownTokenRejection({ isOpen });
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
 * Why a token is easy to guess; undefined for one that looks random. It recognizes filler such as one character, a
 * repeated piece or a sequence like 12345, but not words.
 */
function weaknessOf(token: string): string | undefined {
  if (new Set(token).size < minDistinct) return `has fewer than ${minDistinct} different characters`;
  const codes = [...token].map((character) => character.charCodeAt(0));
  const stepTo = (at: number): number => (codes[at] ?? 0) - (codes[at - 1] ?? 0);
  const pieces = new Set<string>();
  // A repeated piece or a continued sequence does not make a token harder to guess.
  const fresh = codes.filter((_, at) => {
    const piece = token.slice(at - 2, at + 1);
    if (at < 2) return true;
    const isKnown = pieces.has(piece) || stepTo(at) === stepTo(at - 1);
    pieces.add(piece);
    return !isKnown;
  });
  return fresh.length < minFresh ? "repeats itself or is a sequence of characters" : undefined;
}

/** Why a line of a token file cannot be used after those above it; undefined if it can. */
function problemOf({ name, token }: TokenHolder, line: number, above: readonly TokenHolder[]): string | undefined {
  if (!namePattern.test(name)) return `The name on line ${line} has characters other than letters, digits, . _ -`;
  if (nameKey(name) === anonymous)
    return `Line ${line} uses the name ${anonymous}, which is that of clients without a token.`;
  if (token.length < minLength) return `The token on line ${line} is shorter than ${minLength} characters.`;
  if (!/^[\x21-\x7e]+$/.test(token)) return `The token on line ${line} has characters that are invalid in a header.`;
  const weakness = weaknessOf(token);
  if (weakness !== undefined) return `The token on line ${line} ${weakness} and could be guessed.`;
  // Names become directories, and some file systems are case-insensitive.
  if (above.some((other) => nameKey(other.name) === nameKey(name))) return `Line ${line} repeats a name.`;
  return above.some((other) => other.token === token) ? `Line ${line} repeats a token.` : undefined;
}

/**
 * Reads the text of a token file: each line has a name and a token, or only a token, whose name is then made of `kind` and
 * its number. Empty lines and lines that begin with `#` are skipped.
 * @param flag The setting that names the file, for the error.
 * @throws Failure `bad_configuration` that names the line and never shows its content.
 */
export function parseTokens(text: string, flag: string, kind: string): readonly TokenHolder[] {
  const holders: TokenHolder[] = [];
  const unusable = (why: string): never => {
    throw new Failure("bad_configuration", `The file of ${flag} has no usable tokens.`, {
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
  return holders.length === 0 ? unusable("It has no tokens.") : holders;
}

/**
 * Creates the lookup of a token's holder, by a digest with a key of this process: no one can choose a token whose digest is
 * close to that of another, so that the timing of the lookup reveals nothing of the tokens.
 */
export function createHolderLookup(holders: readonly TokenHolder[]): (given: string) => string | undefined {
  const key = randomBytes(32).toString("hex");
  const digest = (token: string): string => hash("sha256", key + token, "base64url");
  const known = new Map(holders.map(({ name, token }) => [digest(token), name]));
  return (given) => known.get(digest(given));
}

/**
 * Reads a token file; the setting names a file so that tokens are never on a command line.
 * @param kind The noun for the holders, for lines without a name.
 * @throws Failure `bad_configuration` if it cannot be read or used, or if other users can read or write it.
 */
export function readTokens(flag: string, path: string, kind: string, user = processUser()): readonly TokenHolder[] {
  let file: ReturnType<typeof readWithStatus>;
  try {
    file = readWithStatus(path);
  } catch {
    throw new Failure("bad_configuration", `${flag} ${path} cannot be read.`, {
      next: "Check its path and its permissions.",
    });
  }
  refuseOpenFile(
    file.status,
    {
      path,
      what: `the file of ${flag}, ${path}`,
      forbids: "any use",
      why: "They could use its tokens or add one.",
      chmod: "600",
      further: "For a mounted file, set mode 0400 or 0600 and this server's user as the owner at its source.",
    },
    user,
  );
  return parseTokens(file.text, flag, kind);
}
