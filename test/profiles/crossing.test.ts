/** Twenty clients and two profiles: calls between each other, none of which reaches the other profile. */
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serverFactory } from "../../src/mcp/server.js";
import { runs } from "../lab/depth.js";
import { promise } from "../lab/rules.js";
import { surfaceWith } from "./two.js";

const names = ["one", "two"] as const;
type Name = (typeof names)[number];
const other = { one: "two", two: "one" } as const;
const clients = 20;
const callsEach = runs(15);

interface Result {
  readonly isError?: boolean;
  readonly structuredContent: Record<string, unknown>;
  readonly content: readonly { readonly text: string }[];
}
type Call = (profile: Name, tool: string, args: object) => Promise<Result>;

let served: Awaited<ReturnType<typeof surfaceWith>>;
beforeAll(async () => {
  // On the emulator each profile has a world of its own.
  served = await surfaceWith(["--emulator", "--profiles", names.join(",")]);
});
afterAll(async () => (await served.engine()).close());

async function connect(): Promise<Call> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await serverFactory(served.surface)().connect(theirs);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(ours);
  return async (profile, tool, args) =>
    (await client.callTool({ name: tool, arguments: { ...args, profile } })) as unknown as Result;
}

/** Numbers that are the same in each run. */
function drawer(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const event = { eventId: "20051" };
const markOf = (profile: Name): string => `The sale of ${profile}`;
const purge = { queueName: "default", body: { objects: ["https://www.example.com/a.jpg"] } };
const handleIn = ({ structuredContent: { notes } }: Result): string =>
  /result:\/\/([\w-]+)/.exec(String(notes))?.[1] ?? "none";

/** Each says of its result that it is of the profile, and of nothing in the other one. */
const steps: readonly ((call: Call, profile: Name, kept: Readonly<Record<Name, string>>) => Promise<number>)[] = [
  async (call, profile) => {
    const previewed = await call(profile, "purge_submit", purge);
    const confirm = String(previewed.structuredContent["confirm"]);
    expect(previewed.content[0]?.text).toContain(`In profile ${profile}: REMOVE`);
    const made = await call(profile, "purge_submit", { ...purge, confirm });
    expect(made.structuredContent).toMatchObject({ status: 201, profile });
    return 2;
  },
  async (call, profile) => {
    const previewed = await call(profile, "purge_submit", purge);
    const confirm = String(previewed.structuredContent["confirm"]);
    const crossed = await call(other[profile], "purge_submit", { ...purge, confirm });
    expect(crossed.structuredContent).toMatchObject({ error: "approval_refused", profile: other[profile] });
    return 2;
  },
  async (call, profile, kept) => {
    const own = await call(profile, "result_get", { handle: kept[profile] });
    expect(own.isError ?? false).toBe(false);
    const crossed = await call(other[profile], "result_get", { handle: kept[profile] });
    expect(crossed.structuredContent).toMatchObject({ error: "not_found" });
    return 2;
  },
];

async function work(seed: number): Promise<number> {
  const call = await connect();
  const draw = drawer(seed);
  const kept = { one: "", two: "" };
  let made = 0;
  for (const profile of names) {
    kept[profile] = handleIn(await call(profile, "report_types_list", { max_tokens: 200 }));
    made += 1;
  }
  expect(kept.one).not.toBe(kept.two);
  while (made < callsEach) {
    const profile = names[draw(2)] ?? "one";
    const step = draw(6) === 0 ? steps[draw(steps.length)] : undefined;
    if (step) made += await step(call, profile, kept);
    else {
      const { structuredContent, content } = await call(profile, "event_get", event);
      // The cheapest look at each of them: what differs is shown by the second.
      const isOwn =
        structuredContent["profile"] === profile &&
        (structuredContent["data"] as { name?: unknown })["name"] === markOf(profile);
      if (!isOwn || content[0]?.text.includes(markOf(other[profile]))) expect(structuredContent).toBe(profile);
      made += 1;
    }
  }
  return made;
}

it(promise("profiles-never-cross", "calls of twenty clients never cross profiles"), async () => {
  const call = await connect();
  for (const profile of names) {
    const { data } = (await call(profile, "event_get", event)).structuredContent;
    const body = { ...(data as object), name: markOf(profile) };
    expect((await call(profile, "event_update", { ...event, body })).structuredContent).toMatchObject({ status: 200 });
  }
  const counts = await Promise.all(Array.from({ length: clients }, (_, seed) => work(seed + 1)));
  expect(counts.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(clients * callsEach);
});
