/** Reads definitions from files: finds their entry files, parses them, and follows references between files. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import { Failure, quoteValue } from "../language/failure.js";
import { isRecord } from "../language/member.js";
import { textIn } from "../system/file-access.js";
import type { ImportFinding } from "./definition.js";
import { parseDocumentText } from "./repair.js";

/** What an import may read, so that no folder can exhaust the memory. */
const limits = { files: 5_000, depth: 8, fileBytes: 16 * 1024 * 1024, bytes: 256 * 1024 * 1024 };

const extensions = new Set([".json", ".yaml", ".yml"]);

/** The JSON and YAML files of a folder; links are not followed. */
function filesIn(folder: string, depth = 0): string[] {
  if (depth > limits.depth) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith(".")) return filesIn(path, depth + 1);
      return entry.isFile() && extensions.has(extname(entry.name)) ? [path] : [];
    });
}

// A name at the beginning of a line in YAML, or of a member in JSON.
const openapi = /^[ \t{]*"?openapi"?[ \t]?:[ \t]?["']?3\.[01]/m;
const swagger = /^[ \t{]*"?swagger"?[ \t]?:[ \t]?["']?2/m;

/** A parsed file, and the files that it may refer to. */
export interface DefinitionSource {
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** The value that a reference names, and the file that it is in; undefined if there is none. */
  resolve(reference: string, from: string): { readonly value: unknown; readonly from: string } | undefined;
  /** SHA-256 of this file and of those that were read for it so far. */
  digest(): string;
  /** When the newest of these files was changed. */
  changedMs(): number;
}

/** The value at a JSON pointer. */
function atPointer(root: unknown, pointer: string): unknown {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => {
      try {
        return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
      } catch {
        return step;
      }
    });
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, step)
        ? (value as Readonly<Record<string, unknown>>)[step]
        : undefined,
    root,
  );
}

/** A reader of the files under one folder. */
function createFiles(root: string, report: (finding: ImportFinding) => void) {
  const parsed = new Map<string, unknown>();
  let bytes = 0;
  const nameOf = (path: string): string => relative(root, path) || path;
  const textOf = (path: string): string | undefined => {
    const status = statSync(path);
    // A pipe would be read until its other end is closed.
    if (!status.isFile()) {
      report({ at: nameOf(path), why: "it is not a file" });
      return undefined;
    }
    const { size } = status;
    if (size > limits.fileBytes) {
      report({ at: nameOf(path), why: `it has ${size} bytes, and at most ${limits.fileBytes} are read of a file` });
      return undefined;
    }
    bytes += size;
    if (bytes > limits.bytes) throw tooMuch(`more than ${limits.bytes} bytes`);
    return textIn(readFileSync(path));
  };
  /** The value of a file, parsed once; undefined if it cannot be parsed. */
  const parsedFile = (path: string, known?: string): unknown => {
    if (parsed.has(path)) return parsed.get(path);
    const text = known ?? textOf(path);
    const found = text === undefined ? undefined : parseDocumentText(text);
    if (text !== undefined && found === undefined) report({ at: nameOf(path), why: "it is neither JSON nor YAML" });
    for (const repair of found?.repairs ?? []) report({ at: nameOf(path), why: repair });
    parsed.set(path, found?.value);
    return found?.value;
  };
  return { nameOf, textOf, parsedFile, forget: () => parsed.clear() };
}

const tooMuch = (what: string): Failure =>
  new Failure("bad_configuration", `The folder has ${what}.`, {
    why: "An import stops at this limit so that no folder can exhaust the memory.",
    next: "Import a smaller folder, or single files.",
  });

/** @throws Failure `bad_configuration` if there is no such file or folder. */
function filesAt(path: string): { readonly root: string; readonly files: readonly string[] } {
  let real: string;
  try {
    real = realpathSync(resolve(path));
  } catch {
    throw new Failure("bad_configuration", `There is no file or folder ${quoteValue(path)}.`, {
      next: "Name a folder of OpenAPI definitions, or one of them.",
    });
  }
  const isFolder = statSync(real).isDirectory();
  return isFolder ? { root: real, files: filesIn(real) } : { root: dirname(real), files: [real] };
}

/**
 * Finds the definitions in a folder, or in one file, and passes on one after the other.
 * @param report Receives what could not be read, and what was repaired.
 * @throws Failure `bad_configuration` if there is no such file or folder, or if it is too large.
 */
export function* readDefinitions(path: string, report: (finding: ImportFinding) => void): Generator<DefinitionSource> {
  const { root, files } = filesAt(path);
  if (files.length > limits.files) throw tooMuch(`more than ${limits.files} files`);
  const { nameOf, textOf, parsedFile, forget } = createFiles(root, report);
  let folder = "";
  for (const file of files) {
    const text = textOf(file) ?? "";
    if (swagger.test(text)) report({ at: nameOf(file), why: "it is Swagger 2, and only OpenAPI 3 is read" });
    if (!openapi.test(text)) continue;
    // Definitions share files only within a folder.
    if (dirname(file) !== folder) forget();
    folder = dirname(file);
    const value = parsedFile(file, text);
    if (isRecord(value) && isRecord(value["paths"])) yield sourceOf(file, value, root, parsedFile);
  }
}

/** The file that a reference names; undefined if it is outside of the imported folder, or a URL. */
function targetOf(file: string, base: string, root: string): string | undefined {
  const target = resolve(dirname(base), file);
  if (/^[a-z][a-z0-9+.-]*:/i.test(file) || !extensions.has(extname(target))) return undefined;
  try {
    return realpathSync(target).startsWith(root + sep) ? target : undefined;
  } catch {
    return undefined;
  }
}

function sourceOf(
  path: string,
  value: DefinitionSource["value"],
  root: string,
  parsedFile: (path: string) => unknown,
): DefinitionSource {
  const used = new Set([path]);
  return {
    path: relative(root, path) || path,
    value,
    resolve(reference, from) {
      const [file = "", pointer = ""] = reference.split("#");
      const base = from === "" ? path : from;
      const target = file === "" ? base : targetOf(file, base, root);
      if (target === undefined) return undefined;
      const whole = target === path ? value : parsedFile(target);
      if (whole === undefined) return undefined;
      used.add(target);
      return { value: pointer === "" ? whole : atPointer(whole, pointer), from: target };
    },
    digest() {
      // Independent of the files' names, so that a copy of a definition has the same digest.
      const each = [...used].map((one) => createHash("sha256").update(readFileSync(one)).digest("hex"));
      return createHash("sha256").update(each.sort().join()).digest("hex");
    },
    changedMs: () => Math.max(...[...used].map((one) => statSync(one).mtimeMs)),
  };
}
