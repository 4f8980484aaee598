/** The live address of a launch: it is in the response, it is read like the status, and it shows how the launch ends. */
import { afterEach, expect, it } from "vitest";
import { liveAddressTemplate } from "../../src/calls/live-address.js";
import { createWorld } from "../../src/emulator/world.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf } from "../../src/language/effect.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { resolvedExample } from "../../src/pages/example.js";
import { liveAt } from "../../src/resources/live.js";
import { allServices } from "../../src/tools/index.js";
import { callsIn } from "../lab/calls.js";
import { holdsForEach } from "../lab/laws.js";
import { answerOf } from "../lab/outcome.js";

const services = await allServices("documents");
const tools = catalogueOf(services);
const operations = services.flatMap(({ operations: own }) => Object.entries(own));
const launches = operations.filter(([, { spec }]) => spec.awaits?.status);
const moving = operations.filter(([, { spec }]) => spec.awaits && spec.awaits.status === undefined);

let world = createWorld();
afterEach(() => world.reset());

it("live addresses cover launches, and state that changes without one", () => {
  expect(launches.length).toBeGreaterThanOrEqual(12);
  expect(moving.map(([tool]) => tool).sort()).toEqual(["cert_change_get", "live_stream_get", "log_redelivery_get"]);
});

it("a launch is followed to its end by the address in its answer", () =>
  holdsForEach(launches, async (tool, operation: AnyOperation) => {
    const { awaits, example } = operation.spec;
    const now = Date.now();
    world = createWorld({ frozenAt: now });
    const { calls, approved, call } = callsIn(world, { callTimeoutMs: 60_000 });
    const given = resolvedExample(example, now) as Record<string, unknown>;
    const { notes } = answerOf(await (guardOf(operation) ? approved : call)(tool, given));
    const [address = ""] = /live:\/\/\S+/.exec(notes.join(" ")) ?? [];
    const live = (await liveAt(address, tools)) ?? expect.fail(`${address} is no address`);
    const own = services.find(({ operations }) => Object.hasOwn(operations, tool))?.operations ?? {};
    const namesIn = (text = "") => [...text.matchAll(/[?&]([\w.%-]+)=/g)].map(([, name = ""]) => name).sort();
    // What the launch leaves out is not in its address.
    expect(namesIn(liveAddressTemplate(tool, own))).toEqual(expect.arrayContaining(namesIn(address)));
    const states = new Set<string>();
    // The longest takes half an hour.
    for (let polls = 0; polls < 400; polls += 1) {
      const answer = await calls.invoke(live.tool, live.args);
      expect(live.state(answer)).toBe(awaits?.state(answer, given));
      expect(live.isOver(answer)).toBe(
        awaits?.isReady(answer, given) || awaits?.failure?.(answer, given) !== undefined,
      );
      expect(live.pauseSeconds(answer)).toBe(awaits?.pauseSeconds?.(answer));
      states.add(live.state(answer));
      if (live.isOver(answer)) break;
      world.advance(5_000);
    }
    expect(states.size).toBeGreaterThan(1);
    expect(live.isOver(await calls.invoke(live.tool, live.args))).toBe(true);
    world.reset();
  }));

it("state that changes without a launch is read at its address", () =>
  holdsForEach(moving, async (tool, { spec }: AnyOperation) => {
    world = createWorld({ frozenAt: Date.now() });
    const { calls } = callsIn(world);
    const values = new URLSearchParams(spec.example as Record<string, string>);
    const live = (await liveAt(`live://${tool}?${values}`, tools)) ?? expect.fail("it is no address");
    const answer = await calls.invoke(live.tool, live.args);
    expect(live.state(answer)).toMatch(/\w/);
    expect(live.isOver(answer)).toBe(spec.awaits?.isReady(answer, {}));
  }));

it("a live address has one key for its state, and no other form is valid", async () => {
  const keyOf = async (uri: string) => (await liveAt(uri, tools))?.key;
  const one = await keyOf("live://cert_change_get?enrollmentId=1&changeId=2");
  expect(await keyOf("live://cert_change_get?changeId=%32&enrollmentId=1")).toBe(one);
  expect(await keyOf("live://cert_change_get?enrollmentId=1&changeId=3")).not.toBe(one);
  for (const uri of [
    ...["live://cert_change_get", "live://cert_change_get?", "live://cert_enrollment_get?enrollmentId=1"],
    ...["live://no_such_tool?a=1", "live://constructor?a=1", "live://purge_submit?purgeId=1&purgeId=2"],
    ...["live://purge_submit?purgeId=a b", `live://purge_submit?purgeId=${"1".repeat(2_000)}`],
    "alive://purge_submit?purgeId=1",
  ])
    expect(await liveAt(uri, tools), uri).toBeUndefined();
  const without = new Map([...tools].filter(([tool]) => tool !== "purge_submit"));
  expect(await liveAt("live://purge_submit?purgeId=1", without)).toBeUndefined();
});
