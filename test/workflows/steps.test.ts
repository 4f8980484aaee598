/** The steps of a workflow end somewhere, whatever an upstream lists. */
import { expect, it } from "vitest";
import { z } from "../../src/language/z.js";
import { startSteps } from "../../src/workflows/steps.js";

it("a workflow makes 300 calls at most, and counts the rest", async () => {
  let calls = 0;
  const invoke = async () => {
    calls += 1;
    return { status: 200, body: 1, headers: {}, notes: [] };
  };
  const steps = startSteps({ invoke, progress: async () => undefined });
  const answers = [];
  for (let at = 0; at < 1_000; at += 1) answers.push(await steps.call(`step ${at}`, "thing_get", {}, z.int()));
  steps.skip("another", "thing_get", "It is not needed.");
  expect(calls).toBe(300);
  expect(answers.filter((one) => one === undefined)).toHaveLength(700);
  expect(steps.record).toHaveLength(301);
  expect(steps.record.at(-1)).toEqual({
    step: "another, and 700 before it",
    tool: "thing_get",
    outcome: "failed",
    why: "At most 300 calls are made for one.",
  });
});
