/** The tool that covers a path, and the service to which a path belongs. */
import type { OperationLibrary } from "../definitions/library.js";
import type { PathQuery } from "../definitions/path-read.js";
import { patternAt, routePatternsOf } from "../emulator/router.js";
import type { Arguments } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { styleOf } from "../language/media.js";
import { serviceOf, services } from "../tools/index.js";
import type { Catalogue } from "./catalogue.js";

/** What is known of a path. */
interface PathTool {
  /** The service or imported API with the longest root that the path begins with; undefined if none matches. */
  readonly service: string | undefined;
  /** The call of the tool that covers it; undefined if there is none. */
  readonly call: { readonly tool: string; readonly declared: AnyOperation; readonly arguments: Arguments } | undefined;
}

/** The operations of a service or an imported API that a catalogue has. */
async function operationsIn(id: string, catalogue: Catalogue, library: OperationLibrary | undefined) {
  const declared = Object.entries<AnyOperation>((await serviceOf(id))?.operations ?? {}).filter(([tool]) => {
    const entry = catalogue.get(tool);
    return entry !== undefined && entry.retired === undefined && entry.imported === undefined;
  });
  const summary = library?.summaries().find((one) => one.id === id);
  const gets = Object.entries(summary?.operations ?? {}).filter(([, route]) => route.startsWith("GET "));
  const imported = gets.map(async ([tool]) => [tool, await library?.find(tool)?.operation()] as const);
  return [...declared, ...(await Promise.all(imported))].flatMap(([tool, one]) => (one ? [[tool, one] as const] : []));
}

/** The value of an argument in a query, as its tool takes it. */
function queryArgument({ spec: { query = {} } }: AnyOperation, name: string, [first = "", ...more]: readonly string[]) {
  if (more.length > 0) return [first, ...more];
  const declared = Object.hasOwn(query, name) ? query[name] : undefined;
  return declared && styleOf(declared) === "comma" ? first.split(",") : first;
}

/**
 * Finds the tool that covers the GET of a path: a declared one before an imported one.
 * @param vendor The word for `<vendor>` in paths.
 * @param library The imported operations that are offered.
 */
export async function toolOfPath(
  path: string,
  query: PathQuery,
  vendor: string,
  { catalogue, library }: { readonly catalogue: Catalogue; readonly library: OperationLibrary | undefined },
): Promise<PathTool> {
  const roots = [
    ...Object.entries(services).flatMap(([id, load]) => load.roots.map((root) => ({ id, root }))),
    ...(library?.summaries() ?? []).map(({ id, base }) => ({ id, root: `${base}/` })),
  ]
    .map(({ id, root }) => ({ id, root: root.replaceAll("<vendor>", vendor) }))
    .filter(({ root }) => root !== "/" && path.startsWith(root))
    .sort((a, b) => b.root.length - a.root.length);
  const url = new URL(path, "https://host.invalid");
  for (const [name, values] of Object.entries(query)) for (const one of values) url.searchParams.append(name, one);
  for (const { id } of roots) {
    const operations = Object.fromEntries(await operationsIn(id, catalogue, library));
    const match = patternAt(routePatternsOf(operations, vendor), "GET", url);
    if (!match) continue;
    const { tool, operation, fixed } = match.place;
    const keys = Object.entries(match.segments).map(([key, text]) => [key, decodeURIComponent(text)] as const);
    const given = Object.entries(query).flatMap(([name, values]) =>
      fixed.some(([one]) => one === name) ? [] : [[name, queryArgument(operation, name, values)] as const],
    );
    return { service: id, call: { tool, declared: operation, arguments: Object.fromEntries([...keys, ...given]) } };
  }
  return { service: roots[0]?.id, call: undefined };
}
