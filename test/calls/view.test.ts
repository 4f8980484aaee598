/** A view shows a part of an answer to its caller, keeps the whole beside it, and is not applied to what others read. */
import { expect, it } from "vitest";
import { successResult } from "../../src/answers/result.js";
import { caller, start } from "../lab/made-up.js";

const body = { parts: ["a", "b"] };
const presentation = { upstream: "the test", secrets: [], maxTokens: 3_000 };

async function outcomeOf(args: object) {
  const { calls, sent } = start(() => ({ body }));
  return { outcome: await calls.call("thing_part_get", { id: 1, ...args }, caller), sent, calls };
}

it("a view argument is not sent, shows its part and keeps the whole", async () => {
  const { outcome, sent } = await outcomeOf({ only: 1 });
  if (outcome.kind !== "answer") throw new Error(outcome.kind);
  expect(outcome.reply).toMatchObject({ body: { part: "b" }, whole: body, notes: ["One part of all."] });
  expect(sent).toEqual(["GET /things/1/parts"]);
  const kept: unknown[] = [];
  const keep = (whole: unknown) => {
    kept.push(whole);
    return "h1";
  };
  const { structuredContent } = successResult(outcome.reply, presentation, outcome.declared, keep);
  expect(kept).toEqual([body]);
  expect(structuredContent).toMatchObject({
    data: { part: "b" },
    notes: ["One part of all.", "The whole result can be read at result://h1 or with result_get."],
  });
  expect(structuredContent["whole"]).toBeUndefined();
});

it("shows the whole where nothing chooses a part, and keeps nothing", async () => {
  const { outcome } = await outcomeOf({});
  if (outcome.kind !== "answer") throw new Error(outcome.kind);
  expect([outcome.reply.body, outcome.reply.whole]).toEqual([body, undefined]);
  const keep = () => expect.unreachable();
  expect(successResult(outcome.reply, presentation, outcome.declared, keep).structuredContent["notes"]).toBeUndefined();
});

it("refuses an argument that chooses nothing, and names it", async () => {
  const { outcome } = await outcomeOf({ only: 7 });
  expect(outcome).toMatchObject({
    kind: "failure",
    failure: { code: "invalid_input", detail: { fields: [{ field: "only" }] } },
  });
});

it("does not apply to what another call reads", async () => {
  const { calls } = await outcomeOf({});
  expect((await calls.invoke("thing_part_get", { id: 1, only: 1 })).body).toEqual(body);
});
