/** Purges of today: what the preview says of each kind, what leaves, and the exact replacement of a call of the documents. */
import { describe, expect, it } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { type Args, callsIn } from "../../lab/calls.js";
import { failureOf } from "../../lab/outcome.js";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const calls = callsIn(createWorld());
const url = "https://www.example.com/spring/hero.jpg";
const purge = (more: Args = {}): Args => ({
  ...{ action: "invalidate", kind: "url", network: "production", body: { objects: [url] } },
  ...more,
});

describe("a preview of a purge", () => {
  const tag = { kind: "tag", action: "delete", body: { objects: ["spring"] } };
  it.each<[string, Args, RegExp]>([
    ["CP codes", { kind: "cpcode", body: { objects: [1, 2] } }, /^INVALIDATE CP codes 1, 2 on .*everything under them/],
    ["a tag", tag, /^DELETE cache tag "spring" .*every object/],
  ])("of %s says what it covers, and that nothing shows what is cached", async (_, more, said) => {
    const { summary, warnings } = await calls.previewed("purge_submit", purge(more));
    expect(summary).toMatch(said);
    expect(warnings.join()).toContain("neither what is cached");
  });
});

rule("purge-v3-object-types", "takes CP codes as numbers, and URLs and cache tags as texts", async () => {
  for (const [kind, object] of [
    ["url", "12345"],
    ["cpcode", "12345,12346"],
    ["cpcode", "012345"],
    ["cpcode", url],
    ["tag", 12_345],
    ["tag", "black friday"],
  ]) {
    const { fields } = await calls.refused("purge_submit", purge({ kind, body: { objects: [object] } }));
    expect(fields).toHaveLength(1);
    expect(fields[0]).toMatch(/^body\.objects\[0\]: a (URL|CP code|cache tag)/);
  }
  const digestOf = async (objects: unknown) =>
    (await calls.previewed("purge_submit", purge({ kind: "cpcode", body: { objects } }))).digest;
  const asNumber = await digestOf([12_345]);
  for (const objects of [["12345"], "12345", 12_345]) expect(await digestOf(objects)).toBe(asNumber);
});

describe("a call of the documents", () => {
  it.each<[string, Args, Args]>([
    ["of a URL", { body: { objects: [url] } }, purge({ action: "delete" })],
    [
      "of a CP code",
      { body: { objects: ["12345"], type: "cpcode", action: "invalidate", domain: "staging" } },
      { action: "invalidate", kind: "cpcode", network: "staging", body: { objects: [12_345] } },
    ],
  ])("%s is refused with the call that means the same today", async (_, former, today) => {
    expect(await calls.call("purge_submit", { queueName: "default", ...former })).toMatchObject({
      failure: { detail: { corrected: { tool: "purge_submit", arguments: today } } },
    });
    await calls.previewed("purge_submit", today);
  });

  it("is not taken for one without a queue", async () => {
    const { detail } = failureOf(await calls.call("purge_submit", { body: { objects: [url] } }));
    expect(detail).not.toHaveProperty("corrected");
    expect(detail.fields?.map(({ field }) => field)).toEqual(["action", "kind", "network"]);
  });
});

rule("purge-v3-201-only", "purge: 201 for what is accepted, a refusal for another's objects", async () => {
  const { send, get, world } = startRaw();
  const accepted = await send("POST", "/ccu/v3/invalidate/url/production", { objects: [url] });
  expect(accepted.status).toBe(201);
  const { purgeId } = accepted.json() as { purgeId: string };
  world.advance(60_000);
  expect((await get(`/ccu/v2/purges/${purgeId}`)).json()).toMatchObject({ purgeStatus: "Done" });
  const foreign = await send("POST", "/ccu/v3/delete/cpcode/staging", { objects: [99] });
  expect(foreign.status).toBe(403);
  expect(foreign.headers["content-type"]).toBe("application/problem+json");
  expect(foreign.json()).toMatchObject({ title: "unauthorized cpcode", detail: "99" });
});
