/** `--to`: what a file's ending asks for, what is refused before anything is sent, and how a file is replaced. */
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { pictureLines, resultFile, writeResult } from "../../src/commands/result-file.js";
import type { Picture } from "../../src/rows/result-store.js";
import { imageEngine } from "../lab/engines.js";
import { folder } from "../lab/files.js";
import { failureFrom } from "../lab/outcome.js";

const dir = folder();
afterAll(() => fs.rmSync(dir, { recursive: true }));
const at = (name: string) => join(dir, name);
const to = (tool: string, name: string, ...more: string[]) => resultFile(tool, [tool, `--to=${at(name)}`, ...more]);
const refusal = async (...given: Parameters<typeof to>): Promise<string> => {
  const { code, message, detail } = await failureFrom(() => to(...given));
  expect(code).toBe("bad_configuration");
  return `${message} ${detail.next}`.replaceAll(dir, "DIR");
};
const picture: Picture = {
  what: "chart",
  svg: "<svg/>",
  png: new Uint8Array([1, 2]),
  inBlocks: (columns) => ["x".repeat(columns + 9)],
};
const drawn: Outcome = { kind: "workflow", result: {}, pictures: [picture] };

describe("the ending of a file", () => {
  it("says what is written", async () => {
    expect(await resultFile("report_chart", ["report_chart", "--output=json"])).toBeUndefined();
    expect(await to("report_chart", "a.SVG")).toEqual({ path: at("a.SVG"), picture: "svg" });
    if (imageEngine !== undefined)
      expect(await to("report_chart", "a.png", "--output=json")).toEqual({ path: at("a.png"), picture: "png" });
    for (const output of ["csv", "json", "ndjson"] as const)
      expect(await to("contract_ids_list", `a.${output}`, `--output=${output}`)).toEqual({
        path: at(`a.${output}`),
        output,
      });
  });

  it.each([
    ["contract_ids_list", "a.svg", "takes a file that ends in .csv, .json or .ndjson for contract_ids_list"],
    ["expiry_report", "a.png", "expiry_report returns no picture"],
    ["report_chart", "a.csv", "takes a file that ends in .svg or .png for report_chart"],
    ["report_chart", "a", "The extension"],
    ["purge_submit", "a.txt", "The extension"],
    ["constructor", "a.svg", "returns no picture"],
  ])("is refused where it does not fit: %s --to %s", async (tool, name, says) => {
    expect(await refusal(tool, name)).toContain(says);
  });

  it("is not contradicted by --output", async () => {
    expect(await refusal("contract_ids_list", "a.csv", "--output=json")).toContain("--output json does not fit");
  });
});

it("--to: a place that cannot be written is refused first", async () => {
  fs.mkdirSync(at("directory.csv"));
  expect(await refusal("contract_ids_list", "directory.csv")).toBe(
    "--to DIR/directory.csv is a directory. Name a file in it, such as DIR/directory.csv/result.csv.",
  );
  expect(await refusal("contract_ids_list", "not-there/a.csv")).toContain("Check that DIR/not-there is a directory");
  fs.writeFileSync(at("file"), "");
  expect(await refusal("contract_ids_list", "file/a.csv")).toContain("cannot be written");
});

describe("a file", () => {
  it("is made as other programs make theirs, and says how long it is", async () => {
    const file = { path: at("new.csv"), output: "csv" } as const;
    expect(await writeResult(file, drawn, ["a", "1"])).toBe(`Wrote ${file.path} (4 bytes).`);
    expect(fs.readFileSync(file.path, "utf8")).toBe("a\n1\n");
    expect(fs.statSync(file.path).mode & 0o777).toBe(0o666 & ~process.umask());
    await writeResult({ path: at("new.svg"), picture: "svg" }, drawn, []);
    await writeResult({ path: at("new.png"), picture: "png" }, drawn, []);
    expect([fs.readFileSync(at("new.svg"), "utf8"), [...fs.readFileSync(at("new.png"))]]).toEqual(["<svg/>", [1, 2]]);
  });

  it("is replaced under its own mode, and through a link that names it", async () => {
    fs.writeFileSync(at("old.csv"), "old");
    fs.chmodSync(at("old.csv"), 0o640);
    fs.symlinkSync("old.csv", at("link.csv"));
    await writeResult({ path: at("link.csv"), output: "csv" }, drawn, ["new"]);
    expect(fs.readFileSync(at("old.csv"), "utf8")).toBe("new\n");
    expect(fs.statSync(at("old.csv")).mode & 0o777).toBe(0o640);
    expect(fs.lstatSync(at("link.csv")).isSymbolicLink()).toBe(true);
  });

  it("--to: a file that cannot be replaced stays as it was", async () => {
    fs.mkdirSync(at("gone"));
    const file = { path: at("gone/a.csv"), output: "csv" } as const;
    fs.rmSync(at("gone"), { recursive: true });
    await expect(writeResult(file, drawn, ["x"])).rejects.toMatchObject({ code: "failed" });
    expect(fs.readdirSync(dir).filter((name) => name.includes(".tmp"))).toEqual([]);
  });
});

it("a picture is shown in characters only at a terminal", () => {
  expect(pictureLines(drawn, 12)).toEqual(["", `${"x".repeat(11)}…`]);
  expect(pictureLines(drawn, undefined)).toEqual([]);
  expect(pictureLines({ kind: "workflow", result: {} }, 12)).toEqual([]);
});
