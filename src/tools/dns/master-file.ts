/** Reads the record sets of a master file (RFC 1035, 5): origins, default TTLs, left-out names, parentheses, comments. */
type FileSet = {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: string[];
};

// A quote that is not closed is a word up to the end, so that the search for its end is not repeated from each one.
const tokens = /"(?:[^"\\]|\\.)*"|".*|;[^\n]*|\n|[^\S\n]+|[()]|[^\s"();]+/gs;

interface Line {
  isIndented: boolean | undefined;
  readonly words: string[];
}

/** The words of a file, line by line; text in parentheses is one line, and a quoted text one word. */
function linesOf(file: string): readonly Line[] {
  let line: Line = { isIndented: undefined, words: [] };
  const lines = [line];
  let isOpen = false;
  for (const [token] of file.matchAll(tokens)) {
    if (token === "\n" && !isOpen) {
      line = { isIndented: undefined, words: [] };
      lines.push(line);
      continue;
    }
    line.isIndented ??= /^[\s(]/.test(token);
    if (token === "(") isOpen = true;
    else if (token === ")" && isOpen) isOpen = false;
    else if (!/^[\s;]/.test(token)) line.words.push(token);
  }
  return lines.filter(({ words }) => words.length > 0);
}

const classes = /^(IN|CH|HS)$/i;

function absolute(name: string, origin: string): string {
  if (name === "@") return origin;
  return (name.endsWith(".") ? name.slice(0, -1) : `${name}.${origin}`).toLowerCase();
}

/** The types whose values end with a name, which a file may have relative to the origin. */
const named: ReadonlySet<string> = new Set(["CNAME", "MX", "NS", "PTR", "SRV"]);

function dataOf(type: string, words: readonly string[], origin: string): string {
  if (!named.has(type)) return words.join(" ");
  const target = words.at(-1) ?? "";
  return [...words.slice(0, -1), target.endsWith(".") ? target : `${absolute(target, origin)}.`].join(" ");
}

/** What the lines before one determine for it. */
interface Before {
  readonly origin: string;
  readonly ttl: number;
  readonly name: string;
}

const isNumber = (word: string): boolean => /^\d+$/.test(word);

/** One record of a file; undefined for a line that is none. */
function recordIn(words: readonly string[], { name, ttl, origin }: Before): FileSet | undefined {
  const from = words.findIndex((word) => !isNumber(word) && !classes.test(word));
  if (from < 0) return undefined;
  const [type = "", ...data] = words.slice(from);
  const given = words.slice(0, from).find(isNumber);
  const upper = type.toUpperCase();
  return { name, type: upper, ttl: given === undefined ? ttl : Number(given), rdata: [dataOf(upper, data, origin)] };
}

/** What a directive determines for the lines after it. */
function directed([directive = "", value = ""]: readonly string[], before: Before): Before {
  if (/^\$origin$/i.test(directive)) return { ...before, origin: absolute(value, before.origin) };
  return /^\$ttl$/i.test(directive) ? { ...before, ttl: Number(value) } : before;
}

/**
 * The record sets of a master file.
 * @param zone The origin where the file names none.
 */
export function fileSets(file: string, zone: string): FileSet[] {
  const sets = new Map<string, FileSet>();
  let before: Before = { origin: zone.toLowerCase(), name: zone.toLowerCase(), ttl: 3_600 };
  for (const { isIndented, words } of linesOf(file)) {
    const [first = ""] = words;
    if (first.startsWith("$")) {
      before = directed(words, before);
      continue;
    }
    if (!isIndented) before = { ...before, name: absolute(first, before.origin) };
    const record = recordIn(isIndented ? words : words.slice(1), before);
    const set = record && sets.get(`${record.name} ${record.type}`);
    if (set) set.rdata.push(...record.rdata);
    else if (record) sets.set(`${record.name} ${record.type}`, record);
  }
  return [...sets.values()];
}
