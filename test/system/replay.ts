/** Replays samples: an upstream answers with them, and what a tool returns has to be the same. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Guard } from "../../src/language/conduct.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf } from "../../src/language/effect.js";
import { memberAt } from "../../src/language/member.js";
import { translation, usualVendorWords } from "../../src/language/vendor-words.js";
import { secretFrom } from "../../src/secrets/files.js";
import { allServices } from "../../src/tools/index.js";
import { treeOf } from "../emulator/xml.js";
import { folder as newFolder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { connect, type Result, type Session } from "../lab/session.js";
import { type Answer, startUpstream, type Upstream } from "./upstream.js";

/** A sample is named by its file and, inside it, by keys: `file.json#key#key`. */
export interface Row {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Sample that the tool takes as its body and sends. */
  readonly request?: string;
  /** Members of that sample which the API sets itself, so that they are taken and not sent. */
  readonly unsent?: readonly string[];
  /** Sample that the upstream answers; without one the answer has no body. */
  readonly answer?: string;
  readonly status: number;
  readonly type?: string;
  /** What an answer in XML has to be read as; a request in XML is compared by its elements, and its body is in `args`. */
  readonly value?: unknown;
  /** Answers to other reads that the call makes on its way, by decoded path. */
  readonly also?: Readonly<Record<string, () => string>>;
}

/** Samples, how each is replayed, and which of them belong to no operation, with the reason. */
export interface Samples {
  readonly title: string;
  readonly files: readonly string[];
  readonly textOf: (file: string) => string;
  readonly rows: readonly Row[];
  readonly foreign: Readonly<Record<string, string>>;
  /** The folder that they would be in, where it is not there. */
  readonly missing?: string | undefined;
}

export type Line = readonly [
  tool: string,
  args: Readonly<Record<string, unknown>>,
  answer: string | undefined,
  status: number,
  more?: Pick<Row, "unsent" | "request" | "type" | "also" | "value">,
];

/** The rows whose samples have a common beginning. */
export const under = (beginning: string, ...lines: readonly Line[]): Row[] =>
  lines.map(([tool, args, answer, status, more = {}]) => ({
    tool,
    args,
    status,
    ...more,
    ...(answer === undefined ? {} : { answer: beginning + answer }),
    ...(more.request === undefined ? {} : { request: beginning + more.request }),
  }));

/** The files of a folder of samples. A clone has none: where the folder is missing, what replays them is listed as skipped. */
export function samplesIn(folder: string): Pick<Samples, "title" | "files" | "textOf" | "missing"> {
  const textOf = (file: string) => readFileSync(join(folder, file), "utf8");
  if (!existsSync(folder))
    return { title: `samples in ${folder}, which is not here`, files: [], textOf, missing: folder };
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return { title: `samples in ${folder}`, files, textOf };
}

const operations = new Map(
  (await allServices("documents")).flatMap((service) => Object.entries(service.operations) as [string, AnyOperation][]),
);
const nameOf = ({ tool, request, answer, status }: Row): string =>
  [tool, ...(request === undefined ? [] : ["sends", request, "and"]), "gets", status, answer].join(" ");

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
  return translation(service?.vendorWords ?? [], usualVendorWords).toDocuments(answer);
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

/** Declares the tests that replay samples; each is skipped where the samples are missing. */
export function replaySamples({ title, files, textOf, rows, foreign, missing }: Samples): void {
  const sampleValue = (sample: string): unknown => {
    const [file = "", ...keys] = sample.split("#");
    return keys.reduce<unknown>(
      (value, key) => (value as Readonly<Record<string, unknown>>)[key],
      JSON.parse(textOf(file)),
    );
  };
  const sampleText = (sample: string): string => {
    if (!sample.includes("#")) return textOf(sample);
    const value = sampleValue(sample);
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  const requestBody = (sample: string): unknown => {
    const value = sampleValue(sample);
    if (Array.isArray(value)) return value;
    const { _source, ...body } = value as Readonly<Record<string, unknown>>;
    return body;
  };
  /** A file of samples by key counts as so many samples. */
  const samplesOf = (file: string): string[] =>
    file.endsWith("/constructed-samples.json")
      ? Object.keys(JSON.parse(textOf(file)))
          .filter((key) => key !== "_note")
          .map((key) => `${file}#${key}`)
      : [file];

  describe(title, needs.outside(missing === undefined, "the vendor's samples"), () => {
    let upstream: Upstream;
    let session: Session;
    const secretDir = newFolder();
    let replayed: Row & { readonly method: string };
    const replay: Answer = (response, { method, target }) => {
      const { answer, status, type = "application/json", also = {}, method: own } = replayed;
      // A change and a read can have the same path.
      const other = method === own && own !== "GET" ? undefined : also[decodeURIComponent(target)];
      if (other) response.writeHead(200, { "content-type": "application/json" }).end(other());
      else if (method !== own) response.writeHead(404).end();
      else if (answer === undefined) response.writeHead(status).end();
      else response.writeHead(status, { "content-type": type }).end(sampleText(answer));
    };
    beforeAll(async () => {
      upstream = await startUpstream(replay);
      session = await connect("v2 2026 stdio", { flags: ["--upstream", upstream.url, "--secret-dir", secretDir] });
    });
    afterAll(async () => {
      await session.close();
      await upstream.close();
    });

    /** A sample as the arguments that send it: the body, and the files of what no argument takes. */
    function argumentsOf(operation: AnyOperation | undefined, sample: string): Record<string, unknown> {
      const value = requestBody(sample);
      const files = Object.entries(operation ? secretFrom(operation) : {});
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

    it.each(rows.map((row) => [nameOf(row), row] as const))("%s", async (_, row) => {
      const { tool, request, answer, status, type, value } = row;
      const isXmlSent = request?.endsWith(".xml") ?? false;
      const operation = operations.get(tool);
      const method = operation?.route.split(" ")[0] ?? "";
      replayed = { ...row, method };
      upstream.script(replay);
      const body = request === undefined || isXmlSent ? {} : argumentsOf(operation, request);
      const result = await approved(tool, { ...row.args, ...body }, operation && guardOf(operation));
      const { notes = [], data, upstreamSaid, ...rest } = result.structuredContent;
      const isShown = answer !== undefined && !type?.startsWith("text/html");
      const expected = value ?? (isShown ? sampleValue(answer) : undefined);

      expect([result.isError ?? false, rest["status"]], result.content[0]?.text).toEqual([status >= 400, status]);
      if (status >= 400) expect(upstreamSaid).toEqual(expected);
      else expect(data).toEqual(operation && shownOf(operation, expected));
      expect((notes as string[]).filter((note) => note.includes("declare"))).toEqual([]);
      if (request !== undefined) {
        const sent = upstream.received.filter((one) => one.method === method).map((one) => one.body);
        if (isXmlSent) expect(sent.map(treeOf)).toEqual([treeOf(textOf(request))]);
        else expect(sent.map(sentValue)).toEqual([without(requestBody(request), row.unsent ?? [])]);
      }
    });

    it("leaves no sample out that is not foreign", () => {
      const replayedSamples = rows.flatMap(({ request = [], answer = [] }) => [request, answer].flat());
      const isReplayed = (sample: string) =>
        replayedSamples.some((one) => one === sample || one.startsWith(`${sample}#`));
      const foreignOf = (sample: string) => Object.keys(foreign).filter((prefix) => sample.startsWith(prefix));
      const all = files.flatMap(samplesOf);

      expect(all.filter((sample) => !isReplayed(sample) && foreignOf(sample).length === 0)).toEqual([]);
      expect(all.filter((sample) => isReplayed(sample) && foreignOf(sample).length > 0)).toEqual([]);
      expect([...new Set(all.flatMap(foreignOf))].sort()).toEqual(Object.keys(foreign).sort());
    });
  });
}
