/** `edgewise call` as a person at a shell uses it; test/system/command-line has help, `show` and completion. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { expect, it } from "vitest";
import { folder } from "../../lab/files.js";
import { bareEnvironment } from "../../lab/session.js";
import { typed } from "../typed.js";

it("arguments are flags, JSON or JSON from stdin, with settings anywhere", async () => {
  const name = "endpoint-usage-by-time";
  const asJson = await typed(["call", "report_type_get", `{"reportName":"${name}","version":1}`, "--emulator"]);
  const asFlags = await typed(["call", "report_type_get", "--reportName", name, "--emulator", "--version=1"]);
  const settings = ["--emulator", "call", "--output", "json"];
  const words = ["dist/server.js", ...settings, "report_type_get", "--version", "1", "-"];
  const options = { encoding: "utf8", env: bareEnvironment(), input: `{"reportName":"${name}"}` } as const;
  const asInput = spawnSync(process.execPath, words, options);
  for (const { stdout, stderr, status } of [asFlags, asInput]) {
    expect([stderr, status]).toEqual(["", 0]);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(asJson.stdout));
  }
});

it("a mistake is named by its flag, or by its member where there was JSON", async () => {
  const missing = await typed(["call", "purge_submit", "--body.objects", "", "--output", "csv"]);
  for (const said of ["--queueName: takes ", "--body.objects at [0]: ", "edgewise call purge_submit --help"])
    expect(missing.stderr).toContain(said);
  expect([missing.stdout, missing.status]).toEqual(["", 78]);
  for (const [words, ...fields] of [
    [["--body", '{"objects":[]}'], "--queueName", "--body.objects"],
    [['{"queueName":"third"}', "--body.objects", "a", "--body.type", "b"], "queueName", "--body.type"],
  ] as const) {
    const { stdout } = await typed(["call", "purge_submit", ...words]);
    expect(JSON.parse(stdout)).toMatchObject({ fields: fields.map((field) => ({ field })) });
  }
});

it("--output: CSV, NDJSON and a table of all rows, alone on stdout", async () => {
  const call = ["call", "report_types_list"];
  const { reports } = JSON.parse((await typed(call)).stdout) as { reports: { name: string }[] };
  const csv = parse((await typed([...call, "--output", "csv"])).stdout, { columns: true }) as { name: string }[];
  const lines = (await typed([...call, "--output=ndjson"])).stdout.trim().split("\n");
  expect(csv.map(({ name }) => name)).toEqual(reports.map(({ name }) => name));
  expect(lines.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(reports.map(({ name }) => name));
  const table = await typed([...call, "--output", "table"]);
  expect(table.stdout).toContain(`reports (${reports.length} rows):`);
  expect(table.stderr).toBe("");
});

it("--quiet: stderr has failures, previews and questions, and nothing else", async () => {
  const file = join(folder(), "month.csv");
  const words = ["report_data_get", "--reportName", "endpoint-usage-by-time", "--period", "last_month", "--interval"];
  const toFile = (...more: string[]) => typed(["call", ...words, "DAY", "--to", file, ...more]);
  const loud = await toFile();
  const quiet = await toFile("--quiet");
  expect(loud.stderr).toMatch(/Note: [\s\S]+--list writes another list: \S+\.\nWrote /);
  expect([quiet.stdout, quiet.stderr, quiet.status]).toEqual(["", "", 0]);
  expect(readFileSync(file, "utf8")).toMatch(/^startdatetime,/);
  const other = await toFile("--list", "metadata.columns");
  expect([other.stderr, other.status]).toEqual([expect.stringContaining("Wrote "), 0]);
  expect(readFileSync(file, "utf8")).toMatch(/^name,/);
  const missing = await toFile("--list", "nowhere", "--quiet");
  expect([missing.stderr, missing.status]).toEqual([
    expect.stringContaining("Its lists are metadata.columns, data"),
    1,
  ]);
  expect(readFileSync(file, "utf8")).toMatch(/^name,/);
  const record = ["dns_record_set", "--zone", "example.com", "--name", "www", "--type", "A", "--values", "203.0.113.9"];
  const preview = await typed(["call", ...record, "--output", "csv", "--quiet"]);
  expect([preview.stdout, preview.stderr]).toEqual(["", expect.stringMatching(/^Approval is required/)]);
});
