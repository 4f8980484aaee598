/** Laws over the words that lead a preview: names instead of counts, whole sentences, and a way back for every change. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isChange } from "../../src/calls/workflow.js";
import { createWorld } from "../../src/emulator/world.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/language/example.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { type Args, callsIn } from "../lab/calls.js";
import { lawsOver } from "../lab/laws.js";
import { apis, servicesOfProject } from "../lab/project.js";
import { madeOf } from "./preview-law.js";

// Dates of log delivery are checked by the clock of the machine, so that of the world is the same.
const now = Date.now();
const calls = callsIn(createWorld({ frozenAt: now }));
const guarded = (await servicesOfProject()).flatMap(({ operations }) =>
  Object.entries<AnyOperation>(operations).filter(([, { spec }]) => guardOf({ spec }) !== undefined),
);
/** The example of these takes files of secrets, which these calls have none of. */
const takesSecrets = new Set(["user_profile_password_update", "user_password_set"]);
const asExample = (example: unknown, nowMs = now): Args => {
  const { confirm: _, ...args } = resolvedExample(example as never, nowMs) as Args;
  return args;
};

const counted =
  /\b\d+ (rules?|records?|items?|versions?|streams?|events?|users?|groups?|properties|exit points?|entr(y|ies)|\S+ settings?|settings?|URLs?|CP codes|certificates|credentials)\b/i;

describe("every guarded operation", () =>
  lawsOver(guarded, (law, name, operation) => {
    it.skipIf(takesSecrets.has(name))("names in its sentence what it could count", async () => {
      const { summary } = await calls.previewed(name, asExample(operation.spec.example));
      expect(summary).not.toMatch(counted);
      expect(summary).not.toMatch(/cannot be undone.*cannot be undone|\.\.$|: [^.]*: [^"]*: /);
    });

    law("has a way back or says why there is none, in whole sentences", () => {
      const undo = guardOf(operation)?.undo;
      expect(undo).toBeDefined();
      if (typeof undo !== "object") return;
      const said = "never" in undo ? undo.never : "by" in undo && typeof undo.by === "string" ? undo.by : undefined;
      if (said === undefined) return;
      expect(said).toMatch(/^[A-Z][^;:]*(: [^;:]+)?\.$/);
      expect(said).not.toMatch(/cannot be undone/i);
    });
  }));

// A reviewed text: `npx vitest run test/catalogue/sentences.test.ts -u` writes it anew, and its difference is read.
it("is the reviewed sentence of each guarded example, as a whole", async () => {
  // The examples name times from now on, and the sentences repeat them.
  const at = Date.UTC(2026, 4, 20, 12, 30);
  vi.useFakeTimers({ toFake: ["Date"], now: at });
  onTestFinished(() => void vi.useRealTimers());
  const { previewed } = callsIn(createWorld({ frozenAt: at }), { callTimeoutMs: 60_000 });
  const texts: string[] = [];
  for (const [name, operation] of guarded) {
    const args = asExample(operation.spec.example, at);
    const shown = takesSecrets.has(name) ? (await madeOf(operation, args))?.preview : await previewed(name, args);
    const { summary, warnings = [], lines = [] } = shown ?? {};
    const undo = lines.filter((line) => line.startsWith("Undo"));
    texts.push(
      [name, ...[summary, ...warnings.map((one) => `Warning: ${one}`), ...undo].map((one) => `  ${one}`)].join("\n"),
    );
  }
  await expect(`${texts.join("\n\n")}\n`).toMatchFileSnapshot(`sentences/${apis}.txt`);
});

describe.runIf(apis === "documents")("of the documents", () => {
  it.each<[string, Args]>([
    ["URLs", { objects: ["/a", "/b"].map((path) => `https://www.example.com${path}`), action: "remove" }],
    ["CP codes", { objects: [1, 2], type: "cpcode", action: "remove" }],
    ["many", { objects: Array.from({ length: 99 }, (_, at) => 10_000 + at), type: "cpcode", action: "remove" }],
  ])("a purge of %s names as many as there is room for", async (_, body) => {
    const { summary } = await calls.previewed("purge_submit", { queueName: "default", body });
    for (const object of (body["objects"] as readonly unknown[]).slice(0, 45))
      expect(summary).toContain(String(object));
    expect(summary.includes(" and 54 more ")).toBe((body["objects"] as readonly unknown[]).length === 99);
  });

  it.each<[string, string, Args, RegExp]>([
    [
      "a credential names the expiry that moves",
      "credential_update",
      {
        openIdentityId: "oi-7421",
        credentialId: 4101,
        body: { status: "ACTIVE", expiresOn: "2026-11-23T00:00:00.000Z" },
      },
      /: it expires on 2026-11-23T00:00:00\.000Z instead of \S+; its status stays ACTIVE\.$/,
    ],
    [
      "a list deployment says that nothing is pending",
      "threat_list_deployment_launch",
      { configId: 1100, body: { id: 3785 } },
      /^DEPLOY list 3785 of configuration 1100: it has not changed since its last deployment\.$/,
    ],
  ])("%s", async (_, tool, args, sentence) => {
    expect((await calls.previewed(tool, args)).summary).toMatch(sentence);
  });

  it("writes a record of a zone as zone files have it", async () => {
    const { body } = await calls.answer("dns_zone_get", { zone: "example.com" });
    const { token, zone } = body as { token: string; zone: { soa: { serial: number } } };
    const written = { ...zone, mx: [], soa: { ...zone.soa, serial: zone.soa.serial + 1 } };
    const { summary } = await calls.previewed("dns_zone_write", {
      zone: "example.com",
      body: { token, zone: written },
    });
    expect(summary).toContain(": it loses @ MX 10 mail.example.com., on PRODUCTION immediately.");
  });

  describe("a composed change", () => {
    it("a composed change's sentence says what, where, and what is lost", async () => {
      const changes = (await allWorkflows()).filter(([, declared]) => isChange(declared));
      const seen: string[] = [];
      for (const [name, declared] of changes) {
        const outcome = await calls.call(name, asExample(declared.example));
        if (outcome.kind !== "preview") continue;
        const { summary } = outcome.preview;
        if (!/^(SET|REMOVE|CHANGE) /.test(summary)) continue;
        seen.push(name);
        expect(summary).toMatch(/\b(STAGING|PRODUCTION|no network)\b/);
        expect(summary).toMatch(/; (no other \w+ changes|the rest of the \w+ stays unchanged)\.$/);
        expect(summary).not.toMatch(/nothing else/);
      }
      expect(seen).toEqual(
        expect.arrayContaining(["dns_record_set", "dns_record_remove", "property_rule_tree_update"]),
      );
    });

    it("a DNS record change names what goes, what stays and a different TTL", async () => {
      const at = { zone: "example.com", name: "www", type: "A" };
      const said = async (tool: string, args: Args) => (await calls.previewed(tool, args)).summary;
      const both = ["203.0.113.21", "203.0.113.99"];
      expect(await said("dns_record_set", { ...at, values: both, ttl: 60 })).toMatch(
        /to 203\.0\.113\.21, 203\.0\.113\.99, TTL 60 instead of 300, on PRODUCTION immediately: nothing is removed; /,
      );
      expect(await said("dns_record_set", { ...at, values: ["203.0.113.99"] })).toMatch(
        /TTL 300, on PRODUCTION immediately: 203\.0\.113\.21 is removed; no other record changes\.$/,
      );
      expect(await said("dns_record_remove", at)).toMatch(
        /^REMOVE the A record 203\.0\.113\.21 of www\.example\.com\. from the zone example\.com, on PRODUCTION immediately: the name then has no A record; /,
      );
    });
  });
});
