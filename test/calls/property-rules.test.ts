/** A rule tree of the emulated property service, read in parts and changed by a patch in a guarded call. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { readConfig } from "../../src/config.js";
import { createEngine } from "../../src/engine/index.js";
import { catalogueOf, readingsOf } from "../../src/mcp/tool.js";
import { readResource } from "../../src/resources/index.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { caller } from "../lab/made-up.js";
import { offeringAll, reader } from "../lab/options.js";

const tools = catalogueOf(await allServices("documents"), await allWorkflows());
let engine: Awaited<ReturnType<typeof createEngine>>;
beforeEach(async () => {
  engine = await createEngine(readConfig(["--emulator", "--state-dir", "memory"], {}), tools, () => undefined);
});
afterEach(() => engine.close());

type Args = Readonly<Record<string, unknown>>;
const update = "property_rule_tree_update";
const draft = { propertyId: "175780", propertyVersion: 3 };
const ttl = [{ op: "replace", path: "/rules/behaviors/2/options/ttl", value: "2h" }];

const call = (tool: string, args: Args): Promise<Outcome> => engine.calls.call(tool, args, caller);
async function previewed(tool: string, args: Args) {
  const outcome = await call(tool, args);
  if (outcome.kind !== "preview") throw new Error(JSON.stringify(outcome).slice(0, 2_000));
  return outcome;
}
async function answered(tool: string, args: Args) {
  const outcome = await call(tool, args);
  if (outcome.kind !== "answer") throw new Error(JSON.stringify(outcome).slice(0, 2_000));
  return outcome.reply;
}
async function confirmed(tool: string, args: Args) {
  const { preview, plan } = await previewed(tool, args);
  return { preview, reply: await answered(tool, { ...args, confirm: plan.id }) };
}
async function failed(tool: string, args: Args) {
  const outcome = await call(tool, args);
  if (outcome.kind !== "failure") throw new Error(`It was a ${outcome.kind}.`);
  return outcome.failure;
}
const tree = async (): Promise<{ etag: string; rules: Args }> =>
  (await engine.calls.invoke("property_rule_tree_get", draft)).body as { etag: string; rules: Args };

describe("a patch", () => {
  it("changes what it names, keeps everything else, and its preview shows the difference", async () => {
    const before = await tree();
    const { preview, reply } = await confirmed(update, { ...draft, patch: ttl });
    expect(preview.lines.filter((line) => line.includes("ttl") && line.includes("→"))).toHaveLength(1);
    expect(preview.lines.join("\n")).toContain('replace /rules/behaviors/2/options/ttl by "2h"');
    expect(reply.status).toBe(200);
    const after = await tree();
    const expected = structuredClone(before.rules) as { behaviors: { options: Record<string, unknown> }[] };
    (expected.behaviors[2]?.options as Record<string, unknown>)["ttl"] = "2h";
    expect(after.rules).toEqual(expected);
    expect(after.etag).not.toBe(before.etag);
  });

  it("is refused for a version that is or was active, before anything is sent", async () => {
    for (const propertyVersion of [1, 2]) {
      const { code, detail } = await failed(update, { ...draft, propertyVersion, patch: ttl });
      expect([code, detail.fields?.[0]?.takes]).toEqual([
        "invalid_input",
        expect.stringContaining("property_version_create"),
      ]);
    }
  });

  it.each<[string, Args[], string, string]>([
    ["a place outside the tree", [{ op: "replace", path: "/etag", value: "x" }], "patch[0].path", "/rules"],
    [
      "a place that is not there",
      [{ op: "remove", path: "/rules/behaviors/9" }],
      "patch[0].path",
      "an existing location",
    ],
    ["a failing test", [{ op: "test", path: "/rules/name", value: "x" }], "patch[0].value", '"default"'],
    [
      "what leaves no rule tree",
      [{ op: "remove", path: "/rules/behaviors/0/name" }],
      "patch",
      "rules.behaviors[0].name",
    ],
    ["another name at the top", [{ op: "replace", path: "/rules/name", value: "x" }], "patch", "rules.name"],
  ])("is refused for %s, with the operation named", async (_, patch, field, takes) => {
    const { code, detail } = await failed(update, { ...draft, patch });
    expect([code, detail.fields?.[0]]).toMatchObject([
      "invalid_input",
      { field, takes: expect.stringContaining(takes) },
    ]);
  });

  it("is refused for another etag than the present one, and says which that is", async () => {
    const { etag } = await tree();
    const failure = await failed(update, { ...draft, patch: ttl, ifMatch: "0000" });
    expect([failure.code, failure.message]).toEqual(["conflict", expect.stringContaining(etag)]);
    await previewed(update, { ...draft, patch: ttl, ifMatch: etag });
  });

  it("that was previewed sends nothing once the tree has changed meanwhile", async () => {
    const { plan } = await previewed(update, { ...draft, patch: ttl });
    const other = [{ op: "add", path: "/rules/comments", value: "by somebody else" }];
    await confirmed(update, { ...draft, patch: other });
    await failed(update, { ...draft, patch: ttl, confirm: plan.id });
    expect(JSON.stringify(await tree())).not.toContain('"2h"');
  });

  it("that changes nothing is not sent", async () => {
    const same = [{ op: "test", path: "/rules/name", value: "default" }];
    expect(await call(update, { ...draft, patch: same })).toMatchObject({
      kind: "workflow",
      result: { done: "Nothing was changed." },
    });
  });
});

describe("reading in parts", () => {
  it("finds by the outline what a patch then changes", async () => {
    const { body } = await answered("property_rule_tree_get", draft);
    const { outline, etag } = body as { etag: string; outline: { at: string; name: string; behaviors: Args[] }[] };
    const checkout = outline.find(({ name }) => name === "Checkout");
    const at = String(checkout?.behaviors[0]?.["at"]);
    expect((await answered("property_rule_tree_get", { ...draft, at })).body).toMatchObject({
      part: { name: "caching", options: { behavior: "NO_STORE" } },
    });
    await confirmed(update, {
      ...draft,
      ifMatch: etag,
      patch: [{ op: "replace", path: `${at}/options/behavior`, value: "BYPASS_CACHE" }],
    });
    expect((await answered("property_rule_tree_get", { ...draft, at })).body).toMatchObject({
      part: { options: { behavior: "BYPASS_CACHE" } },
    });
  });

  it("names the address at which the whole tree is read", async () => {
    const { notes } = await answered("property_rule_tree_get", draft);
    const [address = ""] = /property:\S+\/rules/.exec(notes.join()) ?? [];
    expect(address).toBe("property://prp_175780/versions/3/rules");
    const invoke = (tool: string, args: Args) => engine.calls.invoke(tool, args);
    const library = {
      ...offeringAll(tools),
      declared: (await readingsOf(await allServices("documents"))).resources,
      api: async () => ({ invoke, kept: async () => undefined, plan: async () => undefined, secrets: [] }),
    };
    const content = await readResource(library, address, reader);
    expect(JSON.parse(content?.text ?? "")).toMatchObject({ rules: (await tree()).rules });
  });

  it("cannot be written back: neither an outline, nor a part, nor a tree that was cut", async () => {
    for (const given of [{}, { at: "/rules/children/0" }]) {
      const { body } = await answered("property_rule_tree_get", { ...draft, ...given });
      expect((await failed("property_rule_tree_replace", { ...draft, body })).code).toBe("invalid_input");
    }
    const { rules } = await tree();
    // What is shown of a rule or of a behavior leaves out what it holds, wherever in a tree it is put.
    const lines = (await answered("property_rule_tree_get", draft)).body as { outline: Args[] };
    const [top, images] = lines.outline;
    const bare = { name: "default", behaviors: [{ name: "origin" }] };
    const line = { at: "/rules/children/0", name: "Images" };
    for (const shown of [top, bare, { ...rules, ...line, name: "default" }, { ...rules, children: [line] }])
      expect([shown, (await failed("property_rule_tree_replace", { ...draft, body: { rules: shown } })).code]).toEqual([
        shown,
        "invalid_input",
      ]);
    for (const value of [images, line, { name: "Images", behaviors: [{ name: "caching" }] }]) {
      const patch = [{ op: "replace", path: "/rules/children/0", value }];
      expect([value, (await failed(update, { ...draft, patch })).code]).toEqual([value, "invalid_input"]);
    }
    expect((await tree()).rules).toEqual(rules);
    const cut = { ...rules, children: ["[cut by edgewise: 1 of 2 shown]"] };
    expect((await failed("property_rule_tree_replace", { ...draft, body: { rules: cut } })).code).toBe("invalid_input");
  });
});

it("outlines, patches and writes a tree of a megabyte", async () => {
  const rule = (name: string, children: unknown[] = []) => ({
    name,
    criteria: [{ name: "path", options: { values: [`/${name}/${"x".repeat(150)}`] } }],
    behaviors: [{ name: "caching", options: { behavior: "MAX_AGE", ttl: "1d", note: "y".repeat(130) } }],
    children,
  });
  const children = Array.from({ length: 50 }, (_, at) =>
    rule(
      `r${at}`,
      Array.from({ length: 40 }, (__, n) => rule(`r${at}-${n}`)),
    ),
  );
  const { rules } = await tree();
  await answered("property_rule_tree_replace", { ...draft, body: { rules: { ...rules, children } } });
  expect(JSON.stringify(await tree()).length).toBeGreaterThan(900_000);
  const patch = [{ op: "replace", path: "/rules/children/49/children/39/behaviors/0/options/ttl", value: "3d" }];
  const { body } = await answered("property_rule_tree_get", draft);
  const { preview } = await confirmed(update, { ...draft, patch });
  expect(JSON.stringify(body).length).toBeLessThan(80_000);
  expect(preview.changes).toBe(1);
  expect(JSON.stringify(await tree())).toContain('"3d"');
});
