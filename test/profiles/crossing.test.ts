/** Twenty clients and two profiles: calls between each other, none of which reaches the other profile. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { runs } from "../lab/depth.js";
import { promise } from "../lab/rules.js";
import type { Result } from "../lab/session.js";
import { clientOf, purge, surfaceWith } from "./two.js";

const names = ["one", "two"] as const;
type Name = (typeof names)[number];
const other = { one: "two", two: "one" } as const;
const clients = 20;
const rounds = runs(10);

type Call = (profile: Name, tool: string, args: object) => Promise<Result>;

let served: Awaited<ReturnType<typeof surfaceWith>>;
beforeAll(async () => {
  // On the emulator each profile has a world of its own.
  served = await surfaceWith(["--emulator", "--profiles", names.join(",")]);
});
afterAll(async () => (await served.engine()).close());

async function connect(): Promise<Call> {
  const { call } = await clientOf(served.surface);
  return (profile, tool, args) => call(tool, { ...args, profile });
}

const event = { eventId: "20051" };
const markOf = (profile: Name): string => `The sale of ${profile}`;
const handleIn = ({ structuredContent: { notes } }: Result): string =>
  /result:\/\/([\w-]+)/.exec(String(notes))?.[1] ?? "none";

type Step = (call: Call, profile: Name, kept: Readonly<Record<Name, string>>) => Promise<void>;
const read: Step = async (call, profile) => {
  const { structuredContent, content } = await call(profile, "event_get", event);
  expect(structuredContent).toMatchObject({ profile, data: { name: markOf(profile) } });
  expect(content[0]?.text).not.toContain(markOf(other[profile]));
};
const change: Step = async (call, profile) => {
  const previewed = await call(profile, "purge_submit", purge);
  expect(previewed.content[0]?.text).toContain(`In profile ${profile}: REMOVE`);
  const { confirm } = previewed.structuredContent;
  const made = await call(profile, "purge_submit", { ...purge, confirm });
  expect(made.structuredContent).toMatchObject({ status: 201, profile });
};
const crossed: Step = async (call, profile) => {
  const { confirm } = (await call(profile, "purge_submit", purge)).structuredContent;
  const refused = await call(other[profile], "purge_submit", { ...purge, confirm });
  expect(refused.structuredContent).toMatchObject({ error: "approval_refused", profile: other[profile] });
};
const found: Step = async (call, profile, kept) => {
  const handle = kept[profile];
  expect((await call(profile, "result_get", { handle })).isError ?? false).toBe(false);
  const missing = await call(other[profile], "result_get", { handle });
  expect(missing.structuredContent).toMatchObject({ error: "not_found" });
};
/** Mostly reads, in an order that each client begins elsewhere. */
const steps = [read, read, change, read, read, crossed, read, read, found];

async function work(seed: number): Promise<void> {
  const call = await connect();
  const kept = { one: "", two: "" };
  for (const profile of names) kept[profile] = handleIn(await call(profile, "report_types_list", { max_tokens: 200 }));
  expect(kept.one).not.toBe(kept.two);
  for (let round = 0; round < rounds; round += 1) {
    const profile = names[(seed + (round >> 1)) % 2] ?? "one";
    await steps[(seed + round) % steps.length]?.(call, profile, kept);
  }
}

it(promise("profiles-never-cross", "calls of twenty clients never cross profiles"), async () => {
  const call = await connect();
  for (const profile of names) {
    const { data } = (await call(profile, "event_get", event)).structuredContent;
    const body = { ...(data as object), name: markOf(profile) };
    expect((await call(profile, "event_update", { ...event, body })).structuredContent).toMatchObject({ status: 200 });
  }
  await Promise.all(Array.from({ length: clients }, (_, seed) => work(seed)));
});
