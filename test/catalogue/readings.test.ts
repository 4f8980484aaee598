/** What services declare to be read: each resource is there on the emulator, and each part of its address is completed. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ControlledWorld, createWorld } from "../../src/emulator/world.js";
import { readingsOf } from "../../src/mcp/tool.js";
import { completeTemplate, type ResourceLibrary, readResource } from "../../src/resources/index.js";
import { allServices } from "../../src/tools/index.js";
import { callsIn } from "../lab/calls.js";
import { holdsForEach } from "../lab/laws.js";
import { offeringAll, reader } from "../lab/options.js";

const declared = (await readingsOf(await allServices("documents"))).resources;
let world: ControlledWorld;
let library: ResourceLibrary;
let asked: string[];
beforeEach(() => {
  world = createWorld({ frozenAt: Date.UTC(2026, 4, 20, 12, 30) });
  const { calls } = callsIn(world);
  asked = [];
  library = {
    ...offeringAll(new Map()),
    declared,
    api: async () => ({
      invoke: (tool, args) => {
        asked.push(tool);
        return calls.invoke(tool, args);
      },
      storedResult: async () => undefined,
      plan: async () => undefined,
      secrets: [],
    }),
  };
});
afterEach(() => world.reset());

const placeholders = (address: string) => [...address.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
// A version's number says nothing before its property is chosen, and versions are listed by a tool.
const notCompleted = ["property://{propertyId}/versions/{propertyVersion}/rules propertyVersion"];

it("reads each resource with what completes its address", () =>
  holdsForEach(declared, async ({ address }) => {
    const filled: Record<string, string> = {};
    for (const name of placeholders(address)) {
      const values = await completeTemplate(library, address, name, "", reader, filled);
      if (notCompleted.includes(`${address} ${name}`)) filled[name] = "3";
      else {
        expect(values, `${name} of ${address}`).not.toEqual([]);
        filled[name] = name === "propertyId" ? "prp_175780" : (values[0] ?? "");
      }
      expect(await completeTemplate(library, address, name, "no such value", reader, filled)).toEqual([]);
    }
    const uri = address.replaceAll(/\{(\w+)\}/g, (_, name: string) => filled[name] ?? "");
    const content = await readResource(library, uri, reader);
    expect(JSON.parse(content?.text ?? "null"), uri).toBeTruthy();
  }));

it("asks once for what completes a word that is being typed", async () => {
  const template = "edgelogic://schemas/{schemaName}";
  for (const typed of ["c", "cr", "cre"])
    expect(await completeTemplate(library, template, "schemaName", typed, reader)).toContain("create-policy.json");
  expect(asked).toEqual(["edgelogic_schemas_list"]);
});

it("completes the report packs of the family that is filled in", async () => {
  const template = "media://{family}/report-packs/{reportPackId}";
  const of = (family: string) => completeTemplate(library, template, "reportPackId", "", reader, { family });
  expect(await of("audience-analytics")).toContain("6831");
  expect(await of("qos-monitor")).toContain("6833");
  expect(await of("qos-monitor")).not.toContain("6831");
});

it("says of each kind of certificate input what it is decided by and takes", async () => {
  const uri = "cert://inputs/change-management-ack";
  const content = await readResource(library, uri, reader);
  expect(JSON.parse(content?.text ?? "")).toMatchObject({
    decidedBy: "change-management-info",
    bodies: [{ schema: { properties: { acknowledgement: {}, hash: {} } } }],
  });
  expect(await readResource(library, "cert://inputs/none", reader)).toBeUndefined();
});
