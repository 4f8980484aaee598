/** Destinations in declarations: the values that make the API send data to somebody, an address or a host. */
import { pathTo } from "../language/member.js";
import { z } from "../language/z.js";
import { type DestinationKind, markAmong, marked } from "./marks.js";
import { declares, eachAt, formsOf } from "./shape.js";

/** One value that data would be sent to, and where it stands in the arguments. */
export interface Destination {
  readonly kind: DestinationKind;
  readonly field: string;
  readonly value: string;
}

/** Marks a schema whose values are destinations, so that a policy can say which are allowed. */
export const destination = <S extends z.ZodType>(kind: DestinationKind, schema: S): S =>
  marked(schema, { destination: kind });

/** What a member's name suggests, the safeguard for what no schema describes: `Host` at its end is no `hostHeader`. */
function suggestedBy(key: PropertyKey): DestinationKind | undefined {
  const name = String(key);
  if (/e-?mail|recipient/i.test(name)) return "email";
  return /(?<!g)host(?:[-_]?name)?s?$/i.test(name) ? "host" : undefined;
}

/** A choice such as `REQUEST_HOST_HEADER`, which stands in the place of a host and is none. */
const isChoice = (value: unknown): boolean => typeof value === "string" && /^[A-Z]+(?:_[A-Z]+)+$/.test(value);

/** The same for a member that no schema declares; none for what has another meaning. */
function suggestedFor(forms: readonly z.ZodType[], key: string, member: unknown): DestinationKind | undefined {
  if (forms.some((form) => declares(form, key))) return undefined;
  const suggested = suggestedBy(key);
  return suggested === "host" && isChoice(member) ? undefined : suggested;
}

const markIn = markAmong("destination");

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
    eachAt(forms, value, (member, own, key) => {
      path.push(key);
      visit(own, member, kind ?? (typeof key === "number" ? undefined : suggestedFor(forms, key, member)));
      path.pop();
    });
  };
  visit(formsOf(schema), root, undefined);
  return found;
}
