/** A chart through the built server: an image beside the words, and its drawing under the address that the words name. */
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { needsImages } from "../lab/engines.js";
import { folder } from "../lab/files.js";
import { bareEnvironment, connect } from "../lab/session.js";
import { typed } from "./typed.js";

const args = {
  report: {
    reportName: "endpoint-errors-by-time",
    period: "last_7d",
    interval: "HOUR",
    filters: { response_class_errors: ["5xx"] },
  },
  timeZone: "Europe/Berlin",
};

it.each(["v2 2026 stdio", "v1 http"] as const)(
  "a chart is a PNG that an image viewer takes, and an SVG: %s",
  needsImages,
  async (kind) => {
    const session = await connect(kind, { flags: ["--emulator"] });
    const { content, structuredContent, isError } = await session.call("report_chart", args);
    const text = content[0]?.text ?? "";
    expect(isError ?? false, text).toBe(false);
    const images = content.filter(({ type }) => type === "image") as unknown as { data: string; mimeType: string }[];
    expect(images.map(({ mimeType }) => mimeType)).toEqual(["image/png"]);
    const png = Buffer.from(images[0]?.data ?? "", "base64");
    expect(png.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
    expect(png.readUInt32BE(16)).toBe(1_200);
    // Letters are a good part of it: without fonts there would be lines alone.
    expect(png.length).toBeGreaterThan(12_000);
    expect(png.length).toBeLessThan(120_000);
    const [first, ...others] = structuredContent["shows"] as string[];
    expect(first).toMatch(/^Edge hits \(count\): 168 points, hourly; total [\d,]+/);
    // Early in an hour the last step is not complete.
    for (const other of others) expect(other).toMatch(/^The last step, .* is not complete/);
    const [, uri = ""] = /as SVG can be read at (result:\/\/[\w-]+)\./.exec(text) ?? [];
    const { contents } = await session.client.readResource({ uri });
    expect(contents).toMatchObject([
      { uri, mimeType: "image/svg+xml", text: expect.stringMatching(/^<svg width="600"/) },
    ]);
    await session.close();
  },
);

const chart = ["call", "report_chart", JSON.stringify(args), "--emulator"];

it("a chart has no image, and the rest, where the engine is missing", () => {
  // No folder above this one has libraries.
  const elsewhere = folder();
  cpSync("dist", elsewhere, { recursive: true });
  const run = (...words: readonly string[]) =>
    spawnSync(process.execPath, [join(elsewhere, "server.js"), ...words], { encoding: "utf8", env: bareEnvironment() });
  const { stdout } = run(...chart);
  const { shows, notes } = JSON.parse(stdout) as { shows: readonly string[]; notes: readonly string[] };
  expect(shows[0]).toMatch(/^Edge hits \(count\): 168 points, hourly; total/);
  expect(notes.at(-1)).toMatch(/^There is no image, because .* is not installed/);
  expect(stdout).not.toContain(elsewhere);
  const refused = run(...chart, "--to", join(elsewhere, "a.png"));
  expect(refused).toMatchObject({ status: 78, stdout: "" });
  expect(refused.stderr).toContain(`Write --to ${join(elsewhere, "a.svg")}, or install the library.`);
  rmSync(elsewhere, { recursive: true });
});

it("--to: the picture in the file, and the answer on stdout", needsImages, async () => {
  const dir = folder();
  for (const [name, begin] of [
    ["a.svg", "<svg width"],
    ["a.png", "\u0089PNG"],
  ] as const) {
    const { stdout, stderr, status } = await typed([...chart, "--to", join(dir, name)]);
    const written = readFileSync(join(dir, name), "latin1");
    expect(written.startsWith(begin), name).toBe(true);
    expect(stderr).toBe(`Wrote ${join(dir, name)} (${written.length.toLocaleString("en-US")} bytes).\n`);
    expect([status, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ shows: expect.any(Array) })]);
    // No terminal, no blocks.
    expect(stdout).not.toMatch(/[▁-█]/);
  }
});

it("--to: rows in the form of the ending, and no file after a failure", async () => {
  const dir = folder();
  const file = join(dir, "types.csv");
  expect(await typed(["call", "report_types_list", "--to", file])).toMatchObject({ status: 0, stdout: "" });
  const rows = readFileSync(file, "utf8");
  expect(rows).toBe((await typed(["call", "report_types_list", "--output", "csv"])).stdout);
  for (const words of [
    ["purge_queue_get", "--queueName", "third", "--to", file],
    ["report_types_list", "--to", join(dir, "a.png")],
  ])
    expect(await typed(["call", ...words])).toMatchObject({ status: 78, stdout: "" });
  expect([readFileSync(file, "utf8"), readdirSync(dir)]).toEqual([rows, ["types.csv"]]);
});

it("charts are not loaded by a first call, and have their fonts", () => {
  const program = (name: string) => readFileSync(`dist/program/${name}`);
  expect(program("fonts/Inter_400Regular.ttf").length).toBeGreaterThan(300_000);
  expect(program("fonts/Inter_600SemiBold.ttf").length).toBeGreaterThan(300_000);
  expect(program("fonts/LICENSE_FONT").toString()).toContain("SIL Open Font License");
  // What listing and a first call load is what the build has compiled.
  const compiled = readdirSync("dist/code-cache", { recursive: true, encoding: "utf8" });
  expect(compiled.some((name) => /server\.js/.test(name))).toBe(true);
  expect(compiled.filter((name) => /[\\/](charts|png|reports)-/.test(name))).toEqual([]);
  expect(readdirSync("dist/program").filter((name) => /^(charts|png|reports)-/.test(name))).toHaveLength(3);
});
