/** Laws over the whole catalogue with two profiles: whose upstream a call goes to, with whose credential, under whose plan. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { operatorOrigin } from "../../src/calls/origin.js";
import { linesOfForm } from "../../src/guard/preview/lines.js";
import type { Arguments } from "../../src/language/conduct.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf } from "../../src/language/effect.js";
import { restoreTool, viewTool } from "../../src/language/server-tools.js";
import { resolvedExample } from "../../src/pages/example.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { inDepth } from "../lab/depth.js";
import { holdsForEach } from "../lab/laws.js";
import { caller } from "../lab/made-up.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { failureOf, planOf, previewOf } from "../lab/outcome.js";
import { operationsIn } from "../lab/project.js";
import { promise } from "../lab/rules.js";
import { secretDirectory } from "../lab/secret-files.js";
import { configFile, fieldsOf, type Recorder, services, startRecorder, surfaceWith } from "../profiles/two.js";

// What decides which requests a call makes, and what becomes of its approval: each once.
const ofRequests = /^(effect|guard kind|paging$|awaits$|resolves$|period$)/;
const wordsOf = ([, operation]: readonly [string, AnyOperation]) =>
  mechanismsOf(operation).filter((word) => ofRequests.test(word));
const operations = operationsIn(services);
const workflows = await allWorkflows();
const tools = [
  ...inDepth(operations, sampled(operations, wordsOf)).map(([name, { spec }]) => [name, spec.example] as const),
  ...workflows.map(([name, { example }]) => [name, example] as const),
];
const guarded = operations.filter(([, { spec }]) => guardOf({ spec }) !== undefined);
const names = ["one", "two"] as const;
type Name = (typeof names)[number];
const other = { one: "two", two: "one" } as const;

let upstreams: Record<Name, Recorder>;
let served: Awaited<ReturnType<typeof surfaceWith>>;
beforeAll(async () => {
  upstreams = { one: await startRecorder(), two: await startRecorder() };
  const profiles = Object.fromEntries(
    names.map((name) => [name, { credential: fieldsOf(name), baseUrl: upstreams[name].origin }]),
  );
  served = await surfaceWith(["--config", configFile({ profiles }), "--secret-dir", secretDirectory()]);
});
afterAll(async () => {
  await (await served.engine()).close();
  await Promise.all(names.map((name) => upstreams[name].close()));
});
function reset(): void {
  for (const name of names) {
    upstreams[name].world.reset();
    upstreams[name].seen.length = 0;
  }
}

/** Calls a tool as a client does, by its menu. */
async function call(tool: string, given: Arguments) {
  const asked = served.menu.findCall(tool, given);
  if (!asked) throw new Error(`${tool} is on no menu.`);
  const { calls } = await (await served.engine()).runtimeFor(asked.profile, operatorOrigin);
  return calls.call(asked.tool, asked.args, { ...caller, refusal: asked.refusal });
}

/** Fails where a request of a call in a profile went to another upstream, or with another credential. */
function heldBy(name: Name): void {
  expect(upstreams[other[name]].seen).toEqual([]);
  const { origin, seen } = upstreams[name];
  const own = { host: new URL(origin).host, token: fieldsOf(name).clientToken };
  for (const request of seen) expect(request).toMatchObject(own);
}

// They answer from the declarations, or start from what is stored here, and here nothing is.
const sendsNothing = new Set([
  ...workflows.filter(([, { steps }]) => steps === undefined).map(([name]) => name),
  ...[restoreTool, viewTool],
]);

it("a call goes only to its profile's upstream, with its credential", () =>
  holdsForEach([...tools.entries()], async (at, [tool, example]) => {
    const profile = at % 2 === 0 ? "one" : "two";
    reset();
    await call(tool, { ...resolvedExample(example, Date.now()), profile });
    heldBy(profile);
    if (!sendsNothing.has(tool)) expect([tool, upstreams[profile].seen.length]).not.toEqual([tool, 0]);
  }));

it(promise("confirm-in-its-profile", "a preview names its profile first, and no other confirms it"), () =>
  holdsForEach(inDepth(guarded, sampled(guarded, wordsOf)), async (tool, { spec }) => {
    reset();
    const args = resolvedExample(spec.example, Date.now());
    const previewed = await call(tool, { ...args, profile: "one" });
    const { preview, plan } = { preview: previewOf(previewed), plan: planOf(previewed) };
    const shorter = (["brief", "short"] as const).map((form) => linesOfForm(form, preview.ranked)[0]?.text);
    const leading = [preview.summary, preview.lines[0], ...shorter];
    expect(leading).toEqual(leading.map(() => expect.stringMatching(/^In profile one: /)));
    expect(preview.account).toMatch(/^profile one: /);
    // It is void then, where it came from as well.
    for (const profile of ["two", "one"])
      expect(failureOf(await call(tool, { ...args, profile, confirm: plan.id })).code).toBe("approval_refused");
  }),
);

it("profile is listed with every tool where there are several", async () => {
  for (const { tool } of served.menu.tools.values())
    expect(Object.keys((tool.inputSchema["properties"] ?? {}) as object)).not.toContain("profile");
  for (const surface of ["all", "core", "catalogue"] as const) {
    const { menu } = await surfaceWith(["--emulator", "--profiles", "one,two"], { surface });
    for (const { tool } of menu.listed)
      expect([tool.name, tool.inputSchema]).toMatchObject([
        tool.name,
        {
          properties: { profile: { type: "string", enum: ["one", "two"] } },
          required: expect.arrayContaining(["profile"]),
        },
      ]);
  }
  const [bare, named] = [await surfaceWith(["--emulator"]), await surfaceWith(["--emulator", "--profiles", "one"])];
  expect(JSON.stringify(named.menu.listed)).toBe(JSON.stringify(bare.menu.listed));
  expect(JSON.stringify(bare.menu.listed)).not.toContain('"profile":{');
});
