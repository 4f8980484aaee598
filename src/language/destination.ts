/** Destinations in declarations: values that make the API send data to an address or host. */
import { type DestinationKind, markAmong, markSchema } from "./marks.js";
import { pathTo } from "./member.js";
import { declares, eachAt, formsOf } from "./shape.js";
import { z } from "./z.js";

/** A destination, and its path in the arguments. */
export interface Destination {
  readonly kind: DestinationKind;
  readonly field: string;
  readonly value: string;
}

/** Marks a schema whose values are destinations, so that a policy can allow them by name. */
export const destination = <S extends z.ZodType>(kind: DestinationKind, schema: S): S =>
  markSchema(schema, { destination: kind });

/**
 * The kind suggested by a field's name, the safeguard for undeclared fields: `Host` at its end, unlike `hostHeader`.
 */
function suggestedBy(key: PropertyKey): DestinationKind | undefined {
  const name = String(key);
  if (/e-?mail|recipient/i.test(name)) return "email";
  return /(?<!g)host(?:[-_]?name)?s?$/i.test(name) ? "host" : undefined;
}

/** A choice such as `REQUEST_HOST_HEADER`, which replaces a host and is not one. */
const isChoice = (value: unknown): boolean => typeof value === "string" && /^[A-Z]+(?:_[A-Z]+)+$/.test(value);

/** The same for an undeclared field; none for known other meanings. */
function suggestedFor(forms: readonly z.ZodType[], key: string, member: unknown): DestinationKind | undefined {
  if (forms.some((form) => declares(form, key))) return undefined;
  const suggested = suggestedBy(key);
  return suggested === "host" && isChoice(member) ? undefined : suggested;
}

const markIn = markAmong("destination");

/** Whether a schema or its items are marked. */
export const isDestination = (schema: z.ZodType): boolean => {
  const forms = formsOf(schema);
  return (
    markIn(forms) !== undefined ||
    forms.some((form) => form instanceof z.ZodArray && isDestination(form.element as z.ZodType))
  );
};

/**
 * Every destination in a value: texts that its schema marks, and texts in undeclared fields whose names suggest email
 * addresses or hosts, because open objects accept those as well.
 */
export function destinationsIn(schema: z.ZodType, root: unknown): Destination[] {
  const destinations: Destination[] = [];
  // A single mutable path, copied when something is found: most values have thousands of fields and no destination.
  const path: PropertyKey[] = [];
  const visit = (forms: readonly z.ZodType[], value: unknown, around: DestinationKind | undefined) => {
    const kind = around ?? markIn(forms);
    if (typeof value === "string" && kind !== undefined && value !== "")
      destinations.push({ kind, field: path.reduce<string>(pathTo, ""), value });
    eachAt(forms, value, (member, memberForms, key) => {
      path.push(key);
      visit(memberForms, member, kind ?? (typeof key === "number" ? undefined : suggestedFor(forms, key, member)));
      path.pop();
    });
  };
  visit(formsOf(schema), root, undefined);
  return destinations;
}
