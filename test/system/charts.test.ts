/** A chart through the built server: an image beside the words, and its drawing under the address that the words name. */
import { execFile, spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { needsImages } from "../lab/engines.js";
import { folder } from "../lab/files.js";
import { bareEnvironment, connect, type Session } from "../lab/session.js";

const flags = ["--emulator"];
const args = {
  report: {
    reportName: "endpoint-errors-by-time",
    period: "last_7d",
    interval: "HOUR",
    filters: { response_class_errors: ["5xx"] },
  },
  timeZone: "Europe/Berlin",
};

interface Image {
  readonly type: string;
  readonly data: string;
  readonly mimeType: string;
}
const imagesOf = async (session: Session, given: object = args) => {
  const { content, structuredContent, isError } = await session.call("report_chart", { ...given });
  const images = (content as unknown as Image[]).filter(({ type }) => type === "image");
  return { images, text: content[0]?.text ?? "", structured: structuredContent, isError: isError ?? false };
};

it.each(["v2 2026 stdio", "v1 http"] as const)(
  "a chart is a PNG that an image viewer takes, and an SVG: %s",
  needsImages,
  async (kind) => {
    const session = await connect(kind, { flags });
    const { images, text, structured, isError } = await imagesOf(session);
    expect(isError, text).toBe(false);
    expect(images.map(({ mimeType }) => mimeType)).toEqual(["image/png"]);
    const png = Buffer.from(images[0]?.data ?? "", "base64");
    expect(png.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
    expect(png.readUInt32BE(16)).toBe(1_200);
    // Letters are a good part of it: without fonts there would be lines alone.
    expect(png.length).toBeGreaterThan(12_000);
    expect(png.length).toBeLessThan(120_000);
    const [first, ...others] = structured["shows"] as string[];
    expect(first).toMatch(/^Edge hits \(count\): 168 points, hourly; total [\d,]+/);
    // Early in an hour the last step is not complete.
    for (const other of others) expect(other).toMatch(/^The last step, .* is not complete/);
    const [, uri = ""] = /as SVG can be read at (result:\/\/[\w-]+)\./.exec(text) ?? [];
    const { contents } = await session.client.readResource({ uri });
    expect(contents).toEqual([
      expect.objectContaining({ uri, mimeType: "image/svg+xml", text: expect.stringMatching(/^<svg width="600"/) }),
    ]);
    await session.close();
  },
);

it("a chart has no image, and the rest, where the engine is missing", async () => {
  // No folder above this one has libraries.
  const elsewhere = folder();
  cpSync("dist", elsewhere, { recursive: true });
  const run = promisify(execFile);
  const { stdout } = await run(
    process.execPath,
    [join(elsewhere, "server.js"), "call", "report_chart", JSON.stringify(args), "--emulator"],
    { env: bareEnvironment() },
  );
  const { shows, notes } = JSON.parse(stdout) as { shows: readonly string[]; notes: readonly string[] };
  expect(shows[0]).toMatch(/^Edge hits \(count\): 168 points, hourly; total/);
  expect(notes.at(-1)).toMatch(/^There is no image, because .* is not installed/);
  expect(stdout).not.toContain(elsewhere);
  const png = join(elsewhere, "a.png");
  const words = [join(elsewhere, "server.js"), "call", "report_chart", JSON.stringify(args), "--emulator", "--to", png];
  const refused = spawnSync(process.execPath, words, { encoding: "utf8", env: bareEnvironment() });
  expect(refused).toMatchObject({ status: 78, stdout: "" });
  expect(refused.stderr).toContain(`Write --to ${join(elsewhere, "a.svg")}, or install the library.`);
  rmSync(elsewhere, { recursive: true });
});

describe("at a shell", () => {
  const dir = folder();
  afterAll(() => rmSync(dir, { recursive: true }));
  const call = (...words: readonly string[]) =>
    spawnSync(process.execPath, ["dist/server.js", "call", ...words, "--emulator"], {
      encoding: "utf8",
      env: bareEnvironment(),
      input: "",
    });
  const chart = ["report_chart", JSON.stringify(args)];

  it("--to: the picture in the file, and the answer on stdout", needsImages, () => {
    for (const [name, begin] of [
      ["a.svg", "<svg width"],
      ["a.png", "\u0089PNG"],
    ] as const) {
      const { stdout, stderr, status } = call(...chart, "--to", join(dir, name));
      const written = readFileSync(join(dir, name), "latin1");
      expect(written.startsWith(begin), name).toBe(true);
      expect(stderr).toBe(`Wrote ${join(dir, name)} (${written.length.toLocaleString("en-US")} bytes).\n`);
      expect([status, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ shows: expect.any(Array) })]);
      // No terminal, no blocks.
      expect(stdout).not.toMatch(/[▁-█]/);
    }
  });

  it("--to: rows in the form of the ending, and no file after a failure", () => {
    const file = join(dir, "types.csv");
    expect(call("report_types_list", "--to", file)).toMatchObject({ status: 0, stdout: "" });
    const rows = readFileSync(file, "utf8");
    expect(rows).toBe(call("report_types_list", "--output", "csv").stdout);
    const failed = call("purge_queue_get", "--queueName", "third", "--to", file);
    expect(failed).toMatchObject({ status: 78, stdout: "" });
    expect(failed.stderr).toContain("--queueName");
    expect(call("report_types_list", "--to", join(dir, "a.png"))).toMatchObject({ status: 78, stdout: "" });
    expect([readFileSync(file, "utf8"), readdirSync(dir).filter((name) => !/^a\./.test(name))]).toEqual([
      rows,
      ["types.csv"],
    ]);
  });
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
