/** The search for canary secrets finds them in every form, and nothing else. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { canarySearch, canaryVariables, secretsIn } from "../lab/canary.js";
import { folder } from "../lab/files.js";
import { holdsForEach } from "../lab/laws.js";
import { promise } from "../lab/rules.js";

const secrets = secretsIn(canaryVariables, "");
const bytes = (text: string): Buffer => Buffer.from(text);
const encodings: Readonly<Record<string, (text: string) => string>> = {
  raw: (text) => text,
  JSON: (text) => JSON.stringify({ text }),
  "JSON in JSON": (text) => JSON.stringify({ text: JSON.stringify({ text }) }),
  "a URL": (text) => `https://a.example/?x=${encodeURIComponent(text)}&y=1`,
  "a form": (text) => new URLSearchParams({ y: "1", x: text }).toString(),
  base64: (text) => bytes(text).toString("base64"),
  base64url: (text) => bytes(text).toString("base64url"),
  hex: (text) => bytes(text).toString("hex"),
  HEX: (text) => bytes(text).toString("hex").toUpperCase(),
};

const found = (...texts: readonly string[]): string => {
  const search = canarySearch(secrets);
  for (const text of texts) search.see("here", text);
  try {
    search.end();
    return "";
  } catch (error) {
    return String(error);
  }
};

it(promise("canary-in-any-encoding", "a secret is found in every form, wherever it begins"), () =>
  holdsForEach(Object.entries(encodings), (_, encode) => {
    for (const secret of secrets)
      for (const before of ["", "a", "ab", "abc", "user:"])
        for (const after of ["", "z", "yz", "xyz"]) expect(found(encode(before + secret + after))).toMatch(/, in here/);
  }),
);

it("a secret is found in a file, by its content or its name", () => {
  const [secret = ""] = secrets;
  const home = folder();
  mkdirSync(join(home, "a", "b"), { recursive: true });
  writeFileSync(join(home, ".edgerc"), secret);
  const search = canarySearch([secret]);
  search.seeFiles(home, [".edgerc"]);
  expect(search.end).not.toThrow();
  writeFileSync(join(home, "a", "b", "plan.json"), encodings["JSON"]?.(secret) ?? "");
  search.seeFiles(home, [".edgerc"]);
  expect(search.end).toThrow(/JSON, in the file .*plan\.json/);
  expect(search.end).not.toThrow(secret);
});

it("only secrets are found: those of an environment and of a file", () => {
  expect(found(JSON.stringify({ client_token: "[secret]", host: canaryVariables["AKAMAI_HOST"] }), "akab-canary")).toBe(
    "",
  );
  const edgerc = join(folder(), ".edgerc");
  writeFileSync(edgerc, "[default]\nhost = h.example\nclient_secret = cs-1\naccess_token=at-1\nbasic_password = p-1\n");
  const environment = { AKAMAI_HOST: "h", AKAMAI_PURGE_BEARER_TOKEN: "b-1" };
  expect(secretsIn(environment, edgerc)).toEqual(["b-1", "cs-1", "at-1", "p-1"]);
  expect(secrets).toHaveLength(3);
});
