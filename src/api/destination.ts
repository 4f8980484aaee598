/** Destinations in declarations: the values that make the API send data to somebody, an address or a host. */
import { pathTo } from "./member.js";
import { onceFor } from "./once-for.js";
import { declares, formsAt, formsOf } from "./shape.js";
import { z } from "./z.js";

/** What data is sent to: a mail address, or a host that files, logs or the requests of visitors go to. */
export type DestinationKind = "email" | "host";

/** Keyed by schema; a schema made from a marked one (`.min(8)`, `.describe(…)`) is marked, too. */
const marks = z.registry<{ readonly kind: DestinationKind }>();

/** One value that data would be sent to, and where it stands in the arguments. */
export interface Destination {
  readonly kind: DestinationKind;
  readonly field: string;
  readonly value: string;
}

/** Marks a schema whose values are destinations, so that a policy can say which are allowed. */
export function destination<S extends z.ZodType>(kind: DestinationKind, schema: S): S {
  // A clone: the mark must not reach another use of the same schema.
  const marked = schema.clone();
  marks.add(marked, { kind });
  return marked;
}

/** What a member's name suggests, the safeguard for what no schema describes: `Host` at its end is no `hostHeader`. */
function suggestedBy(key: PropertyKey): DestinationKind | undefined {
  const name = String(key);
  if (/e-?mail|recipient/i.test(name)) return "email";
  return /(?<!g)host(?:[-_]?name)?s?$/i.test(name) ? "host" : undefined;
}

/** A choice such as `REQUEST_HOST_HEADER`, which stands in the place of a host and is none. */
const isChoice = (value: unknown): boolean => typeof value === "string" && /^[A-Z]+(?:_[A-Z]+)+$/.test(value);

const markIn = onceFor((forms: readonly z.ZodType[]): DestinationKind | undefined =>
  forms.map((form) => marks.get(form)?.kind).find((kind) => kind !== undefined),
);

/** Whether a schema or what it lists is marked. */
export const isDestination = (schema: z.ZodType): boolean => {
  const forms = formsOf(schema);
  return (
    markIn(forms) !== undefined ||
    forms.some((form) => form instanceof z.ZodArray && isDestination(form.element as z.ZodType))
  );
};

/**
 * Every destination in a value: the texts that its schema marks, and the texts in members that no schema declares but
 * whose name suggests mail addresses or hosts, because an open object takes those as well.
 */
export function destinationsIn(schema: z.ZodType, root: unknown): Destination[] {
  const found: Destination[] = [];
  // One path for all, written out where something is found: most values have thousands of members and no destination.
  const path: PropertyKey[] = [];
  const visit = (forms: readonly z.ZodType[], value: unknown, around: DestinationKind | undefined) => {
    const kind = around ?? markIn(forms);
    if (typeof value === "string" && kind !== undefined && value !== "")
      found.push({ kind, field: path.reduce<string>(pathTo, ""), value });
    if (typeof value !== "object" || value === null) return;
    const inside = (key: string | number, member: unknown, of: DestinationKind | undefined) => {
      path.push(key);
      visit(formsAt(forms, key), member, of);
      path.pop();
    };
    if (Array.isArray(value)) for (const [at, item] of value.entries()) inside(at, item, kind);
    else
      for (const [key, member] of Object.entries(value)) {
        const suggested = forms.some((form) => declares(form, key)) ? undefined : suggestedBy(key);
        inside(key, member, kind ?? (suggested === "host" && isChoice(member) ? undefined : suggested));
      }
  };
  visit(formsOf(schema), root, undefined);
  return found;
}
