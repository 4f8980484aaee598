/** The files of tokens: those that other users can read or write are refused, for clients and approvers alike. */
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Failure } from "../../src/api/failure.js";
import { readTokens } from "../../src/commands/token-file.js";

afterEach(() => vi.restoreAllMocks());

const path = join(mkdtempSync(join(tmpdir(), "edgewise-token-")), "tokens");
const token = randomBytes(32).toString("hex");
const written = (mode: number, text = `alice ${token}\n`): string => {
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};

describe.each(["--token-file", "--approver-token-file"])("the file of %s", (flag) => {
  const refusal = (): Failure => {
    try {
      readTokens(flag, path, "client");
    } catch (error) {
      if (error instanceof Failure) return error;
    }
    throw new Error("It was not refused.");
  };

  it.each(["640", "604", "620", "602", "610", "601", "644", "444", "666", "777"])(
    "is refused with mode %s, with what closes it",
    (mode) => {
      written(Number.parseInt(mode, 8));
      const { code, message, detail } = refusal();
      expect([code, message]).toEqual([
        "bad_configuration",
        `Other users can read or write the file of ${flag}, ${path}.`,
      ]);
      expect(detail.next).toContain(`Run chmod 600 ${path}.`);
      expect(JSON.stringify(detail)).not.toContain(token);
    },
  );

  it("is refused when a token in it can be guessed, which is not shown", () => {
    written(0o600, `alice ${"a".repeat(32)}\n`);
    const { code, detail } = refusal();
    expect([code, detail.why]).toEqual(["bad_configuration", expect.stringMatching(/line 1 .* could be guessed/)]);
    expect(JSON.stringify(detail)).not.toContain("aaaa");
  });

  it.each(["600", "400", "700"])("is read with mode %s", (mode) => {
    expect(readTokens(flag, written(Number.parseInt(mode, 8)), "client")).toEqual([{ name: "alice", token }]);
  });

  it("is read whatever its mode where the system has no such modes", () => {
    written(0o666);
    vi.spyOn(process, "platform", "get").mockReturnValue("win32");
    expect(readTokens(flag, path, "client")).toHaveLength(1);
  });

  it("is named when it is not there", () => {
    expect(() => readTokens(flag, `${path}-none`, "client")).toThrow(`${flag} ${path}-none cannot be read.`);
  });
});
