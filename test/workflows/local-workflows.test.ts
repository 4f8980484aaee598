/** The workflows that call no operation: what they tell is what is declared, and what the resources tell. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { workflowResult } from "../../src/answers/result.js";
import { type AnyWorkflow, isChange, type WorkflowContext } from "../../src/calls/workflow.js";
import { settings } from "../../src/config.js";
import type { AnyOperation } from "../../src/language/define.js";
import { Failure } from "../../src/language/failure.js";
import { z } from "../../src/language/z.js";
import { catalogueOf, readingsOf } from "../../src/mcp/tool.js";
import { readResource } from "../../src/resources/index.js";
import { validateArguments, validateValues } from "../../src/schema/arguments.js";
import { allServices } from "../../src/tools/index.js";
import { reportTypes } from "../../src/tools/reporting/catalogue.js";
import { allWorkflows, workflowsOf } from "../../src/workflows/index.js";
import { holdsForEach } from "../lab/laws.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { offeringAll, reader, workWith } from "../lab/options.js";
import { operationTable } from "../oracles/operation-table.js";
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
  return workflowResult(await run(validateValues(name, input, args) as never, work), presentation);
}

/** Checks arguments by the declaration of whatever has the name. */
function check(tool: string, args: object): void {
  const operation = operations.get(tool);
  if (operation) validateArguments(tool, operation, args);
  else validateValues(tool, new Map<string, AnyWorkflow>(all).get(tool)?.input ?? z.strictObject({}), args);
}

/** The effects of the rows that have a route, or of those in whose paths something stands in the place of a name. */
function effectsInTable(method: string, path: string): readonly string[] {
  const pattern = new RegExp(`^${path.replaceAll(/[.?]/g, "\\$&").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
  const rows = operationTable.filter((row) => row.method === method && pattern.test(row.path));
  const exact = rows.filter((row) => row.path === path);
  return [...new Set((exact.length > 0 ? exact : rows).map(({ effect }) => effect))];
}

const local = all.flatMap(([name, one]) => (isChange(one) || one.steps ? [] : [[name, one] as const]));

it("a workflow without steps calls no operation", () =>
  holdsForEach(local, async (name, workflow) => {
    // A failure about its own arguments is as good an answer as any: reaching for an operation is none.
    const ran = workflow.run(validateValues(name, workflow.input, workflow.example), work);
    await ran.catch((error) => expect(error).toBeInstanceOf(Failure));
    expect(unreachable).not.toHaveBeenCalled();
    expect(tools.get(name)?.tool.annotations.openWorldHint).toBe(false);
  }));

// An operation of every mechanism, and all workflows.
const described = sampled([...operations], ([, operation]) => mechanismsOf(operation));
const listings = [...described.map(([tool]) => tool), ...all.map(([tool]) => tool)];

const declared = (await readingsOf(services)).resources;

describe("a tool's page", () => {
  // Examples are relative to now, so the two have to be written in the same instant.
  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterAll(() => void vi.useRealTimers());
  const library = { ...offeringAll(tools), declared, api: unreachable };

  it("operation_describe: a tool's page is that of its resource", () =>
    holdsForEach(listings, async (tool) => {
      const { structuredContent } = await resultOf("operation_describe", { tool });
      const page = (await readResource(library, `operation://${tool}`, reader))?.text ?? "";
      expect(structuredContent).toEqual({ tool, page, upstream: "host.example" });
      expect(page).toMatch(new RegExp(`^# ${tool}\n\n`));
      const [, example = ""] = /\n## Example\n\n```json\n(.*)\n```\n/.exec(page) ?? [];
      expect(() => check(tool, JSON.parse(example))).not.toThrow();
      if (!operations.has(tool)) return;
      const [, method = "", path = "", effect = ""] = /\n`(\S+) (\S+)` · [^·\n]+ · (\w+)/.exec(page) ?? [];
      expect(effectsInTable(method, path)).toEqual([effect]);
    }));

  it("operation_describe: the answers of each status on request", () =>
    holdsForEach(described, async (tool, { spec }) => {
      const { structuredContent } = await resultOf("operation_describe", { tool, answers: true });
      const answers = (await readResource(library, `operation://${tool}/answers`, reader))?.text ?? "";
      expect(structuredContent).toEqual({ tool, answers, upstream: "host.example" });
      const statuses = [...answers.matchAll(/^\*\*([\d, ]+)\*\* /gm)].flatMap(([, some = ""]) => some.split(", "));
      expect([...new Set(statuses)].sort()).toEqual(Object.keys(spec.returns));
    }));

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

describe("report_types_list", () => {
  it("report_types_list: the eight types, in few tokens", async () => {
    const { structuredContent, content } = await resultOf("report_types_list", {});
    const listed = structuredContent["reports"] as { name: string; version: number; intervals: string }[];
    expect(listed).toHaveLength(8);
    expect(listed.map(({ name, version, intervals }) => [name, version, intervals])).toEqual(
      reportTypes.map(({ name, version, intervals }) => [name, version, intervals?.join(" ") ?? "no interval"]),
    );
    expect(encode(content[0]?.text ?? "").length).toBeLessThanOrEqual(330);
  });

  it("report_types_list: a type that is asked for, or the known ones", async () => {
    const [type] = reportTypes;
    const { structuredContent } = await resultOf("report_types_list", { report: type?.name });
    expect(structuredContent["report"]).toEqual({ ...type, intervals: type?.intervals ?? "no interval" });
    await expect(resultOf("report_types_list", { report: "endpoint-usage" })).rejects.toMatchObject({
      code: "invalid_input",
      detail: { fields: [{ field: "report", takes: expect.stringContaining('"endpoint-usage-by-time"') }] },
    });
  });
});
