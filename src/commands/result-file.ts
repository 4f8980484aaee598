/** The file of `--to`: the format by its extension, whether it can be written, and its replacement. */
import { constants } from "node:fs";
import { access, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import type { Outcome } from "../calls/index.js";
import { isChange } from "../calls/workflow.js";
import { Failure } from "../language/failure.js";
import { workflowsOf } from "../workflows/index.js";
import { flagValue, refuse } from "./command.js";
import type { OutputFormat } from "./output.js";
import { cutTo } from "./terminal.js";

const pictureForms = ["svg", "png"] as const;
type PictureForm = (typeof pictureForms)[number];
const rowForms = ["csv", "json", "ndjson"] as const satisfies readonly OutputFormat[];

/** The path of a result, and either of its formats. */
export interface ResultFile {
  readonly path: string;
  readonly picture?: PictureForm;
  readonly output?: OutputFormat;
}

const endings = (forms: readonly string[]): string => `.${forms.join(", .")}`.replace(/, ([^,]*)$/, " or $1");

/** Whether a tool's result has a picture. */
async function hasPictures(tool: string): Promise<boolean> {
  // With either setting a tool has a picture or none.
  const known = workflowsOf("documents");
  const declared = Object.hasOwn(known, tool) ? await known[tool]?.() : undefined;
  return declared !== undefined && !isChange(declared) && declared.draws === true;
}

/** @throws Failure `bad_configuration` if the path cannot be written; it is not touched. */
async function checkPlace(path: string): Promise<void> {
  const status = await stat(path).catch(() => undefined);
  if (status?.isDirectory())
    refuse(`--to ${path} is a directory.`, `Name a file in it, such as ${join(path, "result.csv")}.`);
  const directory = dirname(path);
  const isPlace = (await stat(directory).catch(() => undefined))?.isDirectory() === true;
  const areWritable = [directory, ...(status ? [path] : [])].map((one) => access(one, constants.W_OK));
  const isWritable = await Promise.all(areWritable).then(
    () => true,
    () => false,
  );
  if (!isPlace || !isWritable)
    refuse(`--to ${path} cannot be written.`, `Check that ${directory} is a directory that you can write to.`);
}

/** The format for a file extension; undefined if no tool has results in it. */
function resultFileAt(path: string, hasPicture: boolean): ResultFile | undefined {
  const ending = extname(path).slice(1).toLowerCase();
  const picture = hasPicture ? pictureForms.find((form) => form === ending) : undefined;
  if (picture) return { path, picture };
  const output = hasPicture ? undefined : rowForms.find((form) => form === ending);
  return output && { path, output };
}

/** @throws Failure `bad_configuration` if the extension does not fit the tool. */
function refuseEnding(path: string, tool: string, hasPicture: boolean): never {
  const takes = endings(hasPicture ? pictureForms : rowForms);
  refuse(
    `--to takes a file that ends in ${takes} for ${tool}, not ${JSON.stringify(path)}.`,
    resultFileAt(path, !hasPicture)
      ? `${tool} returns ${hasPicture ? "a picture" : "no picture"}: use another file extension.`
      : "The extension determines the format: use one of these.",
  );
}

/**
 * The file that a command line names, checked before anything is sent.
 * @param words The words of the command line; a flag with a value is one of them.
 * @returns undefined without `--to`.
 * @throws Failure `bad_configuration` if the extension does not fit the tool, or if the path cannot be written.
 */
export async function resultFile(tool: string, words: readonly string[]): Promise<ResultFile | undefined> {
  const path = flagValue(words, "--to");
  if (path === undefined) return undefined;
  const hasPicture = await hasPictures(tool);
  const file = resultFileAt(path, hasPicture);
  if (!file) refuseEnding(path, tool, hasPicture);
  const outputFormat = words.includes("--json") ? "json" : flagValue(words, "--output");
  if (file.output !== undefined && outputFormat !== undefined && outputFormat !== file.output)
    refuse(
      `--output ${outputFormat} does not fit --to ${path}.`,
      "Leave --output out: the extension of the file determines the format.",
    );
  await checkPlace(path);
  if (file.picture === "png" && !(await (await import("../answers/charts/png.js")).canMakePng()))
    refuse(
      `--to ${path} cannot be created: the library for images (@resvg/resvg-js, an optional dependency) is not installed for this platform.`,
      `Write --to ${path.slice(0, -3)}svg, or install the library.`,
    );
  return file;
}

/**
 * Replaces a file atomically; special files such as pipes are written to.
 * @throws Failure `failed` if that is no longer possible; the old file is unchanged.
 */
async function replace(path: string, content: string | Uint8Array): Promise<void> {
  const real = await realpath(path).catch(() => path);
  const status = await stat(real).catch(() => undefined);
  if (status && !status.isFile()) return writeFile(real, content);
  const unfinished = join(dirname(real), `.${basename(real)}.${process.pid}.tmp`);
  try {
    await writeFile(unfinished, content, { flag: "wx", ...(status ? { mode: status.mode & 0o777 } : {}) });
    await rename(unfinished, real);
  } catch {
    throw new Failure("failed", `The call is done, but ${path} could not be written and is unchanged.`, {
      next: "The result follows on stdout. Check the permissions of the directory and the space on the disk.",
    });
  } finally {
    await rm(unfinished, { force: true });
  }
}

/**
 * Writes a result to its file.
 * @param lines The result as text in the file's format, unless it is a picture.
 * @returns A sentence about the written file.
 * @throws Failure `failed`
 */
export async function writeResult(file: ResultFile, outcome: Outcome, lines: readonly string[]): Promise<string> {
  const [picture] = (outcome.kind === "workflow" && outcome.pictures) || [];
  const content = file.picture ? picture?.[file.picture] : lines.map((line) => `${line}\n`).join("");
  if (content === undefined) throw new Error("A tool that draws returned no picture.");
  await replace(file.path, content);
  return `Wrote ${file.path} (${Buffer.byteLength(content).toLocaleString("en-US")} bytes).`;
}

/**
 * The pictures of a result in characters, within the columns of a terminal.
 * @param columns Undefined if stdout is not a terminal, which then has none.
 */
export function pictureLines(outcome: Outcome, columns: number | undefined): string[] {
  const pictures = (outcome.kind === "workflow" && outcome.pictures) || [];
  if (columns === undefined) return [];
  return pictures.flatMap(({ inBlocks }) => ["", ...inBlocks(columns).map((line) => cutTo(line, columns))]);
}
