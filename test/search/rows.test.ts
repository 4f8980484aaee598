/** What a search shows of a tool: enough to call it, within few tokens. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { isRecord } from "../../src/language/member.js";
import { callToolNames } from "../../src/mcp/call-tools.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { signatureOf } from "../../src/search/documents.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { holdsForEach } from "../lab/laws.js";
import { promptsOf } from "./hit-rates.js";
import { wholeSearch } from "./whole.js";

const catalogue = catalogueOf(await allServices("documents"), await allWorkflows());
const search = await wholeSearch();
const rowOf = (name: string) =>
  search.find(name.replaceAll("_", " "), catalogue.size, (tool) => tool === name).tools[0];
const requiredOf = (name: string) => rowOf(name)?.required;

describe("a row", () => {
  it.each([
    ["diag_url_debug_result", "requestId ← diag_url_debug_launch"],
    ["event_get", "eventId ← events_list"],
    ["property_version_get", "propertyId ← properties_list, propertyVersion ← property_versions_list"],
    ["dns_zone_get", "zone: string"],
  ])("shows where the ids that %s takes come from", (name, required) => {
    expect(requiredOf(name)).toBe(required);
  });

  it("a row shows a body's first level, with types of required members", () => {
    expect(requiredOf("event_create")).toMatch(
      /^body: \{name: string, start: string, end: string, customerEventId\?, /,
    );
    expect(requiredOf("saas_pair_create")).toBe(
      "contractId ← contract_ids_list, body: {customerSurrogateId ← saas_customers_list, applicationSurrogateId ← saas_applications_list}",
    );
    expect(requiredOf("edgelogic_rule_create")).toMatch(/\bversion ← edgelogic_policy_versions_list, body: \{type: "/);
  });

  it("shows where the ids of a workflow come from, by those of its service", () => {
    expect(requiredOf("property_rule_tree_update")).toMatch(/^propertyId ← properties_list, propertyVersion ← prop/);
    expect(requiredOf("cert_enrollment_status")).toBe("enrollmentId ← cert_enrollments_list");
  });
});

describe("the signature of made-up arguments", () => {
  const values = ["one", "two", "three"];
  const schema = {
    properties: {
      kind: { type: "string", enum: values },
      many: { type: "array", items: { type: "string", enum: Array.from({ length: 40 }, (_, at) => `value ${at}`) } },
      ids: { type: "array", items: { type: "string" } },
      body: {
        type: "object",
        properties: {
          name: { type: "string" },
          note: { type: "string" },
          inner: { type: "object", properties: { a: { type: "integer" }, b: {} }, required: ["a"] },
        },
        required: ["name", "inner"],
        additionalProperties: true,
      },
      extra: { type: "string" },
    },
    required: ["kind", "many", "ids", "body"],
  };
  const { required, optional } = signatureOf(schema, (path) =>
    ["ids", "body.name"].includes(path) ? "things_list" : undefined,
  );

  it("has closed values, as many as fit", () => {
    expect(required[0]).toBe('kind: "one"|"two"|"three"');
    expect(required[1]).toMatch(/^many: \("value 0"\|.*\|…\)\[\]$/);
    expect(required[1]?.length).toBeLessThan(100);
  });

  it("signature: ids in lists and bodies show where they come from", () => {
    expect(required.slice(2)).toEqual([
      "ids[] ← things_list",
      "body: {name ← things_list, inner: {a: integer, …}, note?, …}",
    ]);
    expect(optional).toEqual(["extra"]);
  });
});

it("a row has all arguments and every member of a required body", () =>
  holdsForEach(catalogue.values(), ({ tool }) => {
    const row = rowOf(tool.name);
    const { properties = {}, required = [] } = tool.inputSchema as {
      properties?: Record<string, { type?: string; properties?: object }>;
      required?: string[];
    };
    const shown = row?.required.match(/[\w-]+(?=:|\?| ←|\[\] ←)/g) ?? [];
    const members = isRecord(properties["body"]?.properties) ? Object.keys(properties["body"].properties) : [];
    expect(shown).toEqual(expect.arrayContaining([...required, ...(required.includes("body") ? members : [])]));
    const others = Object.keys(properties).filter((name) => !required.includes(name) && name !== "confirm");
    expect(row?.optional ?? "").toBe(others.join(", "));
  }));

it("a row names tools that exist, its effect, and whether it is guarded", () =>
  holdsForEach(catalogue.values(), ({ effect, tool }) => {
    const row = rowOf(tool.name);
    const origins = [...(row?.required ?? "").matchAll(/← (\w+)/g)].map(([, origin = ""]) => origin);
    expect(origins.filter((origin) => !catalogue.has(origin))).toEqual([]);
    expect(row?.effect).toBe(effect);
    expect(callToolNames).toContain(`operation_${row?.effect}`);
    expect(row?.guarded ?? false).toBe(tool.annotations.destructiveHint);
  }));

it("costs at most 300 tokens for five rows, on an average of the prompts", () => {
  const some = promptsOf("prompts-tuned.json").filter((_, at) => at % 20 === 0);
  const costs = some.map(({ prompt }) => encode(JSON.stringify(search.find(prompt, 5, () => true).tools)).length);
  expect(costs.reduce((sum, cost) => sum + cost, 0) / costs.length).toBeLessThanOrEqual(300);
});
