/** Purges of today: what the preview says of each kind, what leaves, and the exact replacement of a call of the documents. */
import { expect } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { type Args, callsIn } from "../../lab/calls.js";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const calls = callsIn(createWorld());
const url = "https://www.example.com/spring/hero.jpg";
const purge = (more: Args = {}): Args => ({
  ...{ action: "invalidate", kind: "url", network: "production", body: { objects: [url] } },
  ...more,
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
