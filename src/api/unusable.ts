/** Arguments that no operation can use: too deep, too long, too many, or containing a mark from an earlier answer. */
import type { FieldProblem } from "./failure.js";
import { findCharacterMark, hasCutMark } from "./marks.js";
import { pathTo } from "./member.js";
import { findMask } from "./secret.js";
import { longestAt, longestName } from "./text-length.js";
import type { z } from "./z.js";

const limits = { depth: 32, nodes: 200_000, items: 10_000 };

/**
 * What a text of the arguments takes instead, where it holds a mark of an answer: a change that is built on what was
 * shown in part, or shown by a mark, would lose the rest or write the mark.
 */
function takesUnmarked(text: string, isChange: boolean): string | undefined {
  if (hasCutMark(text))
    return "the whole value: this one was cut when it was shown; read the rest first (smaller page, filter, or the kept result)";
  const mask = isChange ? findMask(text) : undefined;
  if (mask !== undefined)
    return `the secret itself, which the user knows, or no member where the API keeps the one that is there: ${mask} stands for a secret that was not shown`;
  const found = isChange ? findCharacterMark(text) : undefined;
  if (!found) return undefined;
  const units = Array.from({ length: found.character.length }, (_, at) =>
    found.character.charCodeAt(at).toString(16).padStart(4, "0"),
  );
  const written = units.map((unit) => `\\u${unit}`).join("");
  return `the character itself, written ${written}: ${found.mark} stands for a character that was shown as a mark`;
}

/** A value on the stack and what it is in, from which its path is made where something is wrong with it. */
interface Place {
  readonly value: unknown;
  readonly depth: number;
  readonly in?: Place;
  readonly key?: string | number;
}

const fieldAt = ({ in: around, key }: Place): string =>
  around === undefined || key === undefined ? "" : pathTo(fieldAt(around), key);

const pathOf = ({ in: around, key }: Place): PropertyKey[] =>
  around === undefined || key === undefined ? [] : [...pathOf(around), key];

/** What is known of arguments before they are looked at. */
interface Declared {
  readonly schema: z.ZodType;
  /** Whether what is beside the body becomes part of a request's head. */
  readonly isInHead: boolean;
  /** Whether the call changes something, so that no mark of an answer may be written. */
  readonly isChange: boolean;
}

/** A text that is longer than anything that its declaration can mean, of which the length alone is told. */
function tooLong(place: Place, text: string, { schema, isInHead }: Declared): FieldProblem | undefined {
  // What is no longer than a name is left to the schema, which has more to say than a length.
  if (text.length <= longestName) return undefined;
  const most = longestAt(schema, pathOf(place), isInHead);
  return text.length > most
    ? { field: fieldAt(place), given: `${text.length} characters`, takes: `at most ${most} characters` }
    : undefined;
}

/** Refuses what is too deep, too long, too many or marked before a pattern or anything recursive looks at it. */
export function findUnusable(root: unknown, declared: Declared): FieldProblem | undefined {
  const { isChange } = declared;
  const stack: Place[] = [{ value: root, depth: 0 }];
  let nodes = 0;
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const { value, depth } = entry;
    const at = entry;
    nodes += 1;
    if (nodes > limits.nodes) return { field: "arguments", takes: `at most ${limits.nodes} values in all` };
    const long = typeof value === "string" ? tooLong(at, value, declared) : undefined;
    if (long) return long;
    if (typeof value === "string" && !value.isWellFormed())
      return { field: fieldAt(at), given: "text with half a surrogate pair", takes: "well-formed Unicode text" };
    const unmarked = typeof value === "string" ? takesUnmarked(value, isChange) : undefined;
    if (unmarked !== undefined) return { field: fieldAt(at), takes: unmarked };
    if (typeof value !== "object" || value === null) continue;
    if (depth >= limits.depth)
      return { field: fieldAt(at), given: "a deeper value", takes: `at most ${limits.depth} levels` };
    if (Array.isArray(value) && value.length > limits.items)
      return { field: fieldAt(at), given: `${value.length} items`, takes: `at most ${limits.items} items` };
    // A checked copy would silently lose this member, because assigning it sets the prototype.
    if (Object.hasOwn(value, "__proto__"))
      return { field: pathTo(fieldAt(at), "__proto__"), takes: "nothing: no member has this name" };
    const isList = Array.isArray(value);
    for (const [key, inner] of Object.entries(value)) {
      if (key.length > longestName)
        return {
          field: fieldAt(at) || "arguments",
          given: `a name of ${key.length} characters`,
          takes: `names of at most ${longestName} characters`,
        };
      const named = isList ? undefined : takesUnmarked(key, isChange);
      if (named !== undefined) return { field: fieldAt(at) || "arguments", takes: named };
      stack.push({ value: inner, depth: depth + 1, in: at, key: isList ? Number(key) : key });
    }
  }
  return undefined;
}
