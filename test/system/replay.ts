/** Replays samples: an upstream answers with them, and what a tool returns has to be the same. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Guard } from "../../src/language/conduct.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf } from "../../src/language/effect.js";
import { memberAt } from "../../src/language/member.js";
import { usualVendorWords, vendorTranslation } from "../../src/language/vendor-words.js";
import { secretFileArguments } from "../../src/secrets/files.js";
import { allServices } from "../../src/tools/index.js";
import { treeOf } from "../emulator/xml.js";
import { folder as newFolder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { connect, type Result, type Session } from "../lab/session.js";
import { type Answer, startUpstream, type Upstream } from "./upstream.js";

/**
 * One call. A sample is named by its file and, inside it, by keys (`file.json#key#key`), or stands there itself as JSON or
 * XML.
 */
interface Row {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Sample that the tool takes as its body and sends; one in XML is compared by its elements, and its body is in `args`. */
  readonly request?: string;
  readonly status: number;
  /** Sample that the upstream answers; without one the answer has no body. */
  readonly answer?: string;
  readonly type?: string;
  /** Members of the request that the API sets itself, so that they are taken and not sent. */
  readonly unsent?: readonly string[];
  /** What an answer in XML has to be read as. */
  readonly value?: unknown;
  /** Answers to other reads that the call makes on its way, by decoded path: JSON, or `@` and the file of a sample. */
  readonly also?: Readonly<Record<string, unknown>>;
}

/** The samples of a folder, how each is replayed, and which of them belong to no operation, with the reason. */
interface Section {
  readonly name: string;
  readonly rows: Row[];
  readonly foreign: Record<string, string>;
}

/** The rows of a table in sections, each of which begins with `#` and the name of its folder; `-` is a foreign sample. */
export function sectionsIn(path: string): readonly Section[] {
  const sections: Section[] = [];
  const [, ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
  for (const line of lines) {
    const [tool = "", args, request, status, answer, more] = line.split("\t");
    const section = sections.at(-1);
    if (tool.startsWith("# ")) sections.push({ name: tool.slice(2), rows: [], foreign: {} });
    else if (tool === "-") Object.assign(section?.foreign ?? {}, { [args ?? ""]: request });
    else
      section?.rows.push({
        tool,
        args: args ? JSON.parse(args) : {},
        status: Number(status),
        ...(request && { request }),
        ...(answer && { answer }),
        ...(more && JSON.parse(more)),
      });
  }
  return sections;
}

const operations = new Map(
  (await allServices("documents")).flatMap((service) => Object.entries(service.operations) as [string, AnyOperation][]),
);
const isInline = (sample: string): boolean => /^[{[<]/.test(sample);
const isXml = (sample: string): boolean => sample.startsWith("<") || sample.endsWith(".xml");
const nameOf = ({ tool, request, answer, status }: Row): string =>
  [tool, request, status, answer].map((part = "") => (isInline(String(part)) ? "…" : part)).join(" ");

/** An answer with a mask in the place of what goes to a file. */
function withoutSecrets({ spec }: AnyOperation, answer: unknown): unknown {
  const shown = (spec.secretTo?.members ?? []).flatMap((member) => {
    const value = memberAt(answer, member);
    return typeof value === "string" ? [[member, `[secret, ${value.length} characters]`] as const] : [];
  });
  return shown.length === 0 ? answer : { ...(answer as object), ...Object.fromEntries(shown) };
}

/** What a tool has to show of a sample, with the documents' words in it. */
function shownOf(operation: AnyOperation, sample: unknown): unknown {
  const { service } = operation;
  const answer = withoutSecrets(operation, sample);
  return vendorTranslation(service?.vendorWords ?? [], usualVendorWords).toDocuments(answer);
}

const without = (value: unknown, names: readonly string[]): unknown =>
  names.length === 0
    ? value
    : Object.fromEntries(Object.entries(value as object).filter(([name]) => !names.includes(name)));

/** The value of a sent body: JSON, or the JSON in the only field of a form. */
function sentValue(body: string): unknown {
  const [field] = /^[{[]/.test(body) ? [] : [...new URLSearchParams(body).values()];
  return JSON.parse(field ?? body);
}

/** The samples of a folder, by their names. */
function samplesIn(folder: string) {
  const fileText = (file: string) => readFileSync(join(folder, file), "utf8");
  const value = (sample: string): unknown => {
    if (isInline(sample)) return JSON.parse(sample);
    const [file = "", ...keys] = sample.split("#");
    return keys.reduce<unknown>(
      (at, key) => (at as Readonly<Record<string, unknown>>)[key],
      JSON.parse(fileText(file)),
    );
  };
  const text = (sample: string): string => {
    if (isInline(sample)) return sample;
    if (!sample.includes("#")) return fileText(sample);
    const at = value(sample);
    return typeof at === "string" ? at : JSON.stringify(at);
  };
  /** A file of samples by key counts as so many samples. */
  const samplesOf = (file: string): string[] =>
    file.endsWith("/constructed-samples.json")
      ? Object.keys(JSON.parse(fileText(file)))
          .filter((key) => key !== "_note")
          .map((key) => `${file}#${key}`)
      : [file];
  const all = (): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .flatMap((entry) => samplesOf(join(entry.parentPath, entry.name).slice(folder.length + 1)));
  return { value, text, all };
}

/** Declares the tests that replay samples below a folder; each is skipped where the vendor's samples are missing. */
export function replaySamples(sections: readonly Section[], place?: string): void {
  let upstream: Upstream;
  let session: Session;
  const secretDir = newFolder();
  beforeAll(async () => {
    upstream = await startUpstream(() => undefined);
    session = await connect("v2 2026 stdio", { flags: ["--upstream", upstream.url, "--secret-dir", secretDir] });
  });
  afterAll(async () => {
    await session.close();
    await upstream.close();
  });

  /** A request as the arguments that send it: the body, and the files of what no argument takes. */
  function argumentsOf(operation: AnyOperation | undefined, value: unknown): Record<string, unknown> {
    const files = Object.entries(operation ? secretFileArguments(operation) : {});
    if (files.length === 0) return { body: value };
    const { ...rest } = value as Record<string, unknown>;
    for (const [argument, member] of files) {
      writeFileSync(join(secretDir, argument), String(rest[member]), { mode: 0o600 });
      delete rest[member];
    }
    const named = Object.fromEntries(files.map(([argument]) => [argument, argument]));
    return { ...named, ...(Object.keys(rest).length > 0 ? { body: rest } : {}) };
  }

  async function approved(tool: string, args: Record<string, unknown>, guard: Guard | undefined): Promise<Result> {
    const first = await session.call(tool, args);
    const isAsked = first.structuredContent["approval"] === "required";
    // What is guarded for its destinations needs no approval where a sample names none.
    if (guard?.when !== "sending") expect(isAsked).toBe(guard !== undefined);
    if (!isAsked) return first;
    return session.call(tool, { ...args, confirm: first.structuredContent["confirm"] });
  }

  const isHere = place === undefined || existsSync(place);
  describe.each(sections)("$name", needs.outside(isHere, "the vendor's samples"), ({ name, rows, foreign }) => {
    const samples = samplesIn(join(place ?? "", name));
    const requestBody = (sample: string): unknown => {
      const { _source, ...body } = samples.value(sample) as Readonly<Record<string, unknown>>;
      return Array.isArray(samples.value(sample)) ? samples.value(sample) : body;
    };

    it.each(rows.map((row) => [nameOf(row), row] as const))("%s", async (_, row) => {
      const { tool, args, request, answer, status, type = "application/json", also = {}, value } = row;
      const operation = operations.get(tool);
      const own = operation?.route.split(" ")[0] ?? "";
      const replay: Answer = (response, { method, target }) => {
        // A change and a read can have the same path.
        const other = method === own && own !== "GET" ? undefined : also[decodeURIComponent(target)];
        const otherText = String(other).startsWith("@") ? samples.text(String(other).slice(1)) : JSON.stringify(other);
        if (other !== undefined) response.writeHead(200, { "content-type": "application/json" }).end(otherText);
        else if (method !== own) response.writeHead(404).end();
        else if (answer === undefined) response.writeHead(status).end();
        else response.writeHead(status, { "content-type": type }).end(samples.text(answer));
      };
      upstream.script(replay);
      const isXmlSent = request !== undefined && isXml(request);
      const body = request === undefined || isXmlSent ? {} : argumentsOf(operation, requestBody(request));
      const result = await approved(tool, { ...args, ...body }, operation && guardOf(operation));
      const { notes = [], data, upstreamSaid, ...rest } = result.structuredContent;
      const expected = value ?? (answer === undefined ? undefined : samples.value(answer));

      expect([result.isError ?? false, rest["status"]], result.content[0]?.text).toEqual([status >= 400, status]);
      if (status >= 400) expect(upstreamSaid).toEqual(expected);
      else expect(data).toEqual(operation && shownOf(operation, expected));
      expect((notes as string[]).filter((note) => note.includes("declare"))).toEqual([]);
      if (request !== undefined) {
        const sent = upstream.received.filter(({ method }) => method === own).map((one) => one.body);
        if (isXmlSent) expect(sent.map(treeOf)).toEqual([treeOf(samples.text(request))]);
        else expect(sent.map(sentValue)).toEqual([without(requestBody(request), row.unsent ?? [])]);
      }
    });

    if (place === undefined) return;
    it(`${name}: no sample is left out that is not foreign`, () => {
      const replayed = rows.flatMap(({ request = [], answer = [] }) => [request, answer].flat());
      const isReplayed = (sample: string) => replayed.some((one) => one === sample || one.startsWith(`${sample}#`));
      const foreignOf = (sample: string) => Object.keys(foreign).filter((prefix) => sample.startsWith(prefix));
      const all = samples.all();

      expect(all.filter((sample) => !isReplayed(sample) && foreignOf(sample).length === 0)).toEqual([]);
      expect(all.filter((sample) => isReplayed(sample) && foreignOf(sample).length > 0)).toEqual([]);
      expect([...new Set(all.flatMap(foreignOf))].sort()).toEqual(Object.keys(foreign).sort());
    });
  });
}
