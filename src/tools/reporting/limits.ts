/** Limits by report: each report accepts only its own intervals, metrics and filters. */
import type { Check } from "../../language/check.js";
import { type FieldProblem, quoteValue } from "../../language/failure.js";
import { memberAt } from "../../language/member.js";
import { didYouMean, guessName } from "../../text/nearest.js";
import { reportTypes } from "./catalogue.js";

/** A problem for each value that a report does not take; the elements of a list are checked one by one. */
function disallowedValues(field: string, value: unknown, values: readonly string[], report: string): FieldProblem[] {
  if (value === undefined) return [];
  const path = field.split(".");
  const entries: readonly (readonly [PropertyKey[], unknown])[] = Array.isArray(value)
    ? value.map((item, at) => [[...path, at], item])
    : [[path, value]];
  const others = entries.filter(([, item]) => !values.includes(String(item)));
  return others.map(([at, item]) => {
    const meant = guessName(String(item), values);
    const takes =
      values.length === 0
        ? `nothing: ${report} takes none`
        : `one of ${values.join(", ")} for ${report}${didYouMean(String(item), values)}`;
    return { field, given: quoteValue(item), takes, ...(meant !== undefined && { mends: [{ at, value: meant }] }) };
  });
}

/** A problem for each member whose name a report does not have. */
function disallowedNames(field: string, value: unknown, names: readonly string[], report: string): FieldProblem[] {
  const others = Object.keys(value ?? {}).filter((name) => !names.includes(name));
  return others.map((name) => {
    const meant = guessName(name, names);
    const known = names.length === 0 ? "no such members" : `only ${names.join(", ")}`;
    const takes = `nothing: ${report} has ${known}${didYouMean(name, names)}`;
    const at = [...field.split("."), name];
    return { field: `${field}.${name}`, takes, ...(meant !== undefined && { mends: [{ at, name: meant }] }) };
  });
}

const namesOf = (all: readonly { readonly name: string }[]): string[] => all.map(({ name }) => name);

/**
 * Checks that a call is within the limits of its report; one that is not documented has none.
 * @param place Where the call has its metrics and filters.
 */
export const withinLimits =
  (place: "" | "body."): Check =>
  ({ args }) => {
    const type = reportTypes.find(({ name, version }) => name === args["reportName"] && version === args["version"]);
    if (type === undefined) return [];
    const { name, version, intervals = [], metrics, filters } = type;
    const report = `${name}/${version}`;
    const isMissing = args["interval"] === undefined && intervals.length > 0;
    const check = (field: string, values: readonly string[]) =>
      disallowedValues(field, memberAt(args, field), values, report);
    return [
      ...(isMissing ? [{ field: "interval", takes: `one of ${intervals.join(", ")}; ${report} requires it` }] : []),
      ...check("interval", intervals),
      ...check(`${place}metrics`, namesOf(metrics)),
      ...disallowedNames(`${place}filters`, memberAt(args, `${place}filters`), namesOf(filters), report),
      ...filters.flatMap(({ name: filter, values: choices }) => {
        const values = choices?.map(({ value }) => value);
        return values ? check(`${place}filters.${filter}`, values) : [];
      }),
    ];
  };
