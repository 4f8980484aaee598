/** Imports definitions: from files to compiled definitions with lasting names, and findings about them. */
import { baseOf, compile } from "./compile.js";
import type { Definition, ImportFinding } from "./definition.js";
import { apiAt } from "./known-apis.js";
import { type DefinitionSource, readDefinitions } from "./read.js";

/**
 * The names that earlier imports have assigned: by the base path of an API its prefix, and by route the names of its
 * operations.
 */
export type GivenNames = Readonly<
  Record<string, { readonly id: string; readonly names: Readonly<Record<string, string>> }>
>;

/** The context of an import. */
export interface ImportOptions {
  readonly given: GivenNames;
  /** Whether a name is that of a declared tool. */
  readonly isTool: (name: string) => boolean;
  /** Whether a prefix is that of a declared service. */
  readonly isService: (id: string) => boolean;
  /** Whether titles of the definitions are kept, too. */
  readonly withDescriptions: boolean;
}

/** What was imported, and what was not. */
export interface Imported {
  readonly definitions: readonly Definition[];
  readonly findings: readonly ImportFinding[];
}

/** The entry files of each API, by its base path. */
function sourcesByBase(
  paths: readonly string[],
  report: (finding: ImportFinding) => void,
): Map<string, DefinitionSource[]> {
  const byBase = new Map<string, DefinitionSource[]>();
  for (const path of paths)
    for (const source of readDefinitions(path, report)) {
      const base = baseOf(source.value["servers"]);
      if (base === undefined) {
        const why = "its server is not https://{hostname} with a path: another host or signature would be needed";
        report({ at: source.path, why });
      } else byBase.set(base, [...(byBase.get(base) ?? []), source]);
    }
  return byBase;
}

/**
 * Imports the definitions in files and folders.
 * @throws Failure `bad_configuration` for a path that does not exist.
 */
export function importDefinitions(
  paths: readonly string[],
  { given: priorApis, isTool, isService, withDescriptions }: ImportOptions,
): Imported {
  const findings: ImportFinding[] = [];
  const report = (finding: ImportFinding) => findings.push(finding);
  const byBase = sourcesByBase(paths, report);
  const ids = new Set(Object.entries(priorApis).flatMap(([base, { id }]) => (byBase.has(base) ? [] : [id])));
  const owners = new Map(
    Object.entries(priorApis).flatMap(([base, one]) => Object.values(one.names).map((name) => [name, base] as const)),
  );
  const definitions: Definition[] = [];
  for (const [base, sources] of [...byBase].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const before = Object.hasOwn(priorApis, base) ? priorApis[base] : undefined;
    const { id, title } = apiAt(base, (one) => ids.has(one) || isService(one));
    const definition = compile(sources, {
      id: before?.id ?? id,
      title,
      base,
      given: new Map(Object.entries(before?.names ?? {})),
      isTaken: (name) => isTool(name) || (owners.get(name) ?? base) !== base,
      withDescriptions,
      report,
    });
    if (definition === undefined) continue;
    ids.add(definition.id);
    for (const name of Object.keys(definition.operations)) owners.set(name, base);
    definitions.push(definition);
  }
  return { definitions, findings };
}
