/** Arguments that no operation accepts: too deep, too long, too many, or containing a mark from a result. */
import { type FieldProblem, quoteValue } from "../language/failure.js";
import { markOf } from "../language/marks.js";
import { pathTo } from "../language/member.js";
import { hasSpelling } from "../language/mend.js";
import { isUnsent } from "../language/read-only.js";
import { formsAt, formsOf, isNamed, isOpen } from "../language/shape.js";
import { z } from "../language/z.js";
import { findMask } from "../secrets/masking.js";
import { inexactIn, takesExact } from "../text/exact-number.js";
import { excessOf, mostInJson, sizeOfJson } from "../text/json-size.js";
import { findCharacterMark, hasCutMark } from "../text/marks.js";
import { longestInstant } from "../time/instant.js";

const longestText = 256 * 1024;
/** The maximum length of names, and of codes without their own limit. */
const longestName = 1024;
// No server accepts a longer line in a request's head.
const longestInHead = 8 * 1024;

const hasPattern = (schema: z.ZodString): boolean =>
  schema.format !== null || (schema.def.checks ?? []).some(({ _zod }) => _zod.def.check === "string_format");

/** The maximum length of a text by its schema; undefined if it accepts none, or any. */
function lengthOf(form: z.ZodType): number | undefined {
  if (!(form instanceof z.ZodString)) return hasSpelling(form) ? longestName : undefined;
  return form.maxLength ?? (hasSpelling(form) || hasPattern(form) ? longestName : undefined);
}

/** Whether text in place of a value may be its JSON. */
const takesJson = (form: z.ZodType): boolean =>
  form instanceof z.ZodObject ||
  form instanceof z.ZodArray ||
  form instanceof z.ZodTuple ||
  form instanceof z.ZodRecord ||
  isOpen(form);

/**
 * The maximum length of a text at a path of the arguments. Shorter texts are left to the schema, whose errors are more
 * specific.
 * @param path The steps to the text from the root of the arguments.
 * @param isInHead Whether everything outside of the body becomes part of the request's head, and has to be short.
 */
function longestAt(schema: z.ZodType, path: readonly PropertyKey[], isInHead: boolean): number {
  const usual = isInHead && path[0] !== "body" ? longestInHead : longestText;
  const forms = path.reduce(formsAt, formsOf(schema));
  if (forms.some(takesJson)) return longestText;
  // A converted time has two forms, one of which is any text.
  if (forms.some((form) => markOf(form, "instant") !== undefined)) return longestInstant;
  const known = forms.map(lengthOf);
  const isAny = forms.some((form, at) => form instanceof z.ZodString && known[at] === undefined);
  const lengths = known.filter((length) => length !== undefined);
  return isAny || lengths.length === 0 ? usual : Math.max(...lengths);
}

const maxDepth = 32;
// The largest documented object has a few dozen. Where any name is taken, only the size of a message is a bound.
const mostNamed = 1_000;

/** Whether an object has more members than any whose schema names them all. */
export const hasTooManyNames = (value: object, forms: () => readonly z.ZodType[]): boolean =>
  !Array.isArray(value) && Object.keys(value).length > mostNamed && isNamed(forms());

/**
 * What a text takes instead if it contains a mark from a result: a change built on truncated or marked data would lose
 * the rest or write the mark.
 */
function takesUnmarked(text: string, isChange: boolean): string | undefined {
  if (hasCutMark(text))
    return "the whole value: this one was truncated in a result; read the rest first (smaller page, filter, or the stored result)";
  const mask = isChange ? findMask(text) : undefined;
  if (mask !== undefined)
    return `the secret itself, which the user knows, or no field if the API then keeps the present value: ${mask} replaces a secret that was not shown`;
  const found = isChange ? findCharacterMark(text) : undefined;
  if (!found) return undefined;
  const units = Array.from({ length: found.character.length }, (_, at) =>
    found.character.charCodeAt(at).toString(16).padStart(4, "0"),
  );
  const written = units.map((unit) => `\\u${unit}`).join("");
  return `the character itself, written ${written}: ${found.mark} replaces a character that was shown as a mark`;
}

/** Whether a path is in a field that is accepted as it was read and not sent, so that a mask in it is not written. */
function isUnsentAt(schema: z.ZodType, path: readonly PropertyKey[]): boolean {
  let forms: readonly z.ZodType[] = formsOf(schema);
  return path.some((step) => {
    forms = formsAt(forms, step);
    return isUnsent(forms);
  });
}

/** A value on the stack with its parent, from which its path is derived if it has a problem. */
interface ValueNode {
  readonly value: unknown;
  readonly depth: number;
  readonly in?: ValueNode;
  readonly key?: string | number;
}

const pathOf = ({ in: around, key }: ValueNode): PropertyKey[] =>
  around === undefined || key === undefined ? [] : [...pathOf(around), key];

const fieldAt = (node: ValueNode): string => pathOf(node).reduce<string>(pathTo, "");

interface ArgumentRules {
  readonly schema: z.ZodType;
  /** Whether everything outside of the body becomes part of a request's head. */
  readonly isInHead: boolean;
  /** Whether the call changes something, so that marks from results must not be written. */
  readonly isChange: boolean;
}

/** The problem of a text that is too long for its declaration, which only reports the length. */
function tooLong(node: ValueNode, text: string, { schema, isInHead }: ArgumentRules): FieldProblem | undefined {
  // Texts no longer than a name are left to the schema, whose errors are more specific.
  if (text.length <= longestName) return undefined;
  const path = pathOf(node);
  const most = longestAt(schema, path, isInHead);
  if (text.length > most)
    return { field: fieldAt(node), given: `${text.length} characters`, takes: `at most ${most} characters` };
  // A text in the place of an object or a list is its JSON, which can hold no more than the arguments themselves.
  const isJson = /^\s*[[{]/.test(text) && path.reduce(formsAt, formsOf(schema)).some(takesJson);
  const excess = isJson ? excessOf(sizeOfJson(text)) : undefined;
  return excess && { field: fieldAt(node), ...excess };
}

function unusableText(node: ValueNode, text: string, rules: ArgumentRules): FieldProblem | undefined {
  const number = inexactIn(text);
  if (number !== undefined) return { field: fieldAt(node), given: quoteValue(number).slice(1, -1), takes: takesExact };
  const long = tooLong(node, text, rules);
  if (long) return long;
  if (!text.isWellFormed())
    return { field: fieldAt(node), given: "text with half a surrogate pair", takes: "well-formed Unicode text" };
  const takes = takesUnmarked(text, rules.isChange && !(findMask(text) && isUnsentAt(rules.schema, pathOf(node))));
  return takes === undefined ? undefined : { field: fieldAt(node), takes };
}

function unusableHolder(node: ValueNode, value: object, schema: z.ZodType): FieldProblem | undefined {
  if (node.depth >= maxDepth)
    return { field: fieldAt(node), given: "a deeper value", takes: `at most ${maxDepth} levels` };
  if (Array.isArray(value) && value.length > mostInJson.items)
    return { field: fieldAt(node), given: `${value.length} items`, takes: `at most ${mostInJson.items} items` };
  if (hasTooManyNames(value, () => pathOf(node).reduce(formsAt, formsOf(schema))))
    return {
      field: fieldAt(node),
      given: `${Object.keys(value).length} members`,
      takes: `at most ${mostNamed} members here`,
    };
  // A validated copy would silently lose this member, because assigning it sets the prototype.
  return Object.hasOwn(value, "__proto__")
    ? { field: pathTo(fieldAt(node), "__proto__"), takes: "nothing: this name is not allowed" }
    : undefined;
}

function unusableName(node: ValueNode, name: string, isChange: boolean): FieldProblem | undefined {
  // The path is only computed for invalid names, because most are valid.
  const field = () => fieldAt(node) || "arguments";
  if (name.length > longestName)
    return {
      field: field(),
      given: `a name of ${name.length} characters`,
      takes: `names of at most ${longestName} characters`,
    };
  const takes = takesUnmarked(name, isChange);
  return takes === undefined ? undefined : { field: field(), takes };
}

/** The problem of a value itself, without its members. */
function unusableAt(node: ValueNode, rules: ArgumentRules): FieldProblem | undefined {
  const { value } = node;
  if (typeof value === "string") return unusableText(node, value, rules);
  return typeof value === "object" && value !== null ? unusableHolder(node, value, rules.schema) : undefined;
}

function membersOf({ value }: ValueNode): readonly (readonly [key: string | number, member: unknown])[] {
  if (Array.isArray(value)) return [...value.entries()];
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/** Rejects values that are too deep, too long, too many or marked, before any pattern or recursion processes them. */
export function findUnusable(root: unknown, rules: ArgumentRules): FieldProblem | undefined {
  const stack: ValueNode[] = [{ value: root, depth: 0 }];
  let nodes = 0;
  for (let node = stack.pop(); node; node = stack.pop()) {
    nodes += 1;
    if (nodes > mostInJson.values) return { field: "arguments", takes: `at most ${mostInJson.values} values in all` };
    const problem = unusableAt(node, rules);
    if (problem) return problem;
    for (const [key, value] of membersOf(node)) {
      const nameProblem = typeof key === "string" ? unusableName(node, key, rules.isChange) : undefined;
      if (nameProblem) return nameProblem;
      stack.push({ value, depth: node.depth + 1, in: node, key });
    }
  }
  return undefined;
}
