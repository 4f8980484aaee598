/** Long CSV reports, from the bytes on the wire to the answers, the pages, the queries and the pictures made of them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { resultOf } from "../../src/answers/outcome.js";
import { createCalls } from "../../src/calls/index.js";
import { createResults } from "../../src/calls/results.js";
import { withAllLines } from "../../src/calls/row-file.js";
import { SendFailure, type WireResponse } from "../../src/language/wire.js";
import { createQueries } from "../../src/query/index.js";
import { readResource } from "../../src/resources/index.js";
import { createResultStore, resultsFor } from "../../src/results/store.js";
import { createRowFiles } from "../../src/rows/row-file.js";
import { secretForms } from "../../src/secrets/held-secrets.js";
import { operation } from "../../src/tools/index.js";
import { createClient } from "../../src/wire/index.js";
import { createSend } from "../../src/wire/send.js";
import { workflowsOf } from "../../src/workflows/index.js";
import { needsSql } from "../lab/engines.js";
import { caller } from "../lab/made-up.js";
import { handleOf, offeringAll, reader, resultStoredIn, unbound } from "../lab/options.js";
import { keptMode, onWindows } from "../lab/users.js";
import { workerFile } from "../query/worker-file.js";
import { startUpstream } from "../system/upstream.js";
import { cellsAt, columns, reportCsv, usualReport } from "./report-csv.js";

const workflows = workflowsOf("documents");

const queries = createQueries({ worker: await workerFile(), timeMs: 15_000 });
const parent = await mkdtemp(join(tmpdir(), "edgewise-csv-reports-"));
afterAll(() => {
  queries.close();
  rmSync(parent, { recursive: true });
});

const secret = 'a+secret/of,the "server"';
const secrets = secretForms([secret]);
const maxTokens = 8_000;
// Of more than half a megabyte: twice what is held in memory of a body, and more than any other answer may have.
const count = 12_000;

let nowMs = 0;
let respond: () => Partial<WireResponse> & Pick<WireResponse, "body">;
let files: ReturnType<typeof createRowFiles>;
let store: ReturnType<typeof createResultStore>;
let calls: ReturnType<typeof createCalls>;

/** Starts over, with so much room for a body and for an owner's files. */
function begin(maxBytes: number, maxDiskBytesPerOwner: number): void {
  nowMs = Date.now();
  files = createRowFiles({ maxBytes, secrets, parent });
  store = createResultStore({
    maxBytesPerOwner: 64e6,
    maxBytes: 128e6,
    maxDiskBytesPerOwner,
    maxDiskBytes: 2 * maxDiskBytesPerOwner,
    ttlMs: 60_000,
    now: () => nowMs,
  });
  calls = createCalls({
    ...unbound(),
    operationOf: async (tool) => {
      const declared = await operation(tool, { service: "reporting" });
      return declared && { service: "reporting", declared };
    },
    client: createClient({
      send: async () => ({ status: 200, headers: { "content-type": "text/csv" }, ...respond() }),
      target: { origin: "https://host.example", vendor: "akamai" },
      authorize: () => ({}),
      maxResponseBytes: 300_000,
      rowFiles: files,
    }),
    account: { section: "default", host: "host.example", isEmulated: false },
    workflows,
    results: createResults({
      store: resultsFor(store, "a"),
      queries: async () => queries,
      secrets,
      maxTokens,
    }),
    onFault: (error) => {
      throw error;
    },
  });
}
// Room for a body of any length here but one, and for the rows of two reports.
const usualRoom = [2_000_000, 1_500_000] as const;
beforeEach(() => begin(...usualRoom));
afterEach(() => files.close());

/** Lets the upstream answer with a text, in parts of a size. */
function answering(text: string | Buffer, size = 65_536): void {
  const bytes = Buffer.from(text);
  respond = () => ({
    body: (async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })(),
  });
}

const report = {
  reportName: "some-report",
  version: 1,
  start: "2020-01-01T00:00:00Z",
  end: "2026-01-01T00:00:00Z",
  allObjectIds: true,
  format: "csv",
};

async function call(tool: string, args: object, budget = maxTokens) {
  const outcome = await calls.call(tool, args as Record<string, unknown>, { ...caller, maxTokens: budget });
  if (outcome.kind === "question") throw new Error("It asked.");
  const presentation = { upstream: "host.example", secrets, maxTokens: budget };
  const { structuredContent, content } = await resultStoredIn(resultsFor(store, "a"), outcome, presentation);
  const texts = content.flatMap((one) => (one.type === "text" ? [one.text] : []));
  return { ...structuredContent, texts } as Record<string, unknown> & { texts: string[]; notes?: string[] };
}
const handleIn = ({ notes = [] }: { notes?: string[] }): string =>
  /result:\/\/([\w-]+)/.exec(notes.join(" "))?.[1] ?? "";
const kept = async (text: string) => {
  answering(text);
  return handleIn(await call("report_data_get", report));
};

/** The files of rows that there are, whatever their directories are called. */
const filesThere = (): string[] =>
  readdirSync(parent).flatMap((name) => readdirSync(join(parent, name)).map((file) => join(parent, name, file)));

describe("the answer of a long report", () => {
  it("has all rows for a reader for whom nothing is kept, in its text and in its body, and leaves no file", async () => {
    answering(usualReport(count));
    const outcome = await calls.call("report_data_get", report, { ...caller, maxTokens });
    if (outcome.kind !== "answer") throw new Error(outcome.kind);
    expect(filesThere().length).toBeGreaterThan(0);
    const whole = { ...outcome, reply: withAllLines(outcome.reply) };
    expect(filesThere()).toEqual([]);
    const { structuredContent } = resultOf(whole, { upstream: "u", secrets: [], maxTokens: Number.MAX_SAFE_INTEGER });
    expect(structuredContent["data"]).toBe(usualReport(count));
    expect(structuredContent["notes"] ?? []).not.toContainEqual(expect.stringContaining("rows are shown"));
    expect((whole.reply.body as { data: unknown[] }).data).toHaveLength(count);
  });

  it("is its CSV as it was sent, cut at a row, with the sums and extremes of all rows and a handle", async () => {
    answering(usualReport(count));
    const answer = await call("report_data_get", report);
    const lines = usualReport(count).split("\n");
    const shown = String(answer["data"]).trimEnd().split("\n");
    expect(shown.length).toBeGreaterThan(50);
    expect(shown).toEqual(lines.slice(0, shown.length));
    expect(answer.texts[0]).toBe(answer["data"]);
    expect(answer).toMatchObject({ cut: true, status: 200 });
    const before = lines.indexOf("#DATA_START") + 1;
    expect(answer.notes?.[0]).toBe(`${shown.length - before} of ${count} rows are shown.`);
    expect(answer.notes?.[1]).toContain(`result://${handleIn(answer)}`);
    const hits = Array.from({ length: count }, (_, row) => Number(cellsAt(row)[3]));
    const at = (value: number) => {
      const [time, cpcode, responseClass] = cellsAt(hits.indexOf(value));
      return `${value} at ${time} (cpcode ${cpcode}, response_class ${responseClass})`;
    };
    expect(answer["summary"]).toMatchObject({
      rows: count,
      edgeHits: `sum ${hits.reduce((a, b) => a + b)}; max ${at(Math.max(...hits))}; min ${at(Math.min(...hits))}`,
    });
    for (const text of [JSON.stringify({ ...answer, texts: undefined }), answer.texts.join("\n")])
      expect(encode(text).length).toBeLessThanOrEqual(maxTokens);
  });

  it("keeps to a smaller budget", async () => {
    answering(usualReport(count));
    const { texts, ...answer } = await call("report_data_get", report, 700);
    expect(encode(JSON.stringify(answer)).length).toBeLessThanOrEqual(700);
    expect(encode(texts.join("\n")).length).toBeLessThanOrEqual(700);
    expect(String(answer["data"])).toMatch(/^#METADATA_START\n/);
  });

  it("is whole where it is short, and no file is made for it", async () => {
    answering(usualReport(20));
    const answer = await call("report_data_get", report);
    expect(answer["data"]).toBe(usualReport(20));
    expect(answer).not.toHaveProperty("cut");
    expect(answer).not.toHaveProperty("notes");
    expect(filesThere()).toEqual([]);
  });

  it("is kept as rows where it is of middle length, without a file", async () => {
    const handle = await kept(usualReport(2_000));
    expect(filesThere()).toEqual([]);
    expect(await call("result_get", { handle, offset: 1_999 })).toMatchObject({ total: 2_000, at: "data" });
  });
});

describe("the rows of a long report", () => {
  it("are in a file that its owner alone can read, in a directory that nobody else can list", async () => {
    await kept(usualReport(count));
    const [file = ""] = filesThere();
    expect(statSync(file).mode & 0o777).toBe(keptMode(0o600));
    expect(statSync(join(file, "..")).mode & 0o777).toBe(keptMode(0o700));
    expect(readFileSync(file, "utf8")).toBe(
      Array.from({ length: count }, (_, row) => `${cellsAt(row).join(",")}\n`).join(""),
    );
  });

  it.each(["csv", "json", "markdown"])("are read as %s, from any place on", async (format) => {
    const handle = await kept(usualReport(count));
    for (const offset of [0, 1, 5_432, count - 3]) {
      const part = await call("result_get", { handle, format, offset, limit: 3 });
      expect(part).toMatchObject({ total: count, offset, at: "data" });
      const rows = [0, 1, 2].map((row) => cellsAt(offset + row));
      const records = rows.map((cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at]])));
      if (format === "json") expect(part["rows"]).toEqual(records);
      else if (format === "csv") expect(parse(part.texts[0] ?? "", { columns: true })).toEqual(records);
      else expect(part.texts[0]?.split("\n").slice(2, 5)).toEqual(rows.map((cells) => `| ${cells.join(" | ")} |`));
      expect(part["nextOffset"]).toBe(offset + 3 < count ? offset + 3 : undefined);
    }
    expect(await call("result_get", { handle, offset: count })).toMatchObject({ error: "invalid_input" });
  });

  it("are queried where they are, with the types of all their cells", needsSql, async () => {
    const results = await kept(usualReport(count));
    const sql =
      "select response_class as class, sum(edgeBytes) as bytes, count(*) as n from result group by 1 order by 1 limit 1";
    const sum = Array.from({ length: count / 10 }, (_, at) => Number(cellsAt(at * 10)[4])).reduce((a, b) => a + b);
    expect((await call("result_query", { sql, results })).texts[0]).toBe(`class,bytes,n\n0xx,${sum},${count / 10}\n`);
    const types = await call("result_query", { sql: "describe result", results });
    expect(types.texts[0]?.match(/TIMESTAMP WITH TIME ZONE|BIGINT|VARCHAR/g)).toEqual([
      "TIMESTAMP WITH TIME ZONE",
      "BIGINT",
      "VARCHAR",
      "BIGINT",
      "BIGINT",
    ]);
  });

  it("are joined with a result that is in memory", needsSql, async () => {
    const names = await handleOf(resultsFor(store, "a"), [{ class: "5xx", means: "broken" }]);
    const results = { r: await kept(usualReport(count)), n: names };
    const sql = "select means, count(*) as n from r join n on response_class = class group by 1";
    expect((await call("result_query", { sql, results })).texts[0]).toBe(`means,n\nbroken,${count / 10}\n`);
  });

  it("are drawn, and viewed, where memory has room for them", async () => {
    const handle = await kept(usualReport(count));
    const { shows } = await call("report_chart", { result: handle, metrics: ["edgeHits"] });
    expect(String(shows)).toContain("edgeHits");
    answering(usualReport(count));
    const view = { group_by: "response_class", aggregate: ["count"], top: 1 };
    const viewed = await call("report_data_get", { ...report, view });
    expect(viewed["data"]).toEqual([{ response_class: "0xx", count: count / 10 }, expect.anything()]);
    expect(await call("result_get", { handle: handleIn(viewed), limit: 1 })).toMatchObject({ total: count });
  });

  it("are drawn when the chart itself asks for CSV, and no file of it is left", async () => {
    answering(usualReport(count));
    const { shows } = await call("report_chart", { report, metrics: ["edgeHits"] });
    expect(String(shows)).toContain(`edgeHits: ${count} points`);
    expect(filesThere()).toEqual([]);
  });

  it(
    "are kept and queried where memory has no room for a view or a chart of them, which say so",
    needsSql,
    async () => {
      begin(40_000_000, 40_000_000);
      const long = reportCsv(new Array<string>(60_000).fill(`${"x".repeat(300)},1`), ["a", "hits"]);
      answering(long);
      const answer = await call("report_data_get", { ...report, view: { aggregate: "sum(hits)" } });
      expect(answer.notes?.[0]).toMatch(/^view was not applied: the rows have \d+ bytes.*result_query/);
      const handle = handleIn(answer);
      expect((await call("result_query", { sql: "select sum(hits) as s from result", results: handle })).texts[0]).toBe(
        "s\n60000\n",
      );
      expect(await call("report_chart", { result: handle })).toMatchObject({ error: "too_large" });
      expect(filesThere()).toHaveLength(1);
      expect(await call("report_chart", { report })).toMatchObject({ error: "too_large" });
      expect(filesThere()).toHaveLength(1);
    },
  );

  it("are read as a resource, also by their lines", async () => {
    const handle = await kept(usualReport(count));
    const library = {
      ...offeringAll(new Map()),
      declared: [],
      api: async () => ({
        invoke: calls.invoke,
        kept: (owner: string, name: string) => store.get(owner, "a", name),
        plan: async () => undefined,
        secrets,
      }),
    };
    const content = await readResource(library, `result://${handle}/csv`, reader);
    expect(parse(content?.text ?? "", { columns: true })).toHaveLength(count);
  });
});

describe("a file of rows is removed", () => {
  it("when its time is up, and when its owner's newer results need the room", async () => {
    const first = await kept(usualReport(count));
    const second = await kept(usualReport(count));
    expect(filesThere()).toHaveLength(2);
    const third = await kept(usualReport(count));
    expect(filesThere()).toHaveLength(2);
    expect(await call("result_get", { handle: first })).toMatchObject({ error: "not_found" });
    nowMs += 60_000;
    for (const handle of [second, third])
      expect(await call("result_get", { handle })).toMatchObject({ error: "not_found" });
    expect(filesThere()).toEqual([]);
  });

  it("when there is no room to keep it, and the answer names no handle", async () => {
    begin(2_000_000, 300_000);
    answering(usualReport(count));
    const answer = await call("report_data_get", report);
    expect(answer).toMatchObject({ cut: true, summary: { rows: count } });
    expect(handleIn(answer)).toBe("");
    await call("report_data_get", { ...report, view: { fields: ["no such member"] } });
    expect(filesThere()).toEqual([]);
  });

  it("not when a view of it failed, of which another can be taken", async () => {
    answering(usualReport(count));
    const { next } = await call("report_data_get", { ...report, view: { fields: ["no such member"] } });
    const [, handle = ""] = /with handle ([\w-]+)/.exec(String(next)) ?? [];
    expect(await call("result_view", { handle, aggregate: "count" })).toMatchObject({ rows: [{ count }] });
  });

  it("when the server ends", async () => {
    await kept(usualReport(count));
    const [file = ""] = filesThere();
    files.close();
    expect(existsSync(join(file, ".."))).toBe(false);
  });

  it.each([
    ["it breaks off", "network"],
    ["it stops arriving", "timeout"],
    ["the time of the call is over", "timeout"],
  ])("when %s in the middle, and the call says so", async (what, code) => {
    const text = Buffer.from(usualReport(count));
    const reason = what === "it breaks off" ? "reset" : what === "it stops arriving" ? "idle" : "overdue";
    let sent = 0;
    respond = () => ({
      body: (async function* () {
        sent += 1;
        yield text.subarray(0, 450_000);
        throw new SendFailure(reason, true);
      })(),
    });
    expect(await call("report_data_get", report)).toMatchObject({ error: code });
    expect(sent).toBe(reason === "reset" ? 3 : 1);
    expect(filesThere()).toEqual([]);
  });

  it.each([
    ["ends in the middle of its rows", usualReport(count).slice(0, 500_000), "differs in width"],
    ["ends before its end mark", reportCsv(new Array(30_000).fill(cellsAt(0).join(",")), columns, ""), "DATA"],
    ["is an error page", "<html><body>Bad gateway</body></html>\n".repeat(30_000), "around its table"],
    ["has rows of another width", reportCsv(new Array(60_000).fill("1,2,3,4,5,6")), "differs in width"],
    ["names a column twice", reportCsv(new Array(60_000).fill("x,1,2"), ["a", "b", "a"]), "repeated name"],
    ["has content behind its end", `${usualReport(count)}more\n`, "content after"],
    ["opens a quote and never closes it", reportCsv([...new Array(120_000).fill("a,b,c,d,e"), '"x,1,2,3,4']), "quote"],
  ])("when the body %s, and the call says so", async (_, text, why) => {
    answering(text);
    const answer = await call("report_data_get", report);
    expect(answer).toMatchObject({ error: "bad_reply" });
    expect(String(answer["why"])).toContain(why);
    expect(filesThere()).toEqual([]);
  });

  it("when it is longer than reports may be", async () => {
    answering(usualReport(60_000));
    const answer = await call("report_data_get", report);
    expect(answer).toMatchObject({ error: "too_large" });
    expect(String(answer["next"])).toContain("--max-csv-bytes");
    expect(filesThere()).toEqual([]);
  });
});

describe("what an upstream puts into a long report", () => {
  const rows = (cell: string, size = 30_000) => new Array<string>(size).fill(`"${cell}",1`);

  it.each([11, 65_536])("shows no secret of the server, wherever its bytes are cut (by %d)", needsSql, async (size) => {
    const echo = secret.replaceAll('"', '""');
    answering(
      reportCsv(rows(`x ${echo} ${encodeURIComponent(secret)} ${Buffer.from(secret).toString("base64")}`, 4_000), [
        "a",
        "b",
      ]),
      size,
    );
    const answer = await call("report_data_get", report);
    const [file = ""] = filesThere();
    expect(readFileSync(file, "utf8")).toBe('"x [secret] [secret] [secret]",1\n'.repeat(4_000));
    expect(JSON.stringify(answer)).not.toContain(echo);
    const sql = "select distinct reverse(a) as r from result";
    expect((await call("result_query", { sql, results: handleIn(answer) })).texts[0]).toBe(
      "r\n]terces[ ]terces[ ]terces[ x\n",
    );
  });

  it("is visible, whatever it is, also to a query", needsSql, async () => {
    const results = await kept(reportCsv(rows("a\u202eb\u200b é"), ["a", "b"]));
    expect((await call("result_query", { sql: "select distinct a from result", results })).texts[0]).toBe(
      "a\na[U+202E]b[U+200B] é\n",
    );
  });

  it("keeps names of columns names", needsSql, async () => {
    const names = ['"a""); drop table x; --"', "A", "a", "'x'", "ünï[U+200B]"];
    const results = await kept(reportCsv(new Array(120_000).fill("v,1,2,3,4"), names));
    const described = await call("result_query", { sql: "describe result", results });
    expect(
      parse(described.texts[0] ?? "", { columns: true }).map((row) => (row as Record<string, string>)["column_name"]),
    ).toEqual(['a"); drop table x; --', "A", "a (2)", "'x'", "ünï[U+200B]"]);
  });

  it(
    "may have line ends in its cells, line ends of two kinds, a byte order mark, and empty cells",
    needsSql,
    async () => {
      const lines = Array.from({ length: 60_000 }, (_, at) =>
        at % 2 ? `"two\nlines, ""and"" a comma",${at}\r` : `,${at}`,
      );
      const results = await kept(`\ufeff${reportCsv(lines, ["a", "b"])}`);
      const sql = "select a, count(*) as n, sum(b) as s from result group by a order by a";
      expect(parse((await call("result_query", { sql, results })).texts[0] ?? "")).toEqual([
        ["a", "n", "s"],
        ["", "30000", String((59_998 * 30_000) / 2)],
        ['two\nlines, "and" a comma', "30000", String((59_998 * 30_000) / 2 + 30_000)],
      ]);
      expect(await call("result_get", { handle: results, offset: 59_999 })).toMatchObject({
        rows: [{ a: 'two\nlines, "and" a comma', b: "59999" }],
      });
    },
  );
});

it("says so where there is no place for a file", async () => {
  rmSync(parent, { recursive: true });
  answering(usualReport(count));
  const answer = await call("report_data_get", report);
  expect(answer).toMatchObject({ error: "failed" });
  expect(JSON.stringify(answer)).not.toContain(parent);
  mkdirSync(parent);
  expect(handleIn(await call("report_data_get", report))).not.toBe("");
});

it("removes what a server has left that was killed, once nothing of it can be kept any more", async () => {
  const [mine = ""] = await kept(usualReport(count)).then(() => readdirSync(parent));
  const [abandoned, recent, others] = [`${mine.slice(0, -6)}OLDOLD`, `${mine.slice(0, -6)}NEWNEW`, "others"];
  for (const name of [abandoned, recent, others]) mkdirSync(join(parent, name));
  const longAgo = (Date.now() - 2 * 86_400_000) / 1_000;
  for (const name of [abandoned, others]) utimesSync(join(parent, name), longAgo, longAgo);
  begin(...usualRoom);
  await kept(usualReport(count));
  expect(readdirSync(parent)).toEqual(expect.arrayContaining([mine, recent, others]));
  expect(readdirSync(parent)).not.toContain(abandoned);
  for (const name of [mine, recent, others]) rmSync(join(parent, name), { recursive: true });
});

it("removes on Windows as well what was left there, where no number says whose it is", async () => {
  const own = await mkdtemp(join(parent, "temporary-"));
  const left = join(own, "edgewise-rows-own-OLDOLD");
  mkdirSync(left);
  const longAgo = (Date.now() - 2 * 86_400_000) / 1_000;
  utimesSync(left, longAgo, longAgo);
  const onDisk = createRowFiles({ maxBytes: 1_000, secrets: [], parent: own, user: onWindows });
  const file = await onDisk.create();
  expect(readdirSync(own)).toEqual([expect.stringMatching(/^edgewise-rows-own-(?!OLDOLD)/)]);
  await file.discard();
  onDisk.close();
  expect(readdirSync(own)).toEqual([]);
  rmSync(own, { recursive: true });
});

it("reads a compressed report over the network", needsSql, async () => {
  const bytes = gzipSync(usualReport(count));
  const upstream = await startUpstream((response) =>
    response.writeHead(200, { "content-type": "text/csv", "content-encoding": "gzip" }).end(bytes),
  );
  const { send, close } = createSend({ connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000 });
  const response = await send({ method: "GET", url: new URL(upstream.url), headers: {}, timeLeftMs: 10_000 });
  respond = () => response;
  const results = handleIn(await call("report_data_get", report));
  expect((await call("result_query", { sql: "select count(*) as n from result", results })).texts[0]).toBe(
    `n\n${count}\n`,
  );
  await Promise.all([close(), upstream.close()]);
});
