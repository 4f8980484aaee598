/** `edgewise import` and `edgewise imports`: compiles definitions of APIs that are not declared, and keeps them. */
import { resolve } from "node:path";
import type { Config } from "../config.js";
import type { Definition } from "../definitions/definition.js";
import { importedEffectOf } from "../definitions/effect.js";
import { importDefinitions } from "../definitions/import.js";
import {
  definitionsIn,
  differencesTo,
  digestOf,
  type ImportDifference,
  mergedInto,
  namesGiven,
  phrasesIn,
  sourcesIn,
  writeImports,
} from "../definitions/imports-folder.js";
import { openLibrary, readIndex } from "../definitions/library.js";
import { plainRoute } from "../definitions/route.js";
import { definitionSummaryOf } from "../definitions/store.js";
import { boxDir, importsDirOf, overridesFile, readOverrides } from "../engine/imported.js";
import { onOneLine } from "../text/marks.js";
import { quantity } from "../text/quantity.js";
import { allServices } from "../tools/index.js";
import { type Command, flagValue, log, print, refuse } from "./command.js";
import { operationRows } from "./operations.js";
import { alignedLines } from "./terminal.js";

const folderOf = (config: Config): string =>
  importsDirOf(config) ??
  refuse("With --state-dir memory no import is stored.", "Name a directory with --imports-dir DIRECTORY.");

/** What an import must not collide with: the declared tools, services and routes. */
async function declarations() {
  const services = await allServices();
  const rows = operationRows(services);
  const names = new Set(rows.map(({ tool }) => tool));
  return {
    isTool: (name: string) => names.has(name),
    isService: (id: string) => services.some((service) => service.id === id),
    routes: new Map(
      rows.map(({ service, tool, method, path }) => [plainRoute(`${method} ${path}`), `${service} ${tool}`]),
    ),
  };
}

/** A row for each API: how many operations it has, and what they do. */
const rowsOf = (definitions: readonly Definition[]): string[][] =>
  definitions.map(({ id, base, digest, dated, operations }) => {
    const all = Object.values(operations);
    const reads = all.filter((one) => importedEffectOf(one, digest) === "read").length;
    const refused = all.filter((one) => one.refused !== undefined).length;
    return [id, base || "/", ...[all.length, reads, all.length - reads, refused].map(String), dated];
  });

const headings = ["API", "PATH", "OPERATIONS", "READS", "GUARDED", "NOT CALLABLE", "DATED"];

const mostFindings = 40;

function reportFindings(findings: ReturnType<typeof importDefinitions>["findings"]): void {
  for (const { at, why } of findings.slice(0, mostFindings)) log(onOneLine(`${at}: ${why}`));
  if (findings.length > mostFindings) log(`and ${quantity(findings.length - mostFindings, "finding")} more`);
}

const lines = (difference: ImportDifference): string[] => [
  ...difference.added.map((route) => `  ${difference.id}: new ${route}`),
  ...difference.gone.map((route) => `  ${difference.id}: gone ${route}`),
  ...difference.changed.map(
    ({ route, before, after }) => `  ${difference.id}: ${route} was ${before} and becomes ${after}`,
  ),
];

// A POST whose path ends with one of these probably only reads, which the operator has to check.
const probablyReads =
  /\/(?:[\w-]*-)?(?:search|find|query|diff|compare|details|preview|lookup|report-data|status|metrics)$/;

/** POSTs that the operator may want to lower, after reading what they do. */
function proposals(definitions: readonly Definition[], lowered: ReadonlySet<string>): string[] {
  return definitions.flatMap(({ digest, operations }) =>
    Object.values(operations)
      .filter((one) => one.route.startsWith("POST ") && probablyReads.test(one.route) && !lowered.has(one.route))
      .flatMap((one) => (importedEffectOf(one, digest) === "read" ? [] : [one.route])),
  );
}

async function importFrom(config: Config, paths: readonly string[], flags: readonly string[]): Promise<number> {
  const folder = folderOf(config);
  const boxed = definitionsIn(boxDir);
  const { routes, ...names } = await declarations();
  const givenNames = namesGiven(folder, boxed);
  const { definitions, findings } = importDefinitions(paths, {
    ...names,
    given: givenNames,
    withDescriptions: flags.includes("--with-descriptions"),
  });
  reportFindings(findings);
  if (definitions.length === 0)
    return refuse("No OpenAPI 3 definition was found.", "Name a folder of definitions, or one of their files.");
  alignedLines([headings, ...rowsOf(definitions)]).forEach(print);
  const digest = digestOf(definitions);
  const before = openLibrary([folder, boxDir]).summaries();
  const differences = differencesTo(
    before,
    definitions.map((one) => definitionSummaryOf(one, routes)),
  );
  const pin = flagValue(flags, "--digest");
  if (differences.length > 0) {
    print("What changes:");
    differences.flatMap(lines).map(onOneLine).forEach(print);
  }
  if (pin === undefined ? differences.length > 0 : pin !== digest) {
    print(`Nothing was imported. To let it take over, repeat the command with --digest ${digest}`);
    return 1;
  }
  const merged = mergedInto(folder, definitions);
  writeImports(folder, merged, {
    // What is kept can only be refreshed from where it came from.
    paths: [
      ...new Set([
        ...(merged.length > definitions.length ? sourcesIn(folder) : []),
        ...paths.map((path) => resolve(path)),
      ]),
    ],
    given: givenNames,
    routes,
    phrases: phrasesIn(boxDir),
  });
  const count = definitions.reduce((sum, { operations }) => sum + Object.keys(operations).length, 0);
  print(
    `Imported ${quantity(count, "operation")} of ${quantity(definitions.length, "API")} into ${folder}, digest ${digest}`,
  );
  const lowered = Object.keys(readOverrides(folder));
  const knownRoutes = new Set(
    openLibrary([folder, boxDir])
      .summaries()
      .flatMap(({ operations }) => Object.values(operations)),
  );
  for (const route of lowered)
    if (!knownRoutes.has(route)) log(`${overridesFile} lowers ${onOneLine(route)}, which is no imported operation`);
  const offered = proposals(definitions, new Set(lowered));
  if (offered.length > 0) {
    print(
      `These POSTs may only read. Their calls preview first, unless you review them and add them to ${overridesFile} in that folder:`,
    );
    for (const route of offered) print(`  ${JSON.stringify(route)}: "read",`);
  }
  return 0;
}

/** `edgewise import PATH…` */
export const importCommand: Command = importFrom;

function list(config: Config): number {
  const folder = folderOf(config);
  const definitions = definitionsIn(folder);
  if (definitions.length === 0) print(`Nothing was imported into ${folder}; what is in the box is offered.`);
  else alignedLines([headings, ...rowsOf(definitions)]).forEach(print);
  return 0;
}

async function remove(config: Config, id: string): Promise<number> {
  const folder = folderOf(config);
  if (!readIndex(folder)?.definitions.some((one) => one.id === id))
    refuse(`No imported API is called ${JSON.stringify(id)}.`, "`edgewise imports list` lists them.");
  const remaining = definitionsIn(folder, (one) => one.id !== id);
  const paths = sourcesIn(folder);
  const given = namesGiven(folder, []);
  const { routes } = await declarations();
  writeImports(folder, remaining, { paths, given, routes, phrases: phrasesIn(boxDir) });
  print(`Removed ${id}.`);
  return 0;
}

/** `edgewise imports list|refresh|remove` */
export const importsCommand: Command = async (config, [action, id = ""], flags) => {
  if (action === "remove") return remove(config, id);
  if (action !== "refresh") return list(config);
  const paths = sourcesIn(folderOf(config));
  if (paths.length === 0)
    refuse("Nothing was imported that could be refreshed.", "Import it with `edgewise import PATH`.");
  return importFrom(config, paths, flags);
};
