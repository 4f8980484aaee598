/** Long CSV reports, from the bytes on the wire to the answers, the pages, the queries and the pictures made of them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { resultOf } from "../../../src/answers/outcome.js";
import { estimateTokens } from "../../../src/answers/tokens.js";
import { withAllLines } from "../../../src/calls/row-file.js";
import { SendFailure } from "../../../src/language/wire.js";
import { readResource } from "../../../src/resources/index.js";
import { createRowFiles } from "../../../src/rows/row-file.js";
import { createSend } from "../../../src/wire/send.js";
import { csvCalls, handleIn, maxTokens, report, reportQueries, secret } from "../../lab/csv-calls.js";
import { needsSql, withoutPixels } from "../../lab/engines.js";
import { folder } from "../../lab/files.js";
import { caller } from "../../lab/made-up.js";
import { handleOf, offeringAll, reader } from "../../lab/options.js";
import { keptMode, onWindows } from "../../lab/users.js";
import { startUpstream } from "../../system/upstream.js";
import { cellsAt, columns, reportCsv, usualReport } from "../../workflows/report-csv.js";

const queries = await reportQueries();
afterAll(() => queries.close());

// More than the quarter of a megabyte that is held in memory of a body: as rows to count, or as a few wide ones.
const count = 5_600;
const usual = usualReport(count);
const wideCount = 300;
const long = "x".repeat(1_000);
const wide = reportCsv(new Array<string>(wideCount).fill(`${long},1`), ["a", "hits"]);

let at: ReturnType<typeof csvCalls>;
beforeEach(() => {
  at = csvCalls(queries);
});
afterEach(() => at.close());

describe("the answer of a long report", () => {
  it("a report that is not stored has all rows, and leaves no file", async () => {
    at.answering(usual);
    const outcome = await at.calls.call("report_data_get", report, { ...caller, maxTokens });
    if (outcome.kind !== "answer") throw new Error(outcome.kind);
    expect(at.filesThere()).toHaveLength(1);
    const whole = { ...outcome, reply: withAllLines(outcome.reply) };
    expect(at.filesThere()).toEqual([]);
    const { structuredContent } = resultOf(whole, { upstream: "u", secrets: [], maxTokens: Number.MAX_SAFE_INTEGER });
    expect(structuredContent["data"]).toBe(usual);
    expect((whole.reply.body as { data: unknown[] }).data).toHaveLength(count);
  });

  it("a long report is cut at a row, with figures of all rows and a handle", async () => {
    at.answering(usual);
    const answer = await at.call("report_data_get", report);
    const lines = usual.split("\n");
    const shown = String(answer["data"]).trimEnd().split("\n");
    expect(shown.length).toBeGreaterThan(50);
    expect(shown).toEqual(lines.slice(0, shown.length));
    expect(answer.texts[0]).toBe(answer["data"]);
    expect(answer).toMatchObject({ cut: true, status: 200 });
    const before = lines.indexOf("#DATA_START") + 1;
    expect(answer.notes?.[0]).toContain(`${shown.length - before} of ${count}`);
    expect(handleIn(answer)).not.toBe("");
    const hits = Array.from({ length: count }, (_, row) => Number(cellsAt(row)[3]));
    const placed = (value: number) => {
      const [time, cpcode, responseClass] = cellsAt(hits.indexOf(value));
      return `${value} at ${time} (cpcode ${cpcode}, response_class ${responseClass})`;
    };
    expect(answer["summary"]).toMatchObject({
      rows: count,
      edgeHits: `sum ${hits.reduce((a, b) => a + b)}; max ${placed(Math.max(...hits))}; min ${placed(Math.min(...hits))}`,
    });
    for (const text of [JSON.stringify({ ...answer, texts: undefined }), answer.texts.join("\n")])
      expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
  });

  it("a shorter report has no file: it is whole, or stored as rows", async () => {
    at.answering(usualReport(20));
    const answer = await at.call("report_data_get", report);
    expect(answer["data"]).toBe(usualReport(20));
    for (const name of ["cut", "notes"]) expect(answer).not.toHaveProperty(name);
    const handle = await at.kept(usualReport(1_000));
    expect(at.filesThere()).toEqual([]);
    expect(await at.call("result_get", { handle, offset: 999 })).toMatchObject({ total: 1_000, at: "data" });
  });
});

describe("the rows of a long report", () => {
  let all: ReturnType<typeof csvCalls>;
  let handle: string;
  beforeAll(async () => {
    all = csvCalls(queries);
    handle = await all.kept(usual);
  });
  afterAll(() => all.close());

  it("a file of rows is private, in a private directory", async () => {
    const [file = ""] = all.filesThere();
    expect(statSync(file).mode & 0o777).toBe(keptMode(0o600));
    expect(statSync(join(file, "..")).mode & 0o777).toBe(keptMode(0o700));
    expect(readFileSync(file, "utf8")).toBe(
      Array.from({ length: count }, (_, row) => `${cellsAt(row).join(",")}\n`).join(""),
    );
  });

  it("rows in a file are read from any offset, in any format", async () => {
    const read = async (offset: number, format: string) => {
      const part = await all.call("result_get", { handle, format, offset, limit: 3 });
      const rows = [0, 1, 2].map((row) => cellsAt(offset + row));
      const records = rows.map((cells) => Object.fromEntries(columns.map((name, column) => [name, cells[column]])));
      expect(part).toMatchObject({ total: count, offset, at: "data" });
      return { part, text: part.texts[0] ?? "", rows, records };
    };
    for (const offset of [0, 1, 5_432, count - 3]) {
      const { part, records } = await read(offset, "json");
      expect([part["rows"], part["nextOffset"]]).toEqual([records, offset + 3 < count ? offset + 3 : undefined]);
    }
    const csv = await read(5_431, "csv");
    expect(parse(csv.text, { columns: true })).toEqual(csv.records);
    const table = await read(5_431, "markdown");
    expect(table.text.split("\n").slice(2, 5)).toEqual(table.rows.map((cells) => `| ${cells.join(" | ")} |`));
    expect(await all.call("result_get", { handle, offset: count })).toMatchObject({ error: "invalid_input" });
  });

  it("rows in a file are queried with types, and joined with a result", needsSql, async () => {
    const sum = Array.from({ length: count / 10 }, (_, row) => Number(cellsAt(row * 10 + 5)[4])).reduce(
      (a, b) => a + b,
    );
    const results = { r: handle, n: await handleOf(all.results, [{ class: "5xx", means: "broken" }]) };
    const types = columns.map((name) => `any_value(typeof(${name}))`);
    const figures = ["means", "count(*)", "sum(edgeBytes)", ...types].join(", ");
    const sql = `select ${figures} from r join n on response_class = class group by 1`;
    const [, row] = parse((await all.call("result_query", { sql, results })).texts[0] ?? "");
    const declared = ["TIMESTAMP WITH TIME ZONE", "BIGINT", "VARCHAR", "BIGINT", "BIGINT"];
    expect(row).toEqual(["broken", String(count / 10), String(sum), ...declared]);
  });

  it("rows in a file are read as a resource", async () => {
    const library = {
      ...offeringAll(new Map()),
      declared: [],
      api: async () => ({
        invoke: all.calls.invoke,
        storedResult: (owner: string, name: string) => all.store.get(owner, "a", name),
        plan: async () => undefined,
        secrets: all.secrets,
      }),
    };
    const content = await readResource(library, `result://${handle}/csv`, reader);
    expect(parse(content?.text ?? "", { columns: true })).toHaveLength(count);
  });
});

it("a long report is viewed, and its rows are stored", async () => {
  at.answering(wide);
  const viewed = await at.call("report_data_get", { ...report, view: { group_by: "a", aggregate: ["count"] } });
  expect(viewed["data"]).toEqual([{ a: long, count: wideCount }]);
  expect(await at.call("result_get", { handle: handleIn(viewed), limit: 1 })).toMatchObject({ total: wideCount });
});

it("report_chart draws a CSV report, stored or not, and leaves no file", async () => {
  const lines = Array.from({ length: wideCount }, (_, row) => [cellsAt(row)[0], long, 1e9 + row].join(","));
  const text = reportCsv(lines, ["startdatetime", "note", "hits"]);
  const handle = await at.kept(text);
  at.answering(text);
  for (const source of [{ result: handle }, { report }]) {
    const drawing = () => at.call("report_chart", { ...source, metrics: ["hits"] });
    const { shows } = await withoutPixels(Buffer.from("pixels"), drawing);
    expect(String(shows)).toContain(`hits: ${wideCount} points`);
  }
  expect(at.filesThere()).toHaveLength(1);
});

describe("a file of rows is removed", () => {
  it("a file of rows is removed for newer ones, and when its time is up", async () => {
    const first = await at.kept(wide);
    const second = await at.kept(wide);
    expect(at.filesThere()).toHaveLength(2);
    const third = await at.kept(wide);
    expect(at.filesThere()).toHaveLength(2);
    expect(await at.call("result_get", { handle: first })).toMatchObject({ error: "not_found" });
    at.passTime(59_999);
    expect(await at.call("result_get", { handle: third })).toMatchObject({ total: wideCount });
    at.passTime(60_000);
    for (const handle of [second, third])
      expect(await at.call("result_get", { handle })).toMatchObject({ error: "not_found" });
    expect(at.filesThere()).toEqual([]);
  });

  it("a report for which there is no room is cut and names no handle", async () => {
    const full = csvCalls(queries, { maxDiskBytesPerOwner: 250_000 });
    full.answering(wide);
    const answer = await full.call("report_data_get", report);
    expect(answer).toMatchObject({ cut: true, summary: { rows: wideCount } });
    expect(handleIn(answer)).toBe("");
    await full.call("report_data_get", { ...report, view: { fields: ["no such member"] } });
    expect(full.filesThere()).toEqual([]);
    full.close();
  });

  it("rows are stored even if a view fails, for another view", async () => {
    at.answering(wide);
    const { next } = await at.call("report_data_get", { ...report, view: { fields: ["no such member"] } });
    const [, handle = ""] = /with handle ([\w-]+)/.exec(String(next)) ?? [];
    expect(await at.call("result_view", { handle, aggregate: "count" })).toMatchObject({
      rows: [{ count: wideCount }],
    });
  });

  it("the directory of row files is removed when the server ends", async () => {
    await at.kept(wide);
    const [file = ""] = at.filesThere();
    at.close();
    expect(existsSync(join(file, ".."))).toBe(false);
  });

  it.each([
    ["reset", "network", 3],
    ["idle", "timeout", 1],
    ["overdue", "timeout", 1],
  ] as const)("a body that ends with %s leaves no file and fails with %s", async (reason, code, attempts) => {
    const text = Buffer.from(wide);
    let sent = 0;
    at.responding(() => ({
      body: (async function* () {
        sent += 1;
        yield text.subarray(0, 280_000);
        expect(at.filesThere()).toHaveLength(1);
        throw new SendFailure(reason, true);
      })(),
    }));
    expect(await at.call("report_data_get", report)).toMatchObject({ error: code });
    expect([sent, at.filesThere()]).toEqual([attempts, []]);
  });

  it.each([
    ["ends in the middle of a row", () => usual.slice(0, usual.lastIndexOf(",")), "differs in width"],
    ["is an error page", () => "<html><body>Bad gateway</body></html>\n".repeat(30_000), "around its table"],
    ["has content after its end", () => `${wide}more\n`, "content after"],
  ])("a body that %s is refused and leaves no file", async (_, text, why) => {
    at.answering(text());
    const answer = await at.call("report_data_get", report);
    expect(answer).toMatchObject({ error: "bad_reply", why: expect.stringContaining(why) });
    expect(at.filesThere()).toEqual([]);
  });

  it("a body that is longer than reports may be leaves no file", async () => {
    const small = csvCalls(queries, { maxBytes: 280_000 });
    small.answering(wide);
    expect(await small.call("report_data_get", report)).toMatchObject({
      error: "too_large",
      next: expect.stringContaining("--max-csv-bytes"),
    });
    expect(small.filesThere()).toEqual([]);
    small.close();
  });
});

describe("what an upstream puts into a long report", () => {
  // That no cut hides one is a law of the filter.
  it("secrets are masked in rows", async () => {
    const forms = [secret.replaceAll('"', '""'), encodeURIComponent(secret), Buffer.from(secret).toString("base64")];
    const filled = `"${forms.join(" ")}${" ".repeat(1_000)}",1`;
    at.answering(reportCsv(new Array<string>(300).fill(filled), ["a", "b"]), 4_001);
    const answer = await at.call("report_data_get", report);
    const [file = ""] = at.filesThere();
    expect(readFileSync(file, "utf8")).toBe(`"[secret] [secret] [secret]${" ".repeat(1_000)}",1\n`.repeat(300));
    for (const form of forms) expect(JSON.stringify(answer)).not.toContain(form);
  });

  it("names are not SQL, and cells may be empty, invisible or multi-line", needsSql, async () => {
    const names = ['"a""); drop table x; --"', "A", "a", "'x'", "ünï[U+200B]"];
    const lines = Array.from({ length: 600 }, (_, row) =>
      row % 2
        ? `${long},"two\nlines, ""and"" a comma",${row},a\u202eb\u200b é,4\r`
        : `${long},,${row},a\u202eb\u200b é,4`,
    );
    const results = await at.kept(`\ufeff${reportCsv(lines, names)}`);
    // Each name is found as it is written, so that all are there, and no two are the same.
    const named = `"a""); drop table x; --", "A", "a (2)", "'x'", "ünï[U+200B]"`;
    const sql = `select "A", count(*), sum("a (2)"), any_value("'x'") from (select ${named} from result) group by 1 order by 1`;
    expect(parse((await at.call("result_query", { sql, results })).texts[0] ?? "").slice(1)).toEqual([
      ["", "300", "89700", "a[U+202E]b[U+200B] é"],
      ['two\nlines, "and" a comma', "300", "90000", "a[U+202E]b[U+200B] é"],
    ]);
    expect(await at.call("result_get", { handle: results, offset: 599 })).toMatchObject({
      rows: [{ A: 'two\nlines, "and" a comma', a: "599" }],
    });
  });
});

it("a missing folder is a failure that does not name it, once", async () => {
  rmSync(at.parent, { recursive: true });
  at.answering(wide);
  const answer = await at.call("report_data_get", report);
  expect(answer).toMatchObject({ error: "failed" });
  expect(JSON.stringify(answer)).not.toContain(at.parent);
  mkdirSync(at.parent);
  expect(await at.kept(wide)).not.toBe("");
});

/** Makes a folder that was last changed two days ago. */
function makeOld(path: string): void {
  const longAgo = (Date.now() - 2 * 86_400_000) / 1_000;
  mkdirSync(path);
  utimesSync(path, longAgo, longAgo);
}

it("files of a killed server are removed once they are too old", async () => {
  const { parent } = at;
  const [mine = ""] = await at.kept(wide).then(() => readdirSync(parent));
  const [abandoned, recent, others] = [`${mine.slice(0, -6)}OLDOLD`, `${mine.slice(0, -6)}NEWNEW`, "others"];
  mkdirSync(join(parent, recent));
  for (const name of [abandoned, others]) makeOld(join(parent, name));
  const next = csvCalls(queries, { parent });
  await next.kept(wide);
  expect(readdirSync(parent)).toEqual(expect.arrayContaining([mine, recent, others]));
  expect(readdirSync(parent)).not.toContain(abandoned);
  next.close();
});

it("files left on Windows are removed, without a user number", async () => {
  const parent = folder();
  makeOld(join(parent, "edgewise-rows-own-OLDOLD"));
  const onDisk = createRowFiles({ maxBytes: 1_000, secrets: [], parent, user: onWindows });
  const file = await onDisk.create();
  expect(readdirSync(parent)).toEqual([expect.stringMatching(/^edgewise-rows-own-(?!OLDOLD)/)]);
  await file.discard();
  onDisk.close();
  expect(readdirSync(parent)).toEqual([]);
});

it("a compressed report is read over the network", async () => {
  const upstream = await startUpstream((response) =>
    response.writeHead(200, { "content-type": "text/csv", "content-encoding": "gzip" }).end(gzipSync(wide)),
  );
  const { send, close } = createSend({ connectMs: 100_000, firstByteMs: 100_000, idleMs: 100_000 });
  const response = await send({ method: "GET", url: new URL(upstream.url), headers: {}, timeLeftMs: 100_000 });
  at.responding(() => response);
  const handle = handleIn(await at.call("report_data_get", report));
  expect(await at.call("result_get", { handle, offset: wideCount - 1 })).toMatchObject({ total: wideCount });
  await Promise.all([close(), upstream.close()]);
});
