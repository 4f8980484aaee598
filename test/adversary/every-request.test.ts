/** Every way to send a request: each request is in the audit log, and excluded tools are met only by guard and checks. */
import { beforeAll, expect, it } from "vitest";
import { isChange } from "../../src/calls/workflow.js";
import { guardOf, isRead } from "../../src/language/effect.js";
import { batchTool, restoreTool } from "../../src/language/server-tools.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { inDepth } from "../lab/depth.js";
import { promise } from "../lab/rules.js";
import { asked, beginProcess, called, type Left, operations, type Way, waysOut } from "./every-way.js";
import { fewExamples } from "./targets.js";

type Line = Left["lines"][number];

/** How many requests the audit lines count, by tool. */
function counted({ lines }: Left, isMeant: (line: Line) => boolean = () => true): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const line of lines) {
    const { tool, makes = tool, requests } = line;
    if (isMeant(line) && requests) sums[makes] = (sums[makes] ?? 0) + requests;
  }
  return sums;
}

/** The purposes for which excluded tools may be read. */
const regardless: readonly unknown[] = ["state", "check", "account"];
const isRegardless = ({ purpose }: Line): boolean => regardless.includes(purpose);

const here = beginProcess();
/** The requests and audit lines of each way, if every tool is offered. */
const usual = new Map<Way, Left>();
beforeAll(async () => {
  for (const way of await waysOut()) {
    const client = await here.client();
    await way.go(client);
    usual.set(way, await here.left());
    await client.close();
  }
});

it("the ways that send requests cover all operations and kinds of reading", () => {
  const sending = [...usual].filter(([, { met }]) => met.size > 0).map(([{ name }]) => name);
  const silent = fewExamples.map(([tool]) => tool).filter((tool) => operations.has(tool) && !sending.includes(tool));
  expect(silent).toEqual([]);
  for (const kind of ["the resource", "the completion", "the live resource", "a subscription"])
    expect(sending.filter((name) => name.startsWith(kind)).length, kind).toBeGreaterThan(1);
});

/** The purpose of a way that does not begin with a tool call. */
const purposeOf = (way: string): string | undefined =>
  ([
    ["the resource ", "resource"],
    ["the live resource ", "resource"],
    ["the completion ", "completion"],
    ["a subscription ", "subscription"],
  ].find(([kind = ""]) => way.startsWith(kind)) ?? [])[1];
const workflows = new Set((await allWorkflows()).flatMap(([name, one]) => (isChange(one) ? [] : [name])));

it(promise("request-on-record", "each request is on the record of the call that made it"), () => {
  for (const [{ name }, left] of usual) {
    expect([name, counted(left)]).toEqual([name, Object.fromEntries(left.met)]);
    const byId = new Map(left.lines.map((line) => [line.call, line]));
    for (const line of left.lines) {
      const { tool, parent, purpose } = line;
      const on = parent === undefined ? undefined : byId.get(parent);
      if (parent === undefined) expect([name, tool, purpose]).toEqual([name, tool, purposeOf(name)]);
      // What a workflow reads is part of its result, whatever the workflow is called for.
      else if (workflows.has(on?.tool ?? "")) expect([name, tool, purpose]).toEqual([name, tool, "step"]);
      else expect([name, tool, on?.tool]).toEqual([name, tool, expect.any(String)]);
    }
  }
});

it(promise("excluded-tool-unsent", "a tool that is left out is met only by guard, checks and account"), async () => {
  const refused = new Set<string>();
  const read = new Set<string>();
  const others = [...usual].flatMap(([way, { met }]) =>
    [...met.keys()].filter((tool) => tool !== way.name).map((tool) => [way, tool] as const),
  );
  const tried = inDepth(
    others,
    others.filter((_, at) => at % 5 === 0),
  );
  for (const [way, tool] of tried) {
    const client = await here.client({ excludeTools: [tool] });
    const said = await way.go(client);
    const left = await here.left();
    await client.close();
    const allowed = counted(left, isRegardless)[tool] ?? 0;
    expect([way.name, tool, left.met.get(tool) ?? 0]).toEqual([way.name, tool, allowed]);
    if (allowed > 0) {
      read.add(tool);
      expect([tool, isRead(operations.get(tool) as never)]).toEqual([tool, true]);
    }
    // A client that requested what the tool would have shown is told that it is left out; a forecast goes without it.
    const wanted = usual
      .get(way)
      ?.lines.some((line) => line.tool === tool && line.purpose !== "forecast" && !isRegardless(line));
    if (!wanted) continue;
    expect([way.name, said]).toEqual([
      way.name,
      expect.stringContaining(`${tool} is left out here by --exclude-tools`),
    ]);
    refused.add(way.name);
  }
  expect([refused.size > 5, read.size > 5], `${refused.size} ${read.size}`).toEqual([true, true]);
});

it(promise("excluded-in-batch", "a tool that is left out is not called, nor in a batch"), async () => {
  const own = fewExamples.filter(([tool]) => operations.has(tool));
  const client = await here.client({ excludeTools: own.map(([tool]) => tool) });
  for (const [tool, args] of own)
    for (const said of [await called(client, tool, args), await called(client, batchTool, { tool, arguments: [args] })])
      expect([tool, said]).toEqual([tool, expect.stringContaining(`${tool} is left out here by --exclude-tools`)]);
  await client.close();
  expect((await here.left()).met.size).toBe(0);
});

it(promise("excluded-in-undo", "a tool that is left out is no way back from a change"), async () => {
  const tried = new Set<string>();
  for (const [tool, args] of fewExamples) {
    const declared = operations.get(tool);
    if (declared === undefined || guardOf(declared) === undefined) continue;
    const client = await here.client();
    const [, plan] = /confirm: (plan_[\w-]{22})/.exec(await called(client, tool, args)) ?? [];
    const back = await asked(client, restoreTool, { plan });
    await client.close();
    const [, way] = /Request: \w+ \S+ \((\w+)\)/.exec(back) ?? [];
    await here.left({ isGoingOn: way !== undefined });
    if (way === undefined) continue;
    const narrow = await here.client({ excludeTools: [way] });
    const said = await called(narrow, restoreTool, { plan });
    await narrow.close();
    const { met } = await here.left();
    expect([tool, met.get(way) ?? 0, said]).toEqual([
      tool,
      0,
      expect.stringContaining(`${way} is left out here by --exclude-tools, so ${restoreTool} cannot call it`),
    ]);
    tried.add(way);
  }
  expect(tried.size).toBeGreaterThan(2);
});
