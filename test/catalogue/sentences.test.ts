/** Laws over the words that lead a preview: names instead of counts, whole sentences, a way back for every change, few tokens. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it, onTestFinished, vi } from "vitest";
import { resultOf } from "../../src/answers/outcome.js";
import { isChange } from "../../src/calls/workflow.js";
import { createWorld } from "../../src/emulator/world.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/pages/example.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { type Args, callsIn } from "../lab/calls.js";
import { holdsForEach } from "../lab/laws.js";
import { previewOf } from "../lab/outcome.js";
import { apis, servicesOfProject } from "../lab/project.js";
import { madeOf } from "./preview-law.js";

const at = Date.UTC(2026, 4, 20, 12, 30);
const guarded = (await servicesOfProject()).flatMap(({ operations }) =>
  Object.entries<AnyOperation>(operations).filter(([, { spec }]) => guardOf({ spec }) !== undefined),
);
const changes = (await allWorkflows(apis)).flatMap(([name, one]) => (isChange(one) ? [[name, one] as const] : []));
/** The example of these takes files of secrets, which these calls have none of. */
const takesSecrets = new Set(["user_profile_password_update", "user_password_set"]);
const asExample = (example: unknown): Args => {
  const { confirm: _, ...args } = resolvedExample(example as never, at) as Args;
  return args;
};

const purging = (body: Args): readonly [string, Args] => ["purge_submit", { queueName: "default", body }];
const record = { zone: "example.com", name: "www", type: "A" };
const credential = { openIdentityId: "oi-7421", credentialId: 4101 };
/** Calls whose sentences the examples do not show: several objects and very many, what stays, what moves, what is lost. */
const further = async (calls: ReturnType<typeof callsIn>): Promise<readonly (readonly [string, Args])[]> => {
  const { body } = await calls.answer("dns_zone_get", { zone: record.zone });
  const { token, zone } = body as { token: string; zone: { soa: { serial: number } } };
  const withoutMail = { ...zone, mx: [], soa: { ...zone.soa, serial: zone.soa.serial + 1 } };
  return [
    purging({ objects: ["/a", "/b"].map((path) => `https://www.example.com${path}`), action: "remove" }),
    purging({ objects: [1, 2], type: "cpcode", action: "remove" }),
    purging({ objects: Array.from({ length: 99 }, (_, more) => 10_000 + more), type: "cpcode", action: "remove" }),
    ["credential_update", { ...credential, body: { status: "ACTIVE", expiresOn: "2026-11-23T00:00:00.000Z" } }],
    ["threat_list_deployment_launch", { configId: 1100, body: { id: 3785 } }],
    ["dns_zone_write", { zone: record.zone, body: { token, zone: withoutMail } }],
    ["dns_record_set", { ...record, values: ["203.0.113.21", "203.0.113.99"], ttl: 60 }],
    ["dns_record_set", { ...record, values: ["203.0.113.99"] }],
    ["dns_record_remove", record],
  ];
};

const presentation = { upstream: "the emulator", secrets: [], maxTokens: 8_000 };
const counted =
  /\b\d+ (rules?|records?|items?|versions?|streams?|events?|users?|groups?|properties|exit points?|entr(y|ies)|\S+ settings?|settings?|URLs?|CP codes|certificates|credentials)\b/i;

/** The tokens of a preview; its digest and its plan's id, which are random, count like those of the mean number. */
const tokensOf = (text: string): number =>
  encode(
    text
      .replace(/(?<=Digest of the request: )[\w-]{12}/, "aeWKwwtgK5GB")
      .replace(/(?<=confirm: plan_)[\w-]{22}/, "pxoEx1J5bMTX8W6kPp76QA"),
  ).length;

// A reviewed text: `npx vitest run test/catalogue/sentences.test.ts -u` writes it anew, and its difference is read.
it("every guarded preview: its reviewed sentence, names, and few tokens", async () => {
  // The examples name times from now on, and the sentences repeat them.
  vi.useFakeTimers({ toFake: ["Date"], now: at });
  onTestFinished(() => void vi.useRealTimers());
  const calls = callsIn(createWorld({ frozenAt: at }), { callTimeoutMs: 60_000 });
  const all = [
    ...guarded.map(([name, { spec }]) => [name, asExample(spec.example)] as const),
    ...(apis === "documents" ? await further(calls) : []),
  ];
  const operations = new Map(guarded);
  const texts: string[] = [];
  const costs: (readonly [tokens: number, tool: string])[] = [];
  await holdsForEach(all, async (name, args) => {
    const operation = operations.get(name);
    const isMade = operation !== undefined && takesSecrets.has(name);
    const outcome = isMade ? undefined : await calls.call(name, args);
    const shown = outcome ? previewOf(outcome) : operation && (await madeOf(operation, args))?.preview;
    if (outcome?.kind === "preview") costs.push([tokensOf(resultOf(outcome, presentation).content[0].text), name]);
    const { summary = "", warnings = [], lines = [] } = shown ?? {};
    const undo = lines.filter((line) => line.startsWith("Undo"));
    texts.push(
      [name, ...[summary, ...warnings.map((one) => `Warning: ${one}`), ...undo].map((one) => `  ${one}`)].join("\n"),
    );
    expect(summary).not.toMatch(counted);
    expect(summary).not.toMatch(/cannot be undone.*cannot be undone|\.\.$|: [^.]*: [^"]*: /);
  });
  await expect(`${texts.join("\n\n")}\n`).toMatchFileSnapshot(`sentences/${apis}.txt`);
  costs.sort(([one], [other]) => other - one);
  const largest = costs.slice(0, 12).map(([tokens, tool]) => `${tool} ${tokens}`);
  for (const [share, most] of [
    [0.5, 220],
    [0.05, 600],
  ] as const)
    expect(costs[Math.floor(costs.length * share)]?.[0], largest.join(", ")).toBeLessThanOrEqual(most);
});

it("has a way back or says why there is none, in whole sentences", () =>
  holdsForEach(guarded, (_, operation) => {
    const undo = guardOf(operation)?.undo;
    expect(undo).toBeDefined();
    if (typeof undo !== "object") return;
    const said = "never" in undo ? undo.never : "by" in undo && typeof undo.by === "string" ? undo.by : undefined;
    if (said === undefined) return;
    expect(said).toMatch(/^[A-Z][^;:]*(: [^;:]+)?\.$/);
    expect(said).not.toMatch(/cannot be undone/i);
  }));

it("a composed change's sentence says what, where, and what is lost", async () => {
  const calls = callsIn(createWorld({ frozenAt: at }), { callTimeoutMs: 60_000 });
  const seen: string[] = [];
  await holdsForEach(changes, async (name, { example }) => {
    const outcome = await calls.call(name, asExample(example));
    const { summary = "" } = outcome.kind === "preview" ? outcome.preview : {};
    if (!/^(SET|REMOVE|CHANGE) /.test(summary)) return;
    seen.push(name);
    expect(summary).toMatch(/\b(STAGING|PRODUCTION|no network)\b/);
    expect(summary).toMatch(/; (no other \w+ changes|the rest of the \w+ stays unchanged)\.$/);
    expect(summary).not.toMatch(/nothing else/);
  });
  expect(seen).toContain("property_rule_tree_update");
});
