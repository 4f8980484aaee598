/** The workflows that call no operation: what they tell is what is declared, and what the resources tell. */

import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { searchIndex } from "../../scripts/search-index.js";
import { workflowResult } from "../../src/answers/result.js";
import { checkValues } from "../../src/api/arguments.js";
import { Failure } from "../../src/api/failure.js";
import { lazily } from "../../src/api/lazily.js";
import { isChange, type WorkflowContext } from "../../src/calls/workflow.js";
import { settings } from "../../src/config.js";
import { catalogueOf, readingsOf } from "../../src/mcp/tool.js";
import { readResource } from "../../src/resources/index.js";
import { openSearch } from "../../src/search/index.js";
import { allServices } from "../../src/tools/index.js";
import { reportTypes } from "../../src/tools/reporting/catalogue.js";
import { allWorkflows, workflows } from "../../src/workflows/index.js";
import { noResults, offeringAll, reader, unseen } from "../calls/options.js";

const services = await allServices();
const all = await allWorkflows();
const tools = catalogueOf(services, all);
const unreachable = async () => {
  throw new Error("An operation was called.");
};
const work: WorkflowContext = {
  invoke: unreachable,
  progress: async () => undefined,
  tools,
  workflows,
  results: noResults,
  search: lazily(async () => openSearch(await searchIndex())),
  plan: async () => undefined,
  ...unseen,
};
const presentation = { upstream: "host.example", secrets: [], maxTokens: settings["max-result-tokens"].default };

async function resultOf(name: "operation_describe" | "report_types_list", args: object) {
  const { input, run } = await workflows[name]();
  return workflowResult(await run(checkValues(name, input, args) as never, work), presentation);
}

const local = all.flatMap(([name, one]) => (isChange(one) || one.steps ? [] : [[name, one] as const]));
it.each(local)("%s calls no operation", async (name, workflow) => {
  // A failure about its own arguments is as good an answer as any: reaching for an operation is none.
  const ran = workflow.run(checkValues(name, workflow.input, workflow.example), work);
  await ran.catch((error) => expect(error).toBeInstanceOf(Failure));
  expect(tools.get(name)?.tool.annotations.openWorldHint).toBe(false);
});

describe("a tool's page", () => {
  // Examples are relative to now, so the two have to be written in the same instant.
  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterAll(() => void vi.useRealTimers());
  const library = { ...offeringAll(tools), declared: readingsOf(services).resources, api: unreachable };

  it.each([...tools.keys()])("of %s is the resource's, and whole", async (tool) => {
    const { structuredContent } = await resultOf("operation_describe", { tool });
    const resource = await readResource(library, `operation://${tool}`, reader);
    expect(structuredContent).toEqual({ tool, page: resource?.text, upstream: "host.example" });
    expect(resource?.text).toContain(`# ${tool}\n`);
  });

  it.each([...tools.keys()].filter((tool) => !Object.hasOwn(workflows, tool)))(
    "of %s has the answers of the operation where they are asked for, and not else",
    async (tool) => {
      const { structuredContent } = await resultOf("operation_describe", { tool, answers: true });
      const resource = await readResource(library, `operation://${tool}/answers`, reader);
      expect(structuredContent).toEqual({ tool, answers: resource?.text, upstream: "host.example" });
      expect(resource?.text).toMatch(new RegExp(`^# Answers of ${tool}\n\n\\*\\*\\d{3}`));
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
    const takes = `nothing for ${tool}: only what an operation answers is declared`;
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
