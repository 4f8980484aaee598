/** Who changes something with an API that the vendor has retired or replaced is told of its successor, once a session. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { resultOf } from "../../src/answers/outcome.js";
import { createWorld } from "../../src/emulator/world.js";
import { type Args, callsIn } from "../lab/calls.js";
import { caller } from "../lab/made-up.js";

const start = Date.UTC(2026, 4, 20, 12);
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: start }));
afterEach(() => void vi.useRealTimers());

const successor = /Fast Purge v3|Identity Management v3/;

/** The sentences about a successor in what an assistant reads of a call. */
function session() {
  const { calls } = callsIn(createWorld({ frozenAt: start }));
  return async (tool: string, args: Args, owner = "local") => {
    const outcome = await calls.call(tool, args, { ...caller, owner });
    if (outcome.kind === "question") throw new Error("It asked.");
    const result = resultOf(outcome, { upstream: "u", secrets: [], maxTokens: 8_000 });
    const text = result.content.map((one) => (one.type === "text" ? one.text : "")).join("\n");
    const notes = text.split("\n").filter((line) => line.startsWith("Note: The vendor"));
    return { notes, confirm: String(result.structuredContent["confirm"]), kind: outcome.kind, text };
  };
}
const purge = { queueName: "default", body: { objects: ["https://www.shop.example/sale"] } };
const rename = { groupId: 33_333, body: { groupName: "Sales" } };

const noted = [expect.stringMatching(successor)];

it("the note on a superseded API is only on the first write's preview", async () => {
  const called = session();
  const first = await called("purge_submit", purge);
  expect([first.kind, first.notes]).toEqual(["preview", [expect.stringMatching(/successor is Fast Purge v3/)]]);
  const made = await called("purge_submit", { ...purge, confirm: first.confirm });
  expect([made.kind, made.notes]).toEqual(["answer", []]);
  expect((await called("purge_submit", { ...purge, body: { objects: ["https://a.example/"] } })).notes).toEqual([]);
});

it("unguarded writes note the successor once per service and session", async () => {
  const called = session();
  const other = { ...rename, body: { groupName: "Campaigns" } };
  for (const [tool, args, owner, notes] of [
    ["call_batch", { tool: "user_group_rename", arguments: [rename, other] }, "local", noted],
    ["user_group_rename", rename, "local", []],
    ["purge_submit", purge, "local", noted],
    ["user_group_rename", rename, "another", noted],
  ] as const)
    expect([tool, (await called(tool, args, owner)).notes]).toEqual([tool, notes]);
  vi.setSystemTime(start + 3_700_000);
  expect((await called("user_group_rename", rename)).notes).toEqual(noted);
});

it("reads, failures and APIs without a successor have no standing note", async () => {
  const called = session();
  const policy = { cloudletId: 0, groupId: 11_111, name: "a_new_policy", description: "" };
  for (const [tool, args, kind, notes] of [
    ["diag_ip_cdn_launch", { ipAddress: "192.0.2.10" }, "answer", []],
    ["user_groups_list", {}, "answer", []],
    ["user_group_rename", { ...rename, groupId: 1 }, "failure", []],
    ["user_group_rename", rename, "answer", noted],
    ["edgelogic_policy_create", { body: policy }, "answer", []],
  ] as const) {
    const made = await called(tool, args);
    expect([tool, made.kind, made.notes]).toEqual([tool, kind, notes]);
  }
});
