/** What is stored: plans, results, their files and addresses are found by their owner on their account, and by nobody else. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { operatorOrigin } from "../../src/calls/origin.js";
import { librariesOf } from "../../src/engine/surface.js";
import type { Arguments } from "../../src/language/conduct.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf } from "../../src/language/effect.js";
import { isRecord } from "../../src/language/member.js";
import { restoreTool } from "../../src/language/server-tools.js";
import { z } from "../../src/language/z.js";
import { resolvedExample } from "../../src/pages/example.js";
import { readResource } from "../../src/resources/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { removeDirectories, stateDirectory } from "../guard/plan-stores.js";
import { inDepth } from "../lab/depth.js";
import { holdsForEach } from "../lab/laws.js";
import { caller } from "../lab/made-up.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { handleOf } from "../lab/options.js";
import { answerOf, failureOf, planOf } from "../lab/outcome.js";
import { promise } from "../lab/rules.js";
import { secretDirectory } from "../lab/secret-files.js";
import { configFile, fieldsOf, services, startRecorder, surfaceWith } from "./two.js";

/** Who acts on which account: the server, its profile, the owner of the call. */
interface Identity {
  readonly server: "first" | "second";
  readonly profile: "one" | "two";
  readonly owner: string;
}
const own: Identity = { server: "first", profile: "one", owner: "local" };
const foreign: readonly (readonly [string, Identity])[] = [
  ["another profile", { ...own, profile: "two" }],
  ["another account behind the same directory", { ...own, server: "second" }],
  ["another client", { ...own, owner: "client:other" }],
  ["another client on another account", { ...own, server: "second", owner: "client:other" }],
];

let servers: Record<Identity["server"], Awaited<ReturnType<typeof surfaceWith>>>;
beforeAll(async () => {
  const dir = stateDirectory();
  const files = secretDirectory();
  const serve = (accountSwitchKey: string) => {
    const profiles = { one: { accountSwitchKey }, two: { accountSwitchKey } };
    return surfaceWith(["--emulator", "--config", configFile({ profiles }), "--state-dir", dir, "--secret-dir", files]);
  };
  servers = { first: await serve("1-8OUTL:1-8BYUX"), second: await serve("1-9NORD:1-8BYUX") };
});
afterAll(async () => {
  for (const { engine } of Object.values(servers)) await (await engine()).close();
  removeDirectories();
});

const inProfile = async ({ server, profile }: Identity) =>
  (await servers[server].engine()).runtimeFor(profile, operatorOrigin);
const call = async (who: Identity, tool: string, args: Arguments): Promise<Outcome> =>
  (await inProfile(who)).calls.call(tool, args, { ...caller, owner: who.owner });

/** The text at an address; undefined where there is nothing. */
async function read({ server, profile, owner }: Identity, uri: string): Promise<string | undefined> {
  const { surface, menu } = servers[server];
  const library = librariesOf(surface, menu)(profile);
  return (await readResource(library, uri, { owner, signal: undefined }))?.text;
}

// What is stored contains this, and no answer to anybody else may.
const marker = "kept-for-one-alone";
const rows = [
  { time: "2026-05-01T00:00:00Z", class: marker, hits: 1 },
  { time: "2026-05-01T01:00:00Z", class: marker, hits: 2 },
];

let changes = 0;
/** Makes a change under a plan, and gives the plan. */
async function changed(who: Identity): Promise<string> {
  changes += 1;
  const args = { zone: "example.com", name: "www", type: "A", values: [`192.0.2.${changes}`] };
  const { id } = planOf(await call(who, "dns_record_set", args));
  answerOf(await call(who, "dns_record_set", { ...args, confirm: id }));
  return id;
}
const kept = async (who: Identity): Promise<string> =>
  (await handleOf((await inProfile(who)).results, rows, who.owner)) ?? "nothing was kept";

/** The arguments of every tool that takes the id of a plan or the handle of a result. */
const takers: Readonly<Record<string, (who: Identity) => Promise<Arguments>>> = {
  [restoreTool]: async (who) => ({ plan: await changed(who) }),
  plan_get: async (who) => ({ plan: await changed(who) }),
  result_get: async (who) => ({ handle: await kept(who) }),
  result_view: async (who) => ({ handle: await kept(who), top: 1 }),
  result_query: async (who) => ({ results: [await kept(who)], sql: "select * from result" }),
  report_chart: async (who) => ({ result: await kept(who), kind: "line" }),
};

const texts = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : isRecord(value) || Array.isArray(value)
      ? Object.values(value).flatMap(texts)
      : [];
const workflows = await allWorkflows();

it("every tool that takes a plan or a handle is tried here", () => {
  const taking = workflows.filter(([, { example, input }]) => {
    // A plan that is redeemed as an approval is looked up in one place for all tools, and tried below.
    const { confirm: _, ...shape } = input.shape;
    const schema = JSON.stringify(z.toJSONSchema(z.object(shape), { io: "input", unrepresentable: "any" }));
    return texts(example).some((text) => /A{22}$/.test(text)) || /"[^"]*\b(plan id|handle)\b[^"]*"/i.test(schema);
  });
  expect(taking.map(([name]) => name).sort()).toEqual(Object.keys(takers).sort());
});

it.each(foreign)(promise("kept-of-account", "what is kept is not found by %s"), (_, who) =>
  holdsForEach(Object.entries(takers), async (tool, argumentsOf) => {
    const args = await argumentsOf(own);
    const { message, detail } = failureOf(await call(who, tool, args));
    const said = JSON.stringify([message, detail]);
    expect(said).not.toContain(marker);
    // Whose it is may be known to its own owner, and to nobody else.
    const isOwners = who.owner === own.owner && "plan" in args;
    if (isOwners) expect(said).toMatch(/made for profile one: .*1-8OUTL:1-8BYUX, and this call acts on profile /);
    else expect(said).not.toMatch(/1-8OUTL|profile one|another account/);
    // It is still there where it was made. The engine of queries is not part of every build of the tests.
    if (tool !== "result_query") expect((await call(own, tool, args)).kind).not.toBe("failure");
  }),
);

it.each(foreign)(promise("addresses-of-account", "addresses of what is kept lead %s nowhere"), async (_, who) => {
  const [handle, plan] = [await kept(own), await changed(own)];
  for (const uri of [`result://${handle}`, `result://${handle}/csv`, `plan://${plan}`]) {
    expect(await read(own, uri), uri).toBeDefined();
    expect(await read(who, uri), uri).toBeUndefined();
  }
});

const guarded = services
  .flatMap(({ operations }) => Object.entries<AnyOperation>(operations))
  .filter(([, { spec }]) => guardOf({ spec }) !== undefined);
const approvalOf = ([, operation]: readonly [string, AnyOperation]) =>
  mechanismsOf(operation).filter((word) => /^(guard (kind|undo)|method)/.test(word));

// Another profile and another client are tried elsewhere.
it(promise("plans-of-account", "a plan approves nothing on another account"), () =>
  holdsForEach(inDepth(guarded, sampled(guarded, approvalOf)), async (tool, { spec }) => {
    const args = resolvedExample(spec.example, Date.now());
    const { id } = planOf(await call(own, tool, args));
    const crossed = await call({ ...own, server: "second" }, tool, { ...args, confirm: id });
    expect(failureOf(crossed).code).toBe("approval_refused");
  }),
);

it("accounts behind one gateway differ by the hosts of their credentials", async () => {
  const [gateway, dir] = [await startRecorder(), stateDirectory()];
  const serve = async (name: string) => {
    const profiles = { one: { credential: fieldsOf(name), baseUrl: gateway.origin } };
    const { engine } = await surfaceWith(["--config", configFile({ profiles }), "--state-dir", dir]);
    const { calls } = await (await engine()).runtimeFor(undefined, operatorOrigin);
    return { calls, close: async () => (await engine()).close() };
  };
  const [first, again, second] = [await serve("first"), await serve("first"), await serve("second")];
  const args = { definitionId: "s@2071" };
  const { id: plan } = planOf(await first.calls.call("alert_definition_delete", args, caller));
  expect((await again.calls.call("plan_get", { plan }, caller)).kind).toBe("workflow");
  expect(await second.calls.call("plan_get", { plan }, caller)).toMatchObject({ failure: { code: "not_allowed" } });
  const crossed = await second.calls.call("alert_definition_delete", { ...args, confirm: plan }, caller);
  expect(crossed).toMatchObject({ failure: { code: "approval_refused" } });
  expect(gateway.seen.filter(({ method }) => method !== "GET")).toEqual([]);
  await Promise.all([first, again, second, gateway].map((one) => one.close()));
});

it("only the operator's commands see plans of all owners", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const having = (what: RegExp) => files.filter((file) => what.test(readFileSync(join("src", file), "utf8"))).sort();
  const seeing = having(/\bOperatorPlans\b/).filter((file) => !/^(guard|commands)\b/.test(file));
  expect(seeing).toEqual([join("engine", "counted-plans.ts"), join("engine", "index.ts")]);
  // Only the desk of approvers has the plans of the engine themselves.
  expect(having(/\bengine\(\)\)\.plans\b|\bplans\b[^=;]*\} = await [\w.]*engine\(\)/)).toEqual([
    join("commands", "desk.ts"),
  ]);
});
