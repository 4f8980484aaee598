/** Plain HTTP step by step: the file with a client's token, the server that reads it, and what the client sends. */
import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Config } from "../../config.js";
import { refuse } from "../command.js";
import { readTokens } from "../token-file.js";

/** The file of tokens: the one that was given, or one beside the `.edgerc`. */
export const tokenFileOf = ({ values }: Config): string =>
  resolve(values["token-file"] ?? join(homedir(), ".edgewise-tokens"));

/** The configuration of a server that takes tokens, wherever their file is. */
export const withTokenFile = (config: Config): Config => ({
  ...config,
  values: { ...config.values, "token-file": tokenFileOf(config) },
  given: new Map([...config.given, ["token-file", "line"] as const]),
});

/** The variable in which a client may have its token; one that began with EDGEWISE_ would be taken for a setting. */
export const tokenVariable = "MCP_EDGEWISE_TOKEN";

/**
 * Makes the file of tokens with one for a first client, for its owner alone; one that is there stays as it is.
 * @returns What was done; the token itself is never shown.
 * @throws Failure `bad_configuration` when it cannot be written, or when one is there that cannot be used.
 */
export function makeTokenFile(config: Config): string {
  const path = tokenFileOf(config);
  if (existsSync(path)) {
    const names = readTokens("--token-file", path, "client").map(({ name }) => name);
    return `${path} already has tokens, of ${names.join(", ")}; nothing was written.`;
  }
  try {
    writeFileSync(path, `client ${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  } catch {
    refuse(`${path} cannot be written.`, "Check its directory, or name another file with --token-file.");
  }
  return `${path} was written: a line with the name of a client and its token. Add a line for each further client.`;
}

/** What to do, in order, so that a client reaches a server that knows it. */
export function httpSteps(config: Config, starts: string, makes: string): readonly string[] {
  const { "allow-writes": allowsWrites } = config.values;
  const file = tokenFileOf(config);
  return [
    existsSync(file)
      ? `1. The tokens are in ${file}, a line NAME TOKEN for each client.`
      : `1. Make a file with a token, which is not shown:\n   ${makes}`,
    `2. Start the server:\n   ${starts}\n   ${
      allowsWrites
        ? "Clients with a token can make changes."
        : "Clients only read. With --allow-writes, those with a token can make changes."
    }`,
    `3. Add the entry below to the client, with the token from the file in place of \${${tokenVariable}}; or set that\n   variable, if the client replaces variables in headers.`,
  ];
}
