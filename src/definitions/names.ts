/**
 * The names and titles of imported operations, made of the words of method and path by the grammar of the declared
 * tools: the API, the object, the verb.
 */
import { createHash } from "node:crypto";

const longestName = 48;

const verbs = new Set(
  (
    "abort activate approve append archive assign block cancel capture check clone close compare copy curl deactivate delete deploy " +
    "diff dig disable hide load offboard onboard pin provision deprovision register revert show unpin acknowledge escalate reprocess transfer  download enable evaluate execute export extend fetch find generate import invalidate lock merge migrate " +
    "move mtr pause ping promote publish purge query reactivate reassign refresh reject release remove rename renew replace " +
    "reset resend restart restore resume retry revoke rollback rotate run save search send start stop submit suspend " +
    "sync terminate test translate traceroute trigger unassign unblock unlock update upload validate verify"
  ).split(" "),
);

const irregular = new Map([
  ["caches", "cache"],
  ["indices", "index"],
  ["analyses", "analysis"],
]);

/** A word in the singular, as far as its ending shows. */
export function singular(word: string): string {
  const known = irregular.get(word);
  if (known !== undefined) return known;
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh|us)es$/.test(word)) return word.slice(0, -2);
  return /[^suia]s$/.test(word) || /[ai]as$|ros$/.test(word) ? word.slice(0, -1) : word;
}

const plural = (word: string): string =>
  /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : /(?:s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;

/** The words of a segment or a key, in lower case. */
export const wordsIn = (text: string): string[] =>
  text
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());

/** An operation whose name is to be made. */
export interface Unnamed {
  readonly method: string;
  /** The path without that of the API. */
  readonly path: string;
}

interface Parts {
  /** The words of each literal segment, without the verb. */
  readonly nouns: readonly (readonly string[])[];
  readonly keys: readonly string[];
  readonly verb: string;
  /** Whether the last segment is a key. */
  readonly endsWithKey: boolean;
}

const usualVerbs: Readonly<Record<string, string>> = { PUT: "update", PATCH: "patch", DELETE: "delete", HEAD: "check" };

/** The verb of an operation whose path does not name it. */
function usualVerb(method: string, last: string, endsWithKey: boolean): string {
  const isMany = singular(last) !== last;
  if (method === "GET") return isMany && !endsWithKey ? "list" : "get";
  if (method === "POST") return isMany || endsWithKey ? "create" : "run";
  return usualVerbs[method] ?? "run";
}

function partsOf({ method, path }: Unnamed): Parts {
  const segments = (path.split("?")[0] ?? "").split("/").filter((one) => one !== "");
  const keys = segments.filter((one) => one.startsWith("{")).map((one) => one.slice(1, -1));
  const literals = segments.filter((one) => !one.startsWith("{")).map(wordsIn);
  const endsWithKey = segments.at(-1)?.startsWith("{") ?? false;
  // A path can name its verb: the last segment that is one.
  const isVerb = ([word = "", ...more]: readonly string[]) => more.length === 0 && verbs.has(word);
  const at = method === "POST" || method === "PUT" ? literals.findLastIndex(isVerb) : -1;
  const last = literals.at(-1)?.at(-1) ?? "";
  return {
    nouns: literals.filter((_, index) => index !== at),
    keys,
    verb: literals[at]?.[0] ?? usualVerb(method, last, endsWithKey),
    endsWithKey,
  };
}

/** The words of an object: each noun in the singular, the last one in the plural for a list. */
const objectOf = (nouns: readonly (readonly string[])[], verb: string): string[] => {
  const words = nouns.map((noun) => noun.map((word, at) => (at === noun.length - 1 ? singular(word) : word)));
  const all = words.flat();
  const last = all.at(-1);
  return verb === "list" && last !== undefined ? [...all.slice(0, -1), plural(last)] : all;
};

/** A name of at most the longest length: its middle words are shortened, and a hash keeps it unique. */
function shortenName(name: string, path: string): string {
  if (name.length <= longestName) return name;
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 4);
  const verb = name.slice(name.lastIndexOf("_"));
  const end = `_${hash}${verb}`;
  return `${name.slice(0, longestName - end.length).replace(/_[^_]*$/, "")}${end}`;
}

const joinWords = (...words: readonly string[]): string => words.filter((word) => word !== "").join("_");

/** The possible names of an operation, best first: each adds what may distinguish it from others. */
function candidates(id: string, operation: Unnamed): string[] {
  const { nouns, keys, verb, endsWithKey } = partsOf(operation);
  const idWords = new Set(wordsIn(id));
  const distinctNouns = nouns.filter(
    (noun, at) => at > 0 || !noun.every((word) => idWords.has(singular(word)) || idWords.has(word)),
  );
  const usedNouns = distinctNouns.length === 0 && nouns.length > 0 && verb !== "list" ? [] : distinctNouns;
  const withNouns = (count: number) => usedNouns.slice(Math.max(0, usedNouns.length - count));
  const make = (noun: readonly (readonly string[])[], ...more: readonly string[]) => {
    if (noun.length === 0) return verb === "list" ? joinWords(plural(id), ...more, verb) : joinWords(id, ...more, verb);
    return joinWords(id, ...objectOf(noun, verb), ...more, verb);
  };
  const key = keys.at(-1);
  const by = key === undefined || !endsWithKey ? [] : ["by", ...wordsIn(key)];
  const counts = [2, 3, 4, usedNouns.length].filter(
    (count, at, all) => count <= usedNouns.length || at === 0 || all[at - 1] === undefined,
  );
  return [
    ...counts.map((count) => make(withNouns(count))),
    ...counts.map((count) => make(withNouns(count), ...by)),
    make(usedNouns, ...keys.flatMap(wordsIn)),
    make(usedNouns, operation.method.toLowerCase()),
    joinWords(id, ...wordsIn(operation.path), operation.method.toLowerCase()),
  ].map((name) => shortenName(name, `${operation.method} ${operation.path}`));
}

/**
 * Names for the operations of one API.
 * @param priorNames Names that were assigned before, by `METHOD /path`: they stay, so that a changed definition renames
 *   nothing.
 * @param taken Whether a name belongs to something else.
 * @returns The name of each operation, in their order.
 */
export function namesFor(
  id: string,
  operations: readonly Unnamed[],
  priorNames: ReadonlyMap<string, string>,
  taken: (name: string) => boolean,
): string[] {
  const routeOf = ({ method, path }: Unnamed) => `${method} ${path}`;
  const names = new Map<string, string>();
  const used = new Set<string>(priorNames.values());
  for (const one of operations) {
    const kept = priorNames.get(routeOf(one));
    if (kept !== undefined && !taken(kept)) names.set(routeOf(one), kept);
  }
  let waiting = operations.filter((one) => !names.has(routeOf(one)));
  const most = Math.max(0, ...waiting.map((one) => candidates(id, one).length));
  for (let at = 0; at < most && waiting.length > 0; at += 1) {
    const proposals = waiting.map((one) => {
      const all = candidates(id, one);
      return all[Math.min(at, all.length - 1)] ?? "";
    });
    const isFree = (name: string) =>
      name !== "" && !used.has(name) && !taken(name) && proposals.filter((one) => one === name).length === 1;
    const named = waiting.filter((one, index) => {
      const name = proposals[index] ?? "";
      if (!isFree(name)) return false;
      names.set(routeOf(one), name);
      return true;
    });
    for (const one of named) used.add(names.get(routeOf(one)) ?? "");
    waiting = waiting.filter((one) => !names.has(routeOf(one)));
  }
  for (const one of waiting) {
    const hash = createHash("sha256").update(routeOf(one)).digest("hex").slice(0, 12);
    names.set(routeOf(one), `${id.slice(0, 24)}_${hash}_${one.method.toLowerCase()}`);
  }
  return operations.map((one) => names.get(routeOf(one)) ?? "");
}

const verbTitles: Readonly<Record<string, string>> = {
  run: "Run",
  patch: "Change parts of",
  check: "Check",
  list: "List",
  get: "Get",
};

/**
 * A title in words, such as "Update property of domain": of the method and the path, never of the definition's text.
 * @param isRead Whether the operation only reads, so that its POST creates nothing.
 */
export function titleOf(operation: Unnamed, isRead: boolean): string {
  const { nouns, keys, verb: routeVerb, endsWithKey } = partsOf(operation);
  const verb = isRead && routeVerb === "create" ? "find" : routeVerb;
  const words = verbTitles[verb] ?? `${verb[0]?.toUpperCase() ?? ""}${verb.slice(1)}`;
  const each = nouns.map((noun, at) => objectOf([noun], at === nouns.length - 1 ? verb : "").join(" "));
  const [last = "", ...parents] = each.toReversed();
  const by = endsWithKey && keys.length > 0 ? ` by ${wordsIn(keys.at(-1) ?? "").join(" ")}` : "";
  return `${words} ${[last, ...parents].filter((one) => one !== "").join(" of ")}${by}`.trim();
}
