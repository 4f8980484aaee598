/**
 * The words of DNS presentation format (RFC 1035, 5.1): lines, strings in quotes, escapes, comments, parentheses, names
 * and TTLs. Octets are texts with a character for each, from U+0000 to U+00FF. The packages that read zone files (dnsz,
 * dns-zonefile, zone-file) split lines, but neither escapes nor the data of most types, so that there is no use for one.
 */

/** A word as it is written, without its quotes. */
export interface FileWord {
  readonly raw: string;
  readonly isQuoted: boolean;
}

/** A line of a file, with those that its parentheses continue. */
export interface FileLine {
  /** The number of its first line in the file, from 1; where there is a problem, that of the line that has it. */
  readonly at: number;
  /** Whether it begins with a space, for a name that is left out. */
  readonly isIndented: boolean;
  readonly words: readonly FileWord[];
  readonly hasComment: boolean;
  /** What the text takes in place of what cannot be read. Nothing after it is read. */
  readonly takes?: string;
}

const inQuotes = String.raw`"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*"`;
const bare = String.raw`[^\s"();\\]`;
// A value in quotes follows its key without a space (RFC 9460, 2.1). Loops are unrolled, for texts of megabytes.
const tokens = new RegExp(
  String.raw`\r\n?|\n|[ \t]+|;[^\r\n]*|[()]|${inQuotes}|(?:${bare}|\\[^\r\n])${bare}*(?:\\[^\r\n]${bare}*)*(?:(?<==)${inQuotes})?|[\s\S]`,
  "gy",
);
const takesFor: Readonly<Record<string, string>> = {
  '"': "a string whose closing quote is on the same line",
  "\\": "an escape: a backslash with a character or three digits after it",
};
const wordOf = (token: string): FileWord =>
  token.startsWith('"') ? { raw: token.slice(1, -1), isQuoted: true } : { raw: token, isQuoted: false };

/** A text as far as it is read: its lines, the present one, and the parenthesis that is open, by its line. */
class FileReading {
  readonly lines: FileLine[] = [];
  private at = 1;
  private line: (FileLine & { words: FileWord[]; hasComment: boolean }) | undefined;
  private open: number | undefined;

  /** Reads a token; the form that it should have if it is none. */
  take(token: string): string | undefined {
    if (/^[\r\n]/.test(token)) return this.endLine();
    this.line ??= { at: this.at, isIndented: /^[ \t]/.test(token), words: [], hasComment: false };
    if (token === "(" || token === ")") return this.parenthesis(token === "(");
    if (/^["\\\s]$/.test(token) && !/[ \t]/.test(token)) return takesFor[token] ?? "spaces and tabs between words";
    if (token.startsWith(";")) this.line.hasComment = true;
    else if (!/^[ \t]/.test(token)) this.line.words.push(wordOf(token));
    return undefined;
  }

  /** All lines; a problem is the last of them. */
  end(takes?: string): readonly FileLine[] {
    const line = { isIndented: false, words: [], hasComment: false };
    if (takes !== undefined) return [...this.lines, { ...line, at: this.at, takes }];
    if (this.open !== undefined)
      return [...this.lines, { ...line, at: this.open, takes: "a closing parenthesis for the one that opens here" }];
    return this.line === undefined ? this.lines : [...this.lines, this.line];
  }

  private endLine(): undefined {
    this.at += 1;
    if (this.open !== undefined || this.line === undefined) return;
    this.lines.push(this.line);
    this.line = undefined;
  }

  private parenthesis(opens: boolean): string | undefined {
    if (opens !== (this.open === undefined)) return "parentheses in pairs, and none within others";
    this.open = opens ? this.at : undefined;
    return undefined;
  }
}

/** The lines of a text that are not empty. */
export function fileLinesOf(text: string): readonly FileLine[] {
  const reading = new FileReading();
  for (const [token] of text.replace(/^\uFEFF/, "").matchAll(tokens)) {
    const takes = reading.take(token);
    if (takes !== undefined) return reading.end(takes);
  }
  return reading.end();
}

/** The octets of a text whose escapes are resolved; undefined where it is not ASCII, or an escape is none. */
export function octetsOf(raw: string): string | undefined {
  let octets = "";
  for (const [, code, escaped, plain] of raw.matchAll(
    /\\(\d{3})|\\([\x20-\x2f\x3a-\x7e])|([\t\x20-\x5b\x5d-\x7e]+)|[\s\S]/g,
  )) {
    const next = code === undefined ? (escaped ?? plain) : Number(code) < 256 && String.fromCharCode(Number(code));
    if (!next) return undefined;
    octets += next;
  }
  return octets;
}

/** A character of a text in escapes for its octets. */
const octetEscapes = (character: string, encoding: BufferEncoding): string =>
  Array.from(Buffer.from(character, encoding), (octet) => `\\${String(octet).padStart(3, "0")}`).join("");

/** One character of a text with an escape. One beyond an octet is that of a text that is stored; its UTF-8 is escaped. */
const escaped = (character: string): string =>
  /^[\x20-\x7e]$/.test(character)
    ? `\\${character}`
    : octetEscapes(character, character > "\u00ff" ? "utf8" : "latin1");

/** Octets as a string in quotes. */
export const inQuotationMarks = (octets: string): string => `"${octets.replaceAll(/["\\]|[^\x20-\x7e]/gu, escaped)}"`;

/** ASCII in which the other characters of a text are escapes, for the correction of one. */
export const inAscii = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]/gu, (character) => octetEscapes(character, "utf8"));

const plainLabel = /^[\w*/+=-]+$/;

const labelOctets = (part: string): string | undefined =>
  part.startsWith("\\") ? octetsOf(part) : plainLabel.test(part) ? part : undefined;

/** The labels of a name in octets, the last one empty where the name has a final dot; undefined for one that is none. */
function labelsOf(raw: string): readonly string[] | undefined {
  if (raw === ".") return [""];
  const labels = [""];
  for (const [part] of raw.matchAll(/\\\d{3}|\\\D|[^.\\]+|[\s\S]/g)) {
    const octets = part === "." ? "" : labelOctets(part);
    if (octets === undefined) return undefined;
    labels.push(part === "." ? "" : `${labels.pop() ?? ""}${octets}`);
  }
  const own = labels.at(-1) === "" ? labels.slice(0, -1) : labels;
  return own.length > 0 && own.every(({ length }) => length > 0 && length <= 63) ? labels : undefined;
}

/** Completes the labels of a name to those of an absolute one; undefined if they do not mean any. */
export type NameQualifier = (labels: readonly string[]) => readonly string[] | undefined;

const isAbsolute = (labels: readonly string[]): boolean => labels.at(-1) === "";
const rootless = (name: string): readonly string[] => name.split(".").filter((label) => label !== "");

/** The names of a file: those without a final dot are relative to the origin. */
export const namesInFile =
  (origin: string): NameQualifier =>
  (labels) =>
    isAbsolute(labels) ? labels : [...labels, ...rootless(origin), ""];

/**
 * The names of single values: one without a final dot is taken only if it is unambiguous. A single label is relative to
 * the zone, and a name that ends with the zone's is absolute.
 */
export const namesOfValues =
  (zone: string): NameQualifier =>
  (labels) => {
    if (isAbsolute(labels)) return labels;
    const apex = rootless(zone);
    if (labels.length <= 1) return [...labels, ...apex, ""];
    const end = labels.slice(-apex.length).join(".").toLowerCase();
    return apex.length > 0 && end === apex.join(".").toLowerCase() ? [...labels, ""] : undefined;
  };

/**
 * The absolute name that a text means, with its final dot and as it is spelled; `@` is the origin. Undefined for one that
 * is none, or is an address.
 */
export function nameIn(raw: string, names: NameQualifier): string | undefined {
  // A name has at most 255 octets of at most four characters, so that a longer text is not read.
  if (raw.length > 1_020) return undefined;
  const rawLabels = raw === "@" ? names([]) : labelsOf(raw);
  const labels = rawLabels && names(rawLabels);
  if (labels === undefined || /^\d+\.\d+\.\d+\.\d+$/.test(raw)) return undefined;
  const [last = "x", root] = [labels.at(-2), labels.at(-1)];
  if (root !== "" || /^\d+$/.test(last) || labels.join(".").length > 254) return undefined;
  const text = labels.map((label) => label.replaceAll(/[^\w*/+=-]/g, escaped)).join(".");
  return text === "" ? "." : text;
}

const unitSeconds: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 };

/** The seconds of a TTL, in seconds or in units as in 1w2d3h4m5s; undefined for one that is none, or over 31 bits. */
export function ttlIn(raw: string): number | undefined {
  if (!/^(?:\d+|(?:\d+[wdhms])+)$/i.test(raw)) return undefined;
  const parts = [...raw.matchAll(/(\d+)([wdhms]?)/gi)];
  const seconds = parts.reduce(
    (sum, [, count, unit = ""]) => sum + Number(count) * (unitSeconds[unit.toLowerCase()] ?? 1),
    0,
  );
  return seconds <= 2_147_483_647 ? seconds : undefined;
}
