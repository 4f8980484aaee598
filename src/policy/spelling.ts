/** How a target can be spelled: what every reader makes of a text in the same way, and all that some reader could make of it. */
import { isIP } from "node:net";
import { domainToUnicode } from "node:url";

/**
 * Characters over which readers of addresses disagree: a backslash is a slash to some, a tab or a line feed is nothing to
 * others, and what cannot be seen is nothing to whoever approves it.
 */
const doubtful = /[\\\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
const droppable = /[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** Whether a text has no character over which readers disagree, and none that stands for another one. */
export const isPlain = (text: string): boolean => !doubtful.test(text) && text.normalize("NFKC") === text;

/**
 * A text with its escapes undone once, each by itself, so that a broken one shields no other. The two long forms that old
 * decoders take, `%u002e` and `%c0%ae`, are undone as well.
 */
const decoded = (text: string): string =>
  text
    .replace(/%u([\da-f]{4})/gi, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
    .replace(/%c([01])%([89ab][\da-f])/gi, (_, high: string, low: string) =>
      String.fromCharCode((Number(high) << 6) | (Number.parseInt(low, 16) & 0x3f)),
    )
    .replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"));

// What is escaped more often than that is undone by nobody.
const maxDecodings = 5;

/** A text, and what it becomes when its escapes are undone again and again. */
function decodings(text: string, settled: (text: string) => string = (one) => one): string[] {
  const all = [settled(text)];
  while (all.length <= maxDecodings) {
    const last = all.at(-1) ?? "";
    const next = settled(decoded(last));
    if (next === last) break;
    all.push(next);
  }
  return all;
}

/**
 * The URL with a host that a text is, as browsers read it. `URL.canParse` is not asked: once it is compiled, Node 20 has it
 * refuse each text with a letter between U+0080 and U+00FF, and a rule that denies would no longer see its host.
 */
function urlOf(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return url.host === "" ? undefined : url;
  } catch {
    return undefined;
  }
}

/** The authority of a text with a scheme, as RFC 3986 has it: it ends at the first of `/`, `?` and `#`. */
const authorityOf = (text: string): string | undefined => /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(text)?.[1];

/** Whether an `@` stands before the first slash of what follows the scheme, so that a user may stand before the host. */
const hasUser = (text: string): boolean => /^(?:[a-z][a-z\d+.-]*:)?\/*[^/]*@/i.test(text);

/** A segment that leads up, or nowhere, for whoever reads it: some cut off what stands behind a semicolon. */
const dotSegment = /(?:^|\/)\.{1,2}(?:;[^/]*)?(?:\/|$)/;

/** Whether undoing a path's escapes would lead to another place, or shows what readers disagree about. */
const isAmbiguousPath = (path: string): boolean =>
  decodings(path).some((one) => /[\\\p{Cc}]/u.test(one) || dotSegment.test(one));

/** The URL that a text with a scheme is to every reader; undefined where two of them would go to different hosts. */
function agreedUrl(text: string): URL | undefined {
  const url = urlOf(text);
  const host = authorityOf(text)?.replace(/:\d*$/, "").toLowerCase();
  return url !== undefined && url.hostname === host && !isAmbiguousPath(url.pathname) ? url : undefined;
}

/**
 * What a thing is called where a rule allows: one spelling, in which `..`, the port and the letters of the host are
 * settled, and its host. None where readers would disagree about it.
 */
export function agreedNames(text: string): string[] {
  if (!isPlain(text) || hasUser(text)) return [];
  if (authorityOf(text) !== undefined) {
    const url = agreedUrl(text);
    return url === undefined ? [] : [url.href, url.hostname];
  }
  // Without its slashes, a scheme is a name to some readers, and to others a host follows it.
  return urlOf(text) !== undefined || isAmbiguousPath(text) ? [] : [text];
}

/** A host without the dots at its end; a loop, because a pattern for them would begin anew at each dot of a long text. */
function withoutDots(host: string): string {
  let end = host.length;
  while (host[end - 1] === ".") end -= 1;
  return host.slice(0, end);
}

/** A host without the brackets of an IPv6 address; no other host has any. */
const withoutBrackets = (host: string): string => host.replace(/[[\]]/g, "");

/** An IP address or a block of them, in its usual spelling; undefined for a name. A block of one address is that address. */
function addressesOf(text: string): string | undefined {
  // Stryker disable next-line StringLiteral,ArrayDeclaration: the compiler asks for what stands for no match
  const [, address = "", size] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  if (bits === undefined) return undefined;
  const spelled = bits === 32 ? address : withoutBrackets(new URL(`https://[${address}]`).hostname);
  return size === undefined || Number(size) === bits ? spelled : `${spelled}/${size}`;
}

/**
 * The host that a host or a URL is looked up by, the same for every reader; undefined where they would disagree. An IPv6
 * address needs no brackets and gets none, and only a block of addresses has a slash.
 */
export function agreedHost(text: string): string | undefined {
  const addresses = addressesOf(text);
  if (addresses !== undefined) return addresses;
  if (!isPlain(text) || hasUser(text)) return undefined;
  const hasScheme = authorityOf(text) !== undefined;
  if (!hasScheme && urlOf(text) !== undefined) return undefined;
  const url = agreedUrl(hasScheme ? text : `https://${text}`);
  return url === undefined ? undefined : withoutBrackets(url.hostname.replace(/\.$/, ""));
}

const usualPorts: Readonly<Record<string, string>> = { http: "80", https: "443", ftp: "21" };

interface Address {
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
  readonly path: string;
  /** Query and fragment. */
  readonly rest: string;
}

// No name is longer, and reading a longer one takes time that grows with its square.
const maxNameLength = 253;

/** A host in the letters that its `xn--` labels stand for. */
const inLetters = (host: string): string =>
  host.length <= maxNameLength && host.includes("xn--") ? domainToUnicode(host) : host;

/** All that an address is called: with and without its scheme, port, query, and the dots and slashes that mean nothing. */
function namesOf({ scheme, host, port, path, rest }: Address): string[] {
  const plainHost = withoutDots(host);
  const hosts = [...new Set([host, plainHost, inLetters(plainHost)])].filter((one) => one !== "");
  const ports = [...new Set(["", port, port === "" ? (usualPorts[scheme] ?? "") : port])];
  const paths = [...new Set([path, path.replace(/\/{2,}/g, "/")])];
  const ends = [...new Set(["", rest])];
  const places = hosts.flatMap((one) =>
    ports.flatMap((number) =>
      paths.flatMap((at) => ends.map((end) => `${one}${number === "" ? "" : `:${number}`}${at}${end}`)),
    ),
  );
  return [...hosts, ...places, ...places.map((place) => `${scheme}://${place}`)];
}

const addressOf = ({ protocol, hostname: host, port, pathname: path, search, hash }: URL): Address => ({
  scheme: protocol.slice(0, -1),
  host,
  port,
  path,
  rest: `${search}${hash}`,
});

const maxHeads = 4;

/**
 * The URLs that a text can be to one reader or another: as browsers read it, and with each part of what stands before the
 * first slash as the host, because readers disagree where a user ends.
 */
function urlsIn(text: string): URL[] {
  // Stryker disable next-line StringLiteral,ArrayDeclaration: only the compiler asks for them, as every text matches
  const [, scheme, slashed = ""] = /^(?:(https?|ftp|wss?|[a-z][a-z\d+.-]*(?=:\/\/)):)?[/]*(.*)/is.exec(text) ?? [];
  const end = slashed.indexOf("/");
  const [head, path] = end < 0 ? [slashed, ""] : [slashed.slice(0, end), slashed.slice(end)];
  const schemes = scheme === undefined ? ["https", "http"] : [scheme];
  const parts = hasUser(text) ? head.split(/[@?#]/) : head.split(/[?#]/, 1);
  // Readers begin at the first sign or at the last one, and of thousands each would be put before the whole path.
  const heads = [...parts.slice(0, maxHeads), ...parts.slice(-maxHeads)];
  // To some, what stands before a second colon is a host, and the rest a broken port.
  const hosts = heads.flatMap((one) => [one, ...one.split(":", 1)]).filter((one) => one !== "");
  const spelled = [
    text,
    ...schemes.flatMap((one) => [`${one}://${slashed}`, ...hosts.map((at) => `${one}://${at}${path}`)]),
  ];
  return [...new Set(spelled)].map(urlOf).filter((url) => url !== undefined);
}

/** Everything that a thing can be called, in lower case, so that no spelling of it escapes a rule that restricts. */
export function allNames(text: string): string[] {
  const settled = (one: string) => one.normalize("NFKC").replace(droppable, "");
  const variants = new Set([text, ...decodings(text), ...decodings(text, settled)]);
  for (const one of [...variants]) variants.add(one.replaceAll("\\", "/"));
  const names = [...variants].flatMap((one) => {
    const isUrl = urlOf(one) !== undefined;
    // The parts of what is no URL are names by themselves, such as the ids in a path.
    return [one, ...(isUrl ? [] : one.split("/")), ...urlsIn(one).flatMap((url) => namesOf(addressOf(url)))];
  });
  const spelled = [...new Set(names)].flatMap((name) => [name, decoded(name)]).map((name) => name.toLowerCase());
  return [...new Set(spelled.flatMap((name) => [name, name.replace(/\.$/, "")]))];
}
