/** Arguments that no operation can use: too deep, too long for what they are declared as, too many, or containing a mark from an earlier answer. */
import type { FieldProblem } from "../language/failure.js";
import { findCharacterMark, hasCutMark } from "../language/marks.js";
import { pathTo } from "../language/member.js";
import { isSpelled } from "../language/mend.js";
import { z } from "../language/z.js";
import { markOf } from "../schema/marks.js";
import { formsAt, formsOf, isOpen } from "../schema/shape.js";
import { findMask } from "../secrets/masking.js";
import { longestInstant } from "../time/instant.js";

const longestText = 256 * 1024;
/** The name of a member, and a code without a bound of its own. */
const longestName = 1024;
// No server takes a line of a request's head that is longer.
const longestInHead = 8 * 1024;

const hasPattern = (schema: z.ZodString): boolean =>
  schema.format !== null || (schema.def.checks ?? []).some(({ _zod }) => _zod.def.check === "string_format");

/** The greatest length of a text that a schema takes; undefined where it takes none, or any. */
function lengthOf(form: z.ZodType): number | undefined {
  if (!(form instanceof z.ZodString)) return isSpelled(form) ? longestName : undefined;
  return form.maxLength ?? (isSpelled(form) || hasPattern(form) ? longestName : undefined);
}

/** Whether text in the place of a value may be JSON of what a schema takes. */
const takesJson = (form: z.ZodType): boolean =>
  form instanceof z.ZodObject ||
  form instanceof z.ZodArray ||
  form instanceof z.ZodTuple ||
  form instanceof z.ZodRecord ||
  isOpen(form);

/**
 * The greatest length of a text at a place of the arguments. What is shorter than any name is left to the schema, which
 * has more to say than its length.
 * @param path The steps to the text from the root of the arguments.
 * @param isInHead Whether what is beside the body becomes part of the request's head, and so is short in any case.
 */
function longestAt(schema: z.ZodType, path: readonly PropertyKey[], isInHead: boolean): number {
  const usual = isInHead && path[0] !== "body" ? longestInHead : longestText;
  const forms = path.reduce(formsAt, formsOf(schema));
  if (forms.some(takesJson)) return longestText;
  // A time that is converted is of two forms, of which one is any text.
  if (forms.some((form) => markOf(form, "instant") !== undefined)) return longestInstant;
  const known = forms.map(lengthOf);
  const isAny = forms.some((form, at) => form instanceof z.ZodString && known[at] === undefined);
  const lengths = known.filter((length) => length !== undefined);
  return isAny || lengths.length === 0 ? usual : Math.max(...lengths);
}

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

const pathOf = ({ in: around, key }: Place): PropertyKey[] =>
  around === undefined || key === undefined ? [] : [...pathOf(around), key];

const fieldAt = (place: Place): string => pathOf(place).reduce<string>(pathTo, "");

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

function unusableText(place: Place, text: string, declared: Declared): FieldProblem | undefined {
  const long = tooLong(place, text, declared);
  if (long) return long;
  if (!text.isWellFormed())
    return { field: fieldAt(place), given: "text with half a surrogate pair", takes: "well-formed Unicode text" };
  const takes = takesUnmarked(text, declared.isChange);
  return takes === undefined ? undefined : { field: fieldAt(place), takes };
}

function unusableHolder(place: Place, value: object): FieldProblem | undefined {
  if (place.depth >= limits.depth)
    return { field: fieldAt(place), given: "a deeper value", takes: `at most ${limits.depth} levels` };
  if (Array.isArray(value) && value.length > limits.items)
    return { field: fieldAt(place), given: `${value.length} items`, takes: `at most ${limits.items} items` };
  // A checked copy would silently lose this member, because assigning it sets the prototype.
  return Object.hasOwn(value, "__proto__")
    ? { field: pathTo(fieldAt(place), "__proto__"), takes: "nothing: no member has this name" }
    : undefined;
}

function unusableName(place: Place, name: string, isChange: boolean): FieldProblem | undefined {
  // Where it is, is worked out for what is wrong alone: most names are not.
  const field = () => fieldAt(place) || "arguments";
  if (name.length > longestName)
    return {
      field: field(),
      given: `a name of ${name.length} characters`,
      takes: `names of at most ${longestName} characters`,
    };
  const takes = takesUnmarked(name, isChange);
  return takes === undefined ? undefined : { field: field(), takes };
}

/** What is wrong with a value by itself, whatever is in it. */
function unusableAt(place: Place, declared: Declared): FieldProblem | undefined {
  const { value } = place;
  if (typeof value === "string") return unusableText(place, value, declared);
  return typeof value === "object" && value !== null ? unusableHolder(place, value) : undefined;
}

function membersOf({ value }: Place): readonly (readonly [key: string | number, member: unknown])[] {
  if (Array.isArray(value)) return [...value.entries()];
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/** Refuses what is too deep, too long, too many or marked before a pattern or anything recursive looks at it. */
export function findUnusable(root: unknown, declared: Declared): FieldProblem | undefined {
  const stack: Place[] = [{ value: root, depth: 0 }];
  let nodes = 0;
  for (let at = stack.pop(); at; at = stack.pop()) {
    nodes += 1;
    if (nodes > limits.nodes) return { field: "arguments", takes: `at most ${limits.nodes} values in all` };
    const wrong = unusableAt(at, declared);
    if (wrong) return wrong;
    for (const [key, value] of membersOf(at)) {
      const misnamed = typeof key === "string" ? unusableName(at, key, declared.isChange) : undefined;
      if (misnamed) return misnamed;
      stack.push({ value, depth: at.depth + 1, in: at, key });
    }
  }
  return undefined;
}
