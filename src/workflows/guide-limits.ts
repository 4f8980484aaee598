/** The limits of a service, as its declarations have them: rules, sizes of arguments, and what a refusal for too much means. */
import { argumentsSchema } from "../api/arguments.js";
import type { AnyOperation } from "../api/define.js";
import { hintFor } from "../api/hint.js";
import { jsonSchemaOf } from "../api/json-schema.js";
import { isRecord } from "../api/member.js";
import type { Service } from "../api/service.js";

/** Numbers that count nothing: references, statuses of answers, and the numbers of versions, pages and standards. */
const countsNothing =
  /\(public facts[^)]*\)|\b[2-5]\d\d\b(?! (?:days|items|rows|entries))|\b(?:version|page|id|draft|ISO|v)\s?\d+/g;
const quantity = /\d|\b(two|three|four|five|six|seven|eight|nine|ten|once|only|alone|at most|at least|cannot)\b/i;

/** Whether a rule says how much there is of something, or leaves something out; the others say how the service works. */
export const isLimit = (rule: string): boolean => quantity.test(rule.replaceAll(countsNothing, ""));

/** The statuses of a refusal for too much: too large, too often, too full, unavailable. */
const tooMuch = [413, 429, 503, 507];

const grouped = (count: number): string => count.toLocaleString("en-US");

type Bounded = readonly [path: string, bound: string];

/** The bounds of lists and numbers in a schema, each with the path of what it bounds. */
function boundsIn(schema: unknown, path: string): Bounded[] {
  if (!isRecord(schema)) return [];
  const { maxItems, maximum, minimum, properties, items } = schema;
  // An integer that nothing bounds is listed with the largest one that a number can hold.
  const isBound = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER;
  const least = typeof minimum === "number" && minimum > 0 ? `${grouped(minimum)} to ` : "at most ";
  return [
    ...(typeof maxItems === "number"
      ? [[path, `at most ${grouped(maxItems)} item${maxItems === 1 ? "" : "s"}`] as const]
      : []),
    ...(isBound ? [[path, `${least}${grouped(maximum)}`] as const] : []),
    ...(isRecord(properties)
      ? Object.entries(properties).flatMap(([name, member]) => boundsIn(member, path === "" ? name : `${path}.${name}`))
      : []),
    ...boundsIn(items, path),
  ];
}

/** The bounds of the arguments of a service's operations: what has the same bound in the same tools stands together. */
function argumentBounds(operations: readonly (readonly [string, AnyOperation])[]): string[] {
  const toolsOf = new Map<string, string[]>();
  for (const [tool, operation] of operations)
    for (const bounded of boundsIn(jsonSchemaOf(argumentsSchema(operation), "input"), "")) {
      const key = JSON.stringify(bounded);
      toolsOf.set(key, [...(toolsOf.get(key) ?? []), tool]);
    }
  const pathsOf = new Map<string, string[]>();
  for (const [key, tools] of toolsOf) {
    const [path, bound] = JSON.parse(key) as Bounded;
    const [first, ...others] = [...new Set(tools)];
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    const where = `${bound} (\`${first}\`${more}).`;
    pathsOf.set(where, [...(pathsOf.get(where) ?? []), `\`${path}\``]);
  }
  return [...pathsOf].map(([where, paths]) => `${paths.join(", ")}: ${where}`);
}

/** What the refusals for too much mean, each once. */
function refusals(operations: readonly (readonly [string, AnyOperation])[]): string[] {
  const lines = operations.flatMap(([, { spec }]) =>
    tooMuch.flatMap((status) => {
      const hint = hintFor(spec, status);
      return spec.errors?.[status] === undefined || hint === undefined ? [] : [`HTTP ${status}: ${hint}`];
    }),
  );
  return [...new Set(lines)];
}

/** Every limit that the declarations of a service tell, in sentences. */
export function limitsOf({ rules, operations }: Service): string[] {
  const all = Object.entries(operations);
  const notes = all.flatMap(([, { spec }]) =>
    spec.note !== undefined && /\blimit/i.test(spec.note) ? [spec.note] : [],
  );
  return [...Object.values(rules).filter(isLimit), ...new Set(notes), ...refusals(all), ...argumentBounds(all)];
}
