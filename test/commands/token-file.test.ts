/** The files of tokens: those that other users can read or write are refused, for clients and approvers alike. */
import { randomBytes } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Failure } from "../../src/language/failure.js";
import { readTokens } from "../../src/mcp/http/access.js";
import { folder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { promise } from "../lab/rules.js";
import { onWindows, strangerTo } from "../lab/users.js";

const directory = folder();
const path = join(directory, "tokens");
const token = randomBytes(32).toString("hex");
const written = (mode: number, text = `alice ${token}\n`, file = path): string => {
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
};

describe("the file of --token-file", () => {
  const flag = "--token-file";
  const refusal = (): Failure => {
    try {
      readTokens(flag, path, "client");
    } catch (error) {
      if (error instanceof Failure) return error;
    }
    throw new Error("It was not refused.");
  };

  it.each(["640", "604", "620", "602", "610", "601"])(
    promise("token-file-mode", "a token file with mode %s is refused"),
    needs.modes,
    (mode) => {
      written(Number.parseInt(mode, 8));
      const { code, message, detail } = refusal();
      expect([code, message]).toEqual(["bad_configuration", expect.stringContaining(`${flag}, ${path}`)]);
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

  it("a token file is read on Windows whatever its mode", () => {
    expect(readTokens(flag, written(0o666), "client", onWindows)).toHaveLength(1);
  });

  it("is refused when another user owns it, whatever its mode", needs.modes, () => {
    const given = written(0o600, undefined, join(directory, "given"));
    const stranger = strangerTo(given);
    expect(() => readTokens(flag, given, "client", stranger)).toThrow(
      `Other users can read or write the file of ${flag}, ${given}.`,
    );
  });

  it("is named when it is not there", () => {
    expect(() => readTokens(flag, `${path}-none`, "client")).toThrow(`${flag} ${path}-none cannot be read.`);
  });
});
