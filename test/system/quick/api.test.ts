/** `edgewise api`: a path read as it is or by the tool that covers it, and nothing that leaves the path. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../lab/depth.js";
import { file, folder } from "../../lab/files.js";
import { bareEnvironment } from "../../lab/session.js";
import { typed } from "../typed.js";
import { json, startUpstream } from "../upstream.js";

const state = folder();
const api = (words: readonly string[]) => typed(["api", ...words], bareEnvironment({ EDGEWISE_STATE_DIR: state }));
const policyOf = (...lines: string[]) => {
  const text = ["version: 1", "rules:", "  - id: it", "    effect: deny", ...lines, ""].join("\n");
  return ["--policy", file(text, { name: "policy.yaml" })];
};

it("api: no line reaches a host, a path or a method that it does not name", async () => {
  const upstream = await startUpstream((response) => json(response, 200, { ok: 1 }));
  const parts = "a|..|.||%2e%2e|a b|//|\\|http:|{x}|é|b?c=1|#|a@b".split("|");
  const part = fc.constantFrom(...parts);
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join("/")}`);
  const query = fc.constantFrom("x=1", "_method=DELETE", "accountSwitchKey=1-A", "body=1", "force=true", "x", "to=2");
  await fc.assert(
    fc.asyncProperty(fc.oneof(path, fc.constant("https://evil.example/a")), query, async (at, pair) => {
      const before = upstream.received.length;
      const { status } = await api(["GET", at, "--query", pair, "--upstream", upstream.url]);
      const sent = upstream.received
        .slice(before)
        .map(({ method, target }) => `${method} ${decodeURIComponent(target)}`);
      expect(sent).toEqual(status === 78 ? [] : [`GET ${at}?${pair}`]);
      if (status !== 78) expect(["x=1", "to=2"]).toContain(pair);
    }),
    { numRuns: runs(25) },
  );
  await upstream.close();
});

it("api: signed, switched, masked and bounded like any read", async () => {
  const upstream = await startUpstream((response) =>
    json(response, 200, { items: [{ id: 1, apiSecret: "s3cr3t-value" }] }),
  );
  const switched = ["--account-switch-key", "1-A", "--upstream", upstream.url];
  const { stdout, status } = await api(["GET", "/new-api/v1/things", "--query", "a=1", "--query", "a=2", ...switched]);
  const [{ target, headers } = { target: "", headers: {} }] = upstream.received;
  expect([target, status]).toEqual(["/new-api/v1/things?a=1&a=2&accountSwitchKey=1-A", 0]);
  expect(headers.authorization).toMatch(/^EG1-HMAC-SHA256 /);
  expect(stdout).not.toContain("s3cr3t-value");
  const audit = await typed(["audit", "show"], bareEnvironment({ EDGEWISE_STATE_DIR: state }));
  expect(audit.stdout).toContain("api_get");
  await upstream.close();
});

it("api: a path that a tool covers is a call of that tool", async () => {
  const known = await api(["GET", "/contract-api/v1/contracts/identifiers", "--query", "depth=ALL"]);
  const { status, notes } = JSON.parse(known.stdout);
  expect([status, known.status]).toEqual([200, 0]);
  expect(notes.join()).toMatch(/identifiers is a tool: run `\S+ \S*server.js call contract_ids_list --depth ALL`/);
  const wrong = await api(["GET", "/contract-api/v1/contracts/identifiers", "--query", "depht=ALL"]);
  expect([wrong.stdout, wrong.status]).toEqual([expect.stringContaining("--query depht"), 78]);
  expect((await api(["GET", "/no-api/v1/at-all"])).stdout).toContain("The emulator only has what a tool covers");
});

it.each<[title: string, words: string[]]>([
  ["a rule for it by its name", policyOf("    imported: true", "    tools: [api_get]")],
  ["a rule for all imported operations", policyOf("    imported: true")],
  ["a rule for every read", policyOf("    tiers: [read]")],
  ["a rule for the service of the path", policyOf("    services: [dns]")],
  ["a rule for what the path names", policyOf('    objects: ["*shop.example*"]')],
  ["named tools", ["--tools", "dns_*"]],
  ["other services", ["--services", "purge"]],
])("api: what no tool covers is forbidden by %s", async (_, words) => {
  const path = "/config-dns/v1/reports/shop.example";
  expect((await api(["GET", path])).stdout).toContain('"not_found"');
  const { stdout, status } = await api(["GET", path, ...words]);
  expect([stdout, status]).toEqual([expect.stringContaining(`"not_allowed"`), 1]);
});

it.each([
  [["POST", "/a"], "api takes GET and a path"],
  [["HEAD", "/a"], "api takes GET and a path"],
  [["GET"], "api takes GET and a path"],
  [["GET", "/a?b=1"], "Write --query NAME=VALUE"],
  [["GET", "/ccu/v9/purge/now"], "is not a read"],
  [["GET", "/a", "--query", "action=delete"], "is not a read"],
  [["GET", "/a", "--imported", "off"], "No tool covers GET /a"],
])("api: %j is refused in the words of the line", async (words, says) => {
  const { stderr, stdout, status } = await api(words);
  expect([stderr, stdout, status]).toEqual([expect.stringContaining(says), "", 78]);
});
