/** The guides and prompts of services as their files have them: Markdown, with what is structured before the prose. */
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { parse } from "yaml";
import { type Guide, guideForm } from "../language/guide.js";
import { isRecord, memberAt } from "../language/member.js";
import { type Prompt, promptForm, type ValuesSource } from "../language/prompt.js";
import { isLive, type LiveValues } from "../language/reading.js";
import { z } from "../language/z.js";
import { serviceOf } from "./index.js";

/** The kinds of text files that a service can have. */
export type TextFileKind = "guide" | "prompt";

/** A file of a service. */
export interface TextFile {
  /** From the folder of the services. */
  readonly path: string;
  /** The structured part, as YAML; it begins with an empty line, so that its lines have the numbers of the file's. */
  readonly front: string;
  readonly body: string;
  /** The path of the file that it extends. */
  readonly base?: string;
}

const folder = new URL("./", import.meta.url);

/** Where the file of a service can be: in the folder of its name, or for `purge-v3` as `guide-v3.md` in that of `purge`. */
function pathsOf(kind: TextFileKind, service: string): readonly string[] {
  const at = service.lastIndexOf("-");
  return [`${service}/${kind}.md`, `${service.slice(0, Math.max(at, 0))}/${kind}${service.slice(at)}.md`];
}

/** A file from its text. */
export function textFile(path: string, text: string): TextFile {
  const [front = "", ...body] = text.slice("---".length).split("\n---\n");
  const base = memberAt(parse(front), "extends");
  return {
    path,
    front,
    body: body.join("\n---\n"),
    ...(typeof base === "string" ? { base: posix.join(posix.dirname(path), base) } : {}),
  };
}

/** The file of a service, after the file that it extends; none if it has no file. */
export function filesOf(kind: TextFileKind, service: string): readonly TextFile[] {
  const files: TextFile[] = [];
  let next = pathsOf(kind, service).find((path) => existsSync(new URL(path, folder)));
  while (next !== undefined) {
    const file = textFile(next, readFileSync(new URL(next, folder), "utf8"));
    files.unshift(file);
    next = file.base;
  }
  return files;
}

const onOneLine = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");

const extension = { extends: z.string().exactOptional() };
const guideFrontForm = guideForm.omit({ purpose: true }).partial().extend(extension);
const promptFrontForm = promptForm.omit({ task: true, steps: true }).partial().extend(extension);

/** The facts in the file of a guide, without those of the file that it extends. */
export const guideFacts = ({ front }: TextFile) => guideFrontForm.parse(parse(front));

/**
 * The facts in the file of a prompt, without those of the file that it extends; its task and its numbered steps are in
 * its body.
 */
export function promptFacts({ front, body }: TextFile) {
  const { extends: _, ...facts } = promptFrontForm.parse(parse(front));
  const parts = body.split(/^(?=\d+\.)/m);
  const task = onOneLine(parts.filter((part) => !/^\d/.test(part)).join(""));
  const steps = parts.flatMap((part): [string, string][] => {
    const [, number, step = ""] = /^(\d+)\.(.*)$/s.exec(part) ?? [];
    return number === undefined ? [] : [[number, onOneLine(step)]];
  });
  return { facts: { ...facts, ...(task === "" ? {} : { task }) }, steps };
}

/** A guide from its files: a later one adds to purpose, objects and lives, and has limits of its own. */
export function guideFrom(files: readonly TextFile[]): Guide {
  const all = files.map(guideFacts);
  const limits = all.findLast((facts) => facts.limits !== undefined)?.limits;
  return guideForm.parse({
    purpose: onOneLine(files.map(({ body }) => body).join("\n")),
    objects: Object.fromEntries(all.flatMap(({ objects = {} }) => Object.entries(objects))),
    lives: all.flatMap(({ lives = [] }) => lives),
    ...(limits === undefined ? {} : { limits }),
  });
}

/** The values at a path in an answer, through lists; of a link, its last part. */
function valuesAt(value: unknown, path: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  const [first, ...rest] = path;
  if (first !== undefined) return isRecord(value) ? valuesAt(value[first], rest) : [];
  return typeof value === "string" || typeof value === "number" ? String(value).split("/").slice(-1) : [];
}

async function liveValuesFrom(
  service: string,
  argument: string,
  source: ValuesSource,
): Promise<LiveValues | undefined> {
  if ("tool" in source) {
    const { tool, args = {}, at, also = [] } = source;
    const of = z.unknown().transform((body) => [...also, ...valuesAt(body, at?.split(".") ?? [])]);
    return { tool, args, of };
  }
  const found = (await serviceOf(service))?.resources?.find(({ address }) => address === source.resource);
  const values = found && isLive(found.content) ? found.content.values?.[argument] : undefined;
  return values && "tool" in values ? values : undefined;
}

/**
 * A prompt from its files. A later file overrides the earlier ones, and its steps those with the same number; a number
 * without a text removes the step.
 */
export function promptFrom(service: string, files: readonly TextFile[]): Prompt {
  const all = files.map(promptFacts);
  const steps = Object.fromEntries(all.flatMap((one) => one.steps));
  const prompt = promptForm.parse({
    ...Object.fromEntries(all.flatMap(({ facts }) => Object.entries(facts))),
    steps: Object.values(steps).filter((step) => step !== ""),
  });
  return {
    ...prompt,
    arguments: Object.entries(prompt.arguments).map(([name, { values, ...argument }]) => ({
      name,
      ...argument,
      ...(values === undefined ? {} : { values: () => liveValuesFrom(service, name, values) }),
    })),
  };
}
