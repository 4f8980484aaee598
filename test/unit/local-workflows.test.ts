/** The workflows that call no operation: what they tell is what is declared, and what the resources tell. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { workflowResult } from "../../src/answers/result.js";
import { checkArguments, checkValues } from "../../src/arguments/index.js";
import { type AnyWorkflow, isChange, type WorkflowContext } from "../../src/calls/workflow.js";
import { settings } from "../../src/config.js";
import type { AnyOperation } from "../../src/language/define.js";
import { Failure } from "../../src/language/failure.js";
import { z } from "../../src/language/z.js";
import { catalogueOf, readingsOf } from "../../src/mcp/tool.js";
import { readResource } from "../../src/resources/index.js";
import { allServices } from "../../src/tools/index.js";
import { reportTypes } from "../../src/tools/reporting/catalogue.js";
import { allWorkflows, workflowsOf } from "../../src/workflows/index.js";
import { readNotation } from "../contract/notation-reader.js";
import { operationTable } from "../contract/operation-table.js";
import { offeringAll, reader, workWith } from "../lab/options.js";
import { wholeSearch } from "../search/whole.js";

const workflows = workflowsOf("documents");

const services = await allServices("documents");
const all = await allWorkflows();
const tools = catalogueOf(services, all);
const operations = new Map(services.flatMap(({ operations }) => Object.entries<AnyOperation>(operations)));
const unreachable = vi.fn(async () => {
  throw new Error("An operation was called.");
});
const work: WorkflowContext = {
  ...workWith(unreachable),
  tools,
  workflows,
  search: wholeSearch,
};
const presentation = { upstream: "host.example", secrets: [], maxTokens: settings["max-result-tokens"].default };

async function resultOf(name: "operation_describe" | "report_types_list", args: object) {
  const declared = await workflows[name]?.();
  if (!declared || isChange(declared)) throw new Error(`${name} is gone.`);
  const { input, run } = declared;
  return workflowResult(await run(checkValues(name, input, args) as never, work), presentation);
}

/** Checks arguments by the declaration of whatever has the name. */
function check(tool: string, args: object): void {
  const operation = operations.get(tool);
  if (operation) checkArguments(tool, operation, args);
  else checkValues(tool, new Map<string, AnyWorkflow>(all).get(tool)?.input ?? z.strictObject({}), args);
}

/** The effects of the rows that have a route, or of those in whose paths something stands in the place of a name. */
function effectsInTable(method: string, path: string): readonly string[] {
  const pattern = new RegExp(`^${path.replaceAll(/[.?]/g, "\\$&").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
  const rows = operationTable.filter((row) => row.method === method && pattern.test(row.path));
  const exact = rows.filter((row) => row.path === path);
  return [...new Set((exact.length > 0 ? exact : rows).map(({ effect }) => effect))];
}

const local = all.flatMap(([name, one]) => (isChange(one) || one.steps ? [] : [[name, one] as const]));
it("knows of workflows that call no operation", () => expect(local.length).toBeGreaterThan(5));

it.each(local)("%s calls no operation", async (name, workflow) => {
  // A failure about its own arguments is as good an answer as any: reaching for an operation is none.
  const ran = workflow.run(checkValues(name, workflow.input, workflow.example), work);
  await ran.catch((error) => expect(error).toBeInstanceOf(Failure));
  expect(unreachable).not.toHaveBeenCalled();
  expect(tools.get(name)?.tool.annotations.openWorldHint).toBe(false);
});

const declared = (await readingsOf(services)).resources;

describe("a tool's page", () => {
  // Examples are relative to now, so the two have to be written in the same instant.
  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterAll(() => void vi.useRealTimers());
  const library = { ...offeringAll(tools), declared, api: unreachable };

  it.each([...tools])(
    "of %s is the resource's: its name, its row of the table, its arguments and an example that is taken",
    async (tool, { tool: listing }) => {
      const { structuredContent } = await resultOf("operation_describe", { tool });
      const resource = await readResource(library, `operation://${tool}`, reader);
      expect(structuredContent).toEqual({ tool, page: resource?.text, upstream: "host.example" });
      const page = resource?.text ?? "";
      expect(page).toMatch(new RegExp(`^# ${tool}\n\n`));
      const [, written = ""] = /\n## Arguments\n\n```\n([\s\S]*?)\n```\n/.exec(page) ?? [];
      const { whole } = readNotation(written);
      const named = "members" in whole ? whole.members.map(({ name }) => name) : [];
      expect(named.sort()).toEqual(Object.keys((listing.inputSchema["properties"] ?? {}) as object).sort());
      const [, example = ""] = /\n## Example\n\n```json\n(.*)\n```\n/.exec(page) ?? [];
      expect(() => check(tool, JSON.parse(example))).not.toThrow();
      if (!operations.has(tool)) return;
      const [, method = "", path = "", effect = ""] = /\n`(\S+) (\S+)` · [^·\n]+ · (\w+)/.exec(page) ?? [];
      expect(effectsInTable(method, path)).toEqual([effect]);
    },
  );

  it.each([...operations])(
    "of %s has the answers of each declared status where they are asked for",
    async (tool, { spec }) => {
      const { structuredContent } = await resultOf("operation_describe", { tool, answers: true });
      const resource = await readResource(library, `operation://${tool}/answers`, reader);
      expect(structuredContent).toEqual({ tool, answers: resource?.text, upstream: "host.example" });
      expect(resource?.text).toMatch(new RegExp(`^# Responses of ${tool}\n\n\\*\\*\\d{3}`));
      const statuses = [...(resource?.text ?? "").matchAll(/^\*\*([\d, ]+)\*\* /gm)].flatMap(([, all = ""]) =>
        all.split(", "),
      );
      expect([...new Set(statuses)].sort()).toEqual(Object.keys(spec.returns));
    },
  );

  it("has each status of equal answers once", async () => {
    const { structuredContent } = await resultOf("operation_describe", { tool: "threat_site_create", answers: true });
    expect(structuredContent["answers"]).toContain("**200, 201** application/json");
    const { structuredContent: own } = await resultOf("operation_describe", { tool: "threat_site_create" });
    expect(own["page"]).toContain("- 200, 201, 204: Not live yet: threat_deployment_launch makes it live;");
    expect(own["page"]).not.toContain("application/json");
  });

  it.each(["diagnosis_run", "guide://purge"])("of %s has no answers, which is refused by field", async (tool) => {
    const takes = `nothing for ${tool}: only responses of operations are declared`;
    await expect(resultOf("operation_describe", { tool, answers: true })).rejects.toMatchObject({
      code: "invalid_input",
      detail: { fields: [{ field: "answers", given: "true", takes }] },
    });
    expect(await readResource(library, "operation://diagnosis_run/answers", reader)).toBeUndefined();
  });

  it.each([
    ["purge_submitt", /the name of a tool or of a service \(did you mean "purge_submit"\?\)/],
    ["constructor", /the name of a tool/],
    ["x".repeat(64), /the name of a tool or of a service$/],
  ])("of %s is refused by field", async (tool, takes) => {
    await expect(resultOf("operation_describe", { tool })).rejects.toMatchObject({
      code: "invalid_input",
      detail: { fields: [{ field: "tool", given: JSON.stringify(tool), takes: expect.stringMatching(takes) }] },
    });
  });
});

describe("the report types", () => {
  it("are eight, told in few tokens", async () => {
    const { structuredContent, content } = await resultOf("report_types_list", {});
    const told = structuredContent["reports"] as {
      name: string;
      version: number;
      measures: string;
      intervals: string;
    }[];
    expect(told).toHaveLength(8);
    expect(told.map(({ name, version }) => [name, version])).toEqual(
      reportTypes.map(({ name, version }) => [name, version]),
    );
    for (const [index, { measures, intervals }] of told.entries()) {
      expect(measures).toMatch(/\w \w+.*\.$/);
      expect(intervals).toBe(reportTypes[index]?.intervals?.join(" ") ?? "no interval");
    }
    expect(told.some(({ intervals }) => intervals === "no interval")).toBe(true);
    expect(encode(content[0]?.text ?? "").length).toBeLessThanOrEqual(330);
  });

  it.each(reportTypes)("tell all of $name when it is asked for", async (type) => {
    const { structuredContent } = await resultOf("report_types_list", { report: type.name });
    expect(structuredContent["report"]).toEqual({ ...type, intervals: type.intervals ?? "no interval" });
  });

  it("name those that there are to who asks for another", async () => {
    await expect(resultOf("report_types_list", { report: "endpoint-usage" })).rejects.toMatchObject({
      code: "invalid_input",
      detail: { fields: [{ field: "report", takes: expect.stringContaining('"endpoint-usage-by-time"') }] },
    });
  });
});
