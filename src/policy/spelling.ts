/** The spellings of a target: the unambiguous one, and all that some reader could make of it. */
import { isIP } from "node:net";
import { domainToUnicode } from "node:url";

/**
 * Characters that readers of addresses interpret differently: some treat a backslash as a slash, others ignore tabs and
 * line feeds, and approvers do not see invisible ones.
 */
const doubtful = /[\\\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
const droppable = /[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** Whether a text has no ambiguous characters, and none that look like another one. */
export const isPlain = (text: string): boolean => !doubtful.test(text) && text.normalize("NFKC") === text;

/**
 * A text with its escapes decoded once, each separately, so that a broken one does not shield others. The two long
 * forms of old decoders, `%u002e` and `%c0%ae`, are decoded as well.
 */
const decodeOnce = (text: string): string =>
  text
    .replace(/%u([\da-f]{4})/gi, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
    .replace(/%c([01])%([89ab][\da-f])/gi, (_, high: string, low: string) =>
      String.fromCharCode((Number(high) << 6) | (Number.parseInt(low, 16) & 0x3f)),
    )
    .replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"));

// No decoder decodes more often than this.
const maxDecodings = 5;

/** A text, and the results of decoding its escapes repeatedly. */
function decodings(text: string, settled: (text: string) => string = (one) => one): string[] {
  const all = [settled(text)];
  while (all.length <= maxDecodings) {
    const last = all.at(-1) ?? "";
    const next = settled(decodeOnce(last));
    if (next === last) break;
    all.push(next);
  }
  return all;
}

/**
 * The URL with a host that a text is, as browsers parse it. `URL.canParse` is not used: once it is compiled, Node 20
 * has it reject texts with a letter between U+0080 and U+00FF, and a deny rule would no longer see their host.
 */
function urlOf(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return url.host === "" ? undefined : url;
  } catch {
    return undefined;
  }
}

/** The authority of a text with a scheme, as in RFC 3986: it ends at the first of `/`, `?` and `#`. */
const authorityOf = (text: string): string | undefined => /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(text)?.[1];

/** Whether an `@` precedes the first slash after the scheme, so that a user may precede the host. */
const hasUser = (text: string): boolean => /^(?:[a-z][a-z\d+.-]*:)?\/*[^/]*@/i.test(text);

/** A segment that some reader takes as a dot segment: some cut off everything after a semicolon. */
const dotSegment = /(?:^|\/)\.{1,2}(?:;[^/]*)?(?:\/|$)/;

/** Whether decoding a path's escapes would change its target or reveal ambiguous characters. */
const isAmbiguousPath = (path: string): boolean =>
  decodings(path).some((one) => /[\\\p{Cc}]/u.test(one) || dotSegment.test(one));

/** The URL that a text with a scheme is for every reader; undefined if two readers would use different hosts. */
function agreedUrl(text: string): URL | undefined {
  const url = urlOf(text);
  const host = authorityOf(text)?.replace(/:\d*$/, "").toLowerCase();
  return url !== undefined && url.hostname === host && !isAmbiguousPath(url.pathname) ? url : undefined;
}

/**
 * The name of an object for rules that allow: its canonical spelling, with dot segments, port and case resolved, and
 * its host. None if it is ambiguous.
 */
export function agreedNames(text: string): string[] {
  if (!isPlain(text) || hasUser(text)) return [];
  if (authorityOf(text) !== undefined) {
    const url = agreedUrl(text);
    return url === undefined ? [] : [url.href, url.hostname];
  }
  // Without slashes, a scheme is a name to some readers, while others read a host after it.
  return urlOf(text) !== undefined || isAmbiguousPath(text) ? [] : [text];
}

/** A host without trailing dots; a loop, because a pattern would be quadratic for a text with many dots. */
function withoutDots(host: string): string {
  let end = host.length;
  while (host[end - 1] === ".") end -= 1;
  return host.slice(0, end);
}

/** A host without the brackets of an IPv6 address. */
const withoutBrackets = (host: string): string => host.replace(/[[\]]/g, "");

/**
 * An IP address or address block in canonical spelling; undefined for a name. A block of one address is that address.
 */
function addressesOf(text: string): string | undefined {
  // Stryker disable next-line StringLiteral,ArrayDeclaration: the compiler requires a default for no match
  const [, address = "", size] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  if (bits === undefined) return undefined;
  const spelled = bits === 32 ? address : withoutBrackets(new URL(`https://[${address}]`).hostname);
  return size === undefined || Number(size) === bits ? spelled : `${spelled}/${size}`;
}

/**
 * The canonical host of a host or URL; undefined if readers would disagree. IPv6 addresses have no brackets, and only
 * an address block has a slash.
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

// No name is longer, and parsing a longer one takes quadratic time.
const maxNameLength = 253;

/** A host with its `xn--` labels decoded. */
const inLetters = (host: string): string =>
  host.length <= maxNameLength && host.includes("xn--") ? domainToUnicode(host) : host;

/** All names of an address: with and without its scheme, port, query, and insignificant dots and slashes. */
function namesOf({ scheme, host, port, path, rest }: Address): string[] {
  const plainHost = withoutDots(host);
  const hosts = [...new Set([host, plainHost, inLetters(plainHost)])].filter((hostForm) => hostForm !== "");
  const ports = [...new Set(["", port, port === "" ? (usualPorts[scheme] ?? "") : port])];
  const paths = [...new Set([path, path.replace(/\/{2,}/g, "/")])];
  const ends = [...new Set(["", rest])];
  const places = hosts.flatMap((hostForm) =>
    ports.flatMap((number) =>
      paths.flatMap((at) => ends.map((end) => `${hostForm}${number === "" ? "" : `:${number}`}${at}${end}`)),
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
 * The URLs that a text can be to some reader: as browsers parse it, and with each part before the first slash as the
 * host, because readers disagree on where a user ends.
 */
function urlsIn(text: string): URL[] {
  // Stryker disable next-line StringLiteral,ArrayDeclaration: only the compiler asks for them, as every text matches
  const [, scheme, slashed = ""] = /^(?:(https?|ftp|wss?|[a-z][a-z\d+.-]*(?=:\/\/)):)?[/]*(.*)/is.exec(text) ?? [];
  const end = slashed.indexOf("/");
  const [head, path] = end < 0 ? [slashed, ""] : [slashed.slice(0, end), slashed.slice(end)];
  const schemes = scheme === undefined ? ["https", "http"] : [scheme];
  const parts = hasUser(text) ? head.split(/[@?#]/) : head.split(/[?#]/, 1);
  // Readers use the first or the last sign; combining thousands of them with the whole path would be too many.
  const heads = [...parts.slice(0, maxHeads), ...parts.slice(-maxHeads)];
  // To some, the part before a second colon is a host, and the rest an invalid port.
  const hosts = heads.flatMap((one) => [one, ...one.split(":", 1)]).filter((one) => one !== "");
  const spelled = [
    text,
    ...schemes.flatMap((one) => [`${one}://${slashed}`, ...hosts.map((at) => `${one}://${at}${path}`)]),
  ];
  return [...new Set(spelled)].map(urlOf).filter((url) => url !== undefined);
}

/** Everything that an object can be called, in lower case, so that no spelling escapes a restricting rule. */
export function allNames(text: string): string[] {
  const settled = (variant: string) => variant.normalize("NFKC").replace(droppable, "");
  const variants = new Set([text, ...decodings(text), ...decodings(text, settled)]);
  for (const variant of [...variants]) variants.add(variant.replaceAll("\\", "/"));
  const names = [...variants].flatMap((variant) => {
    const isUrl = urlOf(variant) !== undefined;
    // The parts of a text that is not a URL are names themselves, such as the ids in a path.
    return [
      variant,
      ...(isUrl ? [] : variant.split("/")),
      ...urlsIn(variant).flatMap((url) => namesOf(addressOf(url))),
    ];
  });
  const spelled = [...new Set(names)].flatMap((name) => [name, decodeOnce(name)]).map((name) => name.toLowerCase());
  return [...new Set(spelled.flatMap((name) => [name, name.replace(/\.$/, "")]))];
}
