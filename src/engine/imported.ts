/** The imported operations that a process offers: those of the box, and before them those of the operator's folder. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { apisOf, areImportsOffered, type Config, isEmulated, stateDirOf } from "../config.js";
import { compiledText, type OperationLibrary, type Overrides, openLibrary } from "../definitions/library.js";
import { Failure, quoteValue } from "../language/failure.js";
import { isRecord } from "../language/member.js";
import type { Apis } from "../language/service.js";
import { processUser, readWithStatus, refuseOpenFile } from "../system/file-access.js";
import { parsedJson } from "../text/parsed-json.js";
import { type Catalogue, loadCatalogue, withImported } from "./catalogue.js";

/** The folder of the compiled definitions that the build puts next to the program. */
export const boxDir = fileURLToPath(new URL("./definitions", import.meta.url));

/** The folder of the operator's imports; undefined if nothing is kept. */
export function importsDirOf(config: Config): string | undefined {
  const stateDir = stateDirOf(config);
  return config.values["imports-dir"] ?? (stateDir === "memory" ? undefined : join(stateDir, "imports"));
}

/** The file in that folder with the guards that the operator lowered. */
export const overridesFile = "overrides.json";

const route = /^(?:POST|PUT|PATCH|DELETE|GET|HEAD) \/\S*$/;

/** The text of that file; undefined if there is none. */
function overridesText(path: string): string | undefined {
  try {
    const { text, status } = readWithStatus(path);
    refuseOpenFile(
      status,
      {
        path,
        what: `the file ${path}`,
        forbids: "writing",
        mayBelongToOthers: true,
        why: "They could lower the guards of imported operations.",
        chmod: "go-w",
        further: "Review its content first.",
      },
      processUser(),
    );
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * The guards that the operator lowered.
 * @throws Failure `bad_configuration` for a file that others can write, or that is not of this form: nothing is lowered by a
 * guess.
 */
export function readOverrides(folder: string): Overrides {
  const path = join(folder, overridesFile);
  const text = overridesText(path);
  if (text === undefined) return {};
  const overrides = parsedJson(text);
  const invalid = isRecord(overrides)
    ? Object.entries(overrides).find(([key, value]) => !route.test(key) || (value !== "read" && value !== "update"))
    : ["the file"];
  if (invalid === undefined) return overrides as Overrides;
  throw new Failure("bad_configuration", `${path} cannot be used: ${quoteValue(invalid[0])} is not of its form.`, {
    why: "Each member is a method with the exact path of an imported operation, and its value read or update.",
    next: 'Write it as {"POST /api/v1/things/{id}/search": "read"}, or remove the file.',
  });
}

/** The folders of imported definitions, the operator's first; none if no imported operations are offered. */
function importFolders(config: Config): readonly string[] {
  if (!areImportsOffered(config)) return [];
  const importsDir = importsDirOf(config);
  return importsDir === undefined ? [boxDir] : [importsDir, boxDir];
}

/** The texts of the search indexes of the imported definitions, the operator's first. */
export const importedIndexes = (config: Config): readonly string[] =>
  importFolders(config).flatMap((folder) => compiledText(folder, "search.json") ?? []);

/** The catalogue with the imported operations of the box, whatever is configured: for help. */
export const boxedCatalogue = (apis: Apis): Catalogue => withImported(loadCatalogue(apis), openLibrary([boxDir]));

/**
 * The catalogue of a process, with the imported operations that it offers.
 * @throws Failure `bad_configuration` if the operator's overrides cannot be used.
 */
export function offeredCatalogue(config: Config): Catalogue {
  const imported = openImported(config);
  const catalogue = loadCatalogue(apisOf(config).apis);
  return imported ? withImported(catalogue, imported.library) : catalogue;
}

/**
 * The imported operations that a process offers; undefined if it offers none.
 * @throws Failure `bad_configuration` if the operator's overrides cannot be used.
 */
export function openImported(
  config: Config,
): { readonly library: OperationLibrary; readonly overrides: Overrides } | undefined {
  if (!areImportsOffered(config)) return undefined;
  const importsDir = importsDirOf(config);
  const overrides = importsDir === undefined ? {} : readOverrides(importsDir);
  return { library: openLibrary(importFolders(config), { overrides, isSampled: isEmulated(config) }), overrides };
}
