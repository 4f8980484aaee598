/** What a newer definition changes of the one in the box, as lines: its routes, and of each route the facts that differ. */
import { isDeepStrictEqual } from "node:util";
import type { CompiledMedia, CompiledOperation, Definition } from "../src/definitions/definition.js";
import { plainRoute } from "../src/definitions/route.js";
import type { DeclaredRoutes } from "../src/definitions/store.js";
import { isRecord } from "../src/language/member.js";

const mostCharacters = 160;

const shortened = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
};

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isSet = (value: unknown): value is readonly unknown[] => isList(value) && !value.some(isRecord);

/** What differs between two values, each difference with its place: what came, what went, and what is another. */
function* differences(before: unknown, after: unknown, path: readonly string[] = []): Generator<string> {
  if (isDeepStrictEqual(before, after)) return;
  const at = path.join(" ");
  if (before === undefined) yield `+ ${at} ${shortened(after)}`;
  else if (after === undefined) yield `- ${at} ${shortened(before)}`;
  else if (isSet(before) && isSet(after)) {
    for (const one of before) if (!after.includes(one)) yield `- ${at} ${shortened(one)}`;
    for (const one of after) if (!before.includes(one)) yield `+ ${at} ${shortened(one)}`;
  } else if ((isRecord(before) && isRecord(after)) || (isList(before) && isList(after))) {
    const [was, is] = [before, after].map((one) => new Map<string, unknown>(Object.entries(one)));
    for (const name of new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]))
      yield* differences(was?.get(name), is?.get(name), [...path, name]);
  } else yield `  ${at} ${shortened(before)} -> ${shortened(after)}`;
}

/** The facts of an operation with its shapes in their places. */
function factsIn({ shapes }: Definition, { body, returns, ...operation }: CompiledOperation) {
  const contentOf = (media: CompiledMedia | null) =>
    Object.fromEntries(
      (media ? [media, ...(media.others ?? [])] : []).map(({ type, shape = -1 }) => [type, shapes[shape] ?? {}]),
    );
  return {
    ...operation,
    ...(body && { body: { isRequired: body.isRequired ?? false, ...contentOf(body) } }),
    returns: Object.fromEntries(Object.entries(returns).map(([status, media]) => [status, contentOf(media)])),
  };
}

/** The operations of a definition by their routes without the names of keys. */
const byRoute = (definition: Definition | undefined) =>
  new Map(
    Object.entries(definition?.operations ?? {}).map(
      ([name, one]) => [plainRoute(one.route), { name, facts: definition && factsIn(definition, one) }] as const,
    ),
  );

/** What differs between two definitions of an API; none of it if only the files do. */
function* changesOf(
  before: Definition | undefined,
  after: Definition | undefined,
  tools: DeclaredRoutes,
): Generator<string> {
  const [old, now] = [byRoute(before), byRoute(after)];
  for (const route of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(route), now.get(route)];
    const tool = tools.get(route);
    const titled = `${route}${tool === undefined ? "" : `, declared as ${tool}`}`;
    if (was === undefined) yield `+ ${titled}`;
    else if (is === undefined) yield `- ${titled}`;
    else {
      const found = [...differences({ name: was.name, ...was.facts }, { name: is.name, ...is.facts })];
      if (found.length > 0) yield* [`  ${titled}`, ...found.map((one) => `    ${one}`)];
    }
  }
}

/**
 * What newer definitions change, API by API.
 * @param tools The declared tools, each after the name of its service.
 */
export function linesOfChanges(
  before: readonly Definition[],
  after: readonly Definition[],
  tools: DeclaredRoutes,
): readonly string[] {
  const bases = [...new Set([...before, ...after].map(({ base }) => base))].toSorted();
  return bases.flatMap((base) => {
    const [old, now] = [before, after].map((some) => some.find((one) => one.base === base));
    const lines = [...changesOf(old, now, tools)];
    const isOther = old?.digest !== now?.digest;
    const said = isOther ? ["  The files differ: its reviewed reads are guarded until they are reviewed again."] : [];
    return lines.length + said.length === 0 ? [] : [`${base}`, ...said, ...lines];
  });
}
