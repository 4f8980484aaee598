/** The files of tokens: those that other users can read or write are refused, for clients and approvers alike. */
import { randomBytes } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTokens } from "../../src/mcp/http/access.js";
import { folder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { failureFrom } from "../lab/outcome.js";
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
  it.each(["640", "604", "620", "602", "610", "601"])(
    promise("token-file-mode", "a token file with mode %s is refused"),
    needs.modes,
    async (mode) => {
      written(Number.parseInt(mode, 8));
      const { code, message, detail } = await failureFrom(() => readTokens(flag, path, "client"));
      expect([code, message]).toEqual(["bad_configuration", expect.stringContaining(`${flag}, ${path}`)]);
      expect(detail.next).toContain(`Run chmod 600 ${path}.`);
      expect(JSON.stringify(detail)).not.toContain(token);
    },
  );

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
