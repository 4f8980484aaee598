/** What is kept: plans, results, their files and addresses are found by whoever they were made for, on their account, and by nobody else. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operatorsCheck } from "../../src/calls/caller.js";
import type { Outcome } from "../../src/calls/index.js";
import type { Arguments } from "../../src/language/conduct.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/language/example.js";
import { isRecord } from "../../src/language/member.js";
import { restoreTool } from "../../src/language/own-tools.js";
import { z } from "../../src/language/z.js";
import { librariesOf } from "../../src/mcp/surface.js";
import { readResource } from "../../src/resources/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { removeDirectories, stateDirectory } from "../guard/plan-stores.js";
import { caller } from "../lab/made-up.js";
import { handleOf } from "../lab/options.js";
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
  (await servers[server].engine()).within(profile, operatorsCheck);
const call = async (who: Identity, tool: string, args: Arguments): Promise<Outcome> =>
  (await inProfile(who)).calls.call(tool, args, { ...caller, owner: who.owner });

/** The text at an address; undefined where there is nothing. */
async function read({ server, profile, owner }: Identity, uri: string): Promise<string | undefined> {
  const { surface, menu } = servers[server];
  const library = librariesOf(surface, menu)(profile);
  return (await readResource(library, uri, { owner, signal: undefined }))?.text;
}

// What is kept says this, and no answer to anybody else may.
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
  const shown = await call(who, "dns_record_set", args);
  if (shown.kind !== "preview") throw new Error(JSON.stringify(shown));
  expect((await call(who, "dns_record_set", { ...args, confirm: shown.plan.id })).kind).toBe("answer");
  return shown.plan.id;
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

it("is looked for with every tool that takes a plan or a handle", () => {
  const taking = workflows.filter(([, { example, input }]) => {
    // A plan that is brought as an approval is looked up in one place for all tools, and tried below.
    const { confirm: _, ...shape } = input.shape;
    const schema = JSON.stringify(z.toJSONSchema(z.object(shape), { io: "input", unrepresentable: "any" }));
    return texts(example).some((text) => /A{22}$/.test(text)) || /"[^"]*\b(plan id|handle)\b[^"]*"/i.test(schema);
  });
  expect(taking.map(([name]) => name).sort()).toEqual(Object.keys(takers).sort());
});

describe.each(Object.entries(takers))("%s", (tool, argumentsOf) => {
  it.each(foreign)(promise("kept-of-account", "finds nothing for %s"), async (_, who) => {
    const args = await argumentsOf(own);
    const crossed = await call(who, tool, args);
    expect(crossed).toMatchObject({ kind: "failure" });
    const said = JSON.stringify(crossed);
    expect(said).not.toContain(marker);
    if (crossed.kind !== "failure") return;
    const { message, detail } = crossed.failure;
    // Whose it is may be known to its own owner, and to nobody else.
    const isOwners = who.owner === own.owner && "plan" in args;
    if (isOwners) {
      expect(message).toBe("This plan belongs to another account.");
      expect(detail.why).toMatch(/^It was made for profile one: .*1-8OUTL:1-8BYUX, and this call acts on profile /);
    } else expect(said).not.toMatch(/1-8OUTL|profile one|another account/);
    // It is still there where it was made. The engine of queries is not part of every build of the tests.
    if (tool !== "result_query") expect((await call(own, tool, args)).kind).not.toBe("failure");
  });
});

it.each(foreign)(promise("addresses-of-account", "has addresses that lead %s nowhere"), async (_, who) => {
  const [handle, plan] = [await kept(own), await changed(own)];
  for (const uri of [`result://${handle}`, `result://${handle}/csv`, `plan://${plan}`]) {
    expect(await read(own, uri), uri).toBeDefined();
    expect(await read(who, uri), uri).toBeUndefined();
  }
});

const guarded = services
  .flatMap(({ operations }) => Object.entries<AnyOperation>(operations))
  .filter(([, { spec }]) => guardOf({ spec }) !== undefined);

// Another profile and another client are tried elsewhere, with every one of them as well.
it.each(guarded)(
  promise("plans-of-account", "has plans of %s that approve nothing on another account"),
  async (tool, { spec }) => {
    const args = resolvedExample(spec.example, Date.now());
    const shown = await call(own, tool, args);
    if (shown.kind !== "preview") throw new Error(JSON.stringify(shown));
    const crossed = await call({ ...own, server: "second" }, tool, { ...args, confirm: shown.plan.id });
    expect(crossed).toMatchObject({ kind: "failure", failure: { code: "approval_refused" } });
  },
);

it("tells accounts behind one gateway apart by the hosts of their credentials", async () => {
  const [gateway, dir] = [await startRecorder(), stateDirectory()];
  const serve = async (name: string) => {
    const profiles = { one: { credential: fieldsOf(name), baseUrl: gateway.origin } };
    const { engine } = await surfaceWith(["--config", configFile({ profiles }), "--state-dir", dir]);
    const { calls } = await (await engine()).within(undefined, operatorsCheck);
    return { calls, close: async () => (await engine()).close() };
  };
  const [first, again, second] = [await serve("first"), await serve("first"), await serve("second")];
  const args = { definitionId: "s@2071" };
  const shown = await first.calls.call("alert_definition_delete", args, caller);
  if (shown.kind !== "preview") throw new Error(JSON.stringify(shown));
  const plan = shown.plan.id;
  expect((await again.calls.call("plan_get", { plan }, caller)).kind).toBe("workflow");
  expect(await second.calls.call("plan_get", { plan }, caller)).toMatchObject({ failure: { code: "not_allowed" } });
  const crossed = await second.calls.call("alert_definition_delete", { ...args, confirm: plan }, caller);
  expect(crossed).toMatchObject({ failure: { code: "approval_refused" } });
  expect(gateway.seen.filter(({ method }) => method !== "GET")).toEqual([]);
  await Promise.all([first, again, second, gateway].map((one) => one.close()));
});

it("is seen as a whole by the operator's commands and by no other part of the program", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const having = (what: RegExp) => files.filter((file) => what.test(readFileSync(join("src", file), "utf8"))).sort();
  const seeing = having(/\bOperatorPlans\b/).filter((file) => !/^(guard|commands)\b/.test(file));
  expect(seeing).toEqual([join("engine", "counted-plans.ts"), join("engine", "index.ts")]);
  // Only the desk of approvers has the plans of the engine themselves.
  expect(having(/\bengine\(\)\)\.plans\b|\bplans\b[^=;]*\} = await [\w.]*engine\(\)/)).toEqual([
    join("commands", "desk.ts"),
  ]);
});
