/** The limits of a service, as its declarations have them: rules, sizes of arguments, and what a refusal for too much means. */
import { argumentsSchema } from "../arguments/index.js";
import type { AnyOperation } from "../language/define.js";
import type { Guide } from "../language/guide.js";
import { hintFor } from "../language/hint.js";
import { isRecord } from "../language/member.js";
import type { Service } from "../language/service.js";
import { jsonSchemaOf } from "../schema/json-schema.js";

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
      return hint === undefined ? [] : [`HTTP ${status}: ${hint}`];
    }),
  );
  return [...new Set(lines)];
}

/** Every limit that the declarations of a service tell, in sentences, after those that its guide names. */
export function limitsOf({ rules, operations }: Service, { limits = [] }: Guide): string[] {
  const all = Object.entries(operations);
  const named = limits.flatMap((name) => rules[name] ?? operations[name]?.spec.note ?? []);
  return [...named, ...refusals(all), ...argumentBounds(all)];
}
