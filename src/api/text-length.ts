/** How long a text of the arguments may be, by what its declaration says that it is: a time, a code, a name, or any text. */
import { instants, longestInstant } from "./instant.js";
import { isSpelled } from "./mend.js";
import { formsAt, formsOf, isOpen } from "./shape.js";
import { z } from "./z.js";

/** No text is longer. */
const longestText = 256 * 1024;
/** The name of a member, and a code without a bound of its own. */
export const longestName = 1024;
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
export function longestAt(schema: z.ZodType, path: readonly PropertyKey[], isInHead: boolean): number {
  const usual = isInHead && path[0] !== "body" ? longestInHead : longestText;
  const forms = path.reduce(formsAt, formsOf(schema));
  if (forms.some(takesJson)) return longestText;
  // A time that is converted is of two forms, of which one is any text.
  if (forms.some((form) => instants.get(form) !== undefined)) return longestInstant;
  const known = forms.map(lengthOf);
  const isAny = forms.some((form, at) => form instanceof z.ZodString && known[at] === undefined);
  const lengths = known.filter((length) => length !== undefined);
  return isAny || lengths.length === 0 ? usual : Math.max(...lengths);
}
