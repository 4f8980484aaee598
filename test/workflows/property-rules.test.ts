/** A rule tree of the emulated property service, read in parts and changed by a patch in a guarded call. */
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import { readingsOf } from "../../src/mcp/tool.js";
import { readResource } from "../../src/resources/index.js";
import { allServices } from "../../src/tools/index.js";
import { type Args, callsIn } from "../lab/calls.js";
import { offeringAll, reader } from "../lab/options.js";
import { failureOf } from "../lab/outcome.js";
import { catalogueOfProject } from "../lab/project.js";

const tools = await catalogueOfProject();
const update = "property_rule_tree_update";
const draft = { propertyId: "175780", propertyVersion: 3 };

let here: ReturnType<typeof callsIn>;
beforeEach(() => {
  here = callsIn(createWorld({ frozenAt: Date.now() }));
});
const failed = async (tool: string, args: Args) => failureOf(await here.call(tool, args));
const tree = async (): Promise<{ etag: string; rules: Args }> =>
  (await here.calls.invoke("property_rule_tree_get", draft)).body as { etag: string; rules: Args };

describe("reading in parts", () => {
  it("the outline of a tree names the address of the whole tree", async () => {
    const { notes } = await here.answer("property_rule_tree_get", draft);
    const [address = ""] = /property:\S+\/rules/.exec(notes.join()) ?? [];
    expect(address).toBe("property://prp_175780/versions/3/rules");
    const invoke = (tool: string, args: Args) => here.calls.invoke(tool, args);
    const library = {
      ...offeringAll(tools),
      declared: (await readingsOf(await allServices("documents"))).resources,
      api: async () => ({ invoke, storedResult: async () => undefined, plan: async () => undefined, secrets: [] }),
    };
    const content = await readResource(library, address, reader);
    expect(JSON.parse(content?.text ?? "")).toMatchObject({ rules: (await tree()).rules });
  });

  it("an outline, a part or a cut tree cannot be written back", async () => {
    for (const given of [{}, { at: "/rules/children/0" }]) {
      const { body } = await here.answer("property_rule_tree_get", { ...draft, ...given });
      expect((await failed("property_rule_tree_replace", { ...draft, body })).code).toBe("invalid_input");
    }
    const { rules } = await tree();
    // What is shown of a rule or of a behavior leaves out what it holds, wherever in a tree it is put.
    const lines = (await here.answer("property_rule_tree_get", draft)).body as { outline: Args[] };
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
