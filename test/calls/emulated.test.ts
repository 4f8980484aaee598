/** Guarded operations of the catalogue as they are called: approved, waited for, and with a secret shown once. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { readConfig } from "../../src/config.js";
import { createEngine } from "../../src/engine.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { caller } from "./made-up.js";

let engine: Awaited<ReturnType<typeof createEngine>>;
beforeAll(async () => {
  engine = await createEngine(
    readConfig(["--emulator", "--state-dir", "memory"], {}),
    catalogueOf(await allServices()),
    () => undefined,
  );
});
afterAll(() => engine.close());

/** Calls an operation, approves its preview, and returns both. */
async function approved(tool: string, args: Record<string, unknown>) {
  const preview = await engine.calls.call(tool, args, caller);
  if (preview.kind !== "preview") throw new Error(`It was a ${preview.kind}.`);
  const outcome: Outcome = await engine.calls.call(tool, { ...args, confirm: preview.plan.id }, caller);
  if (outcome.kind !== "answer") throw new Error(`It was a ${outcome.kind}.`);
  return { preview: preview.preview, ...outcome };
}

it("waits for a purge that was approved until it is done", async () => {
  const objects = ["https://www.example.com/spring/hero.jpg"];
  const { reply } = await approved("purge_submit", { queueName: "emergency", wait: true, body: { objects } });
  expect(reply).toMatchObject({ status: 200, body: { purgeStatus: "Done" } });
  expect(reply.notes.join(" ")).toMatch(/Ready after \d+ s; purge_status was polled \d+ time\(s\)/);
}, 30_000);

it("says that a new client secret must be saved now", async () => {
  const { reply } = await approved("credential_create", { openIdentityId: "oi-7421" });
  expect((reply.body as { clientSecret: string }).clientSecret).toMatch(/\S{20}/);
  expect(reply.notes).toContain(
    "clientSecret is shown only in this response: store it now, because no other call returns it.",
  );
});

it("previews a zone without a record as the removal of that record, and nothing else", async () => {
  const { body } = await engine.calls.invoke("dns_zone_get", { zone: "example.com" });
  const { token, zone } = body as { token: string; zone: Record<string, unknown> & { soa: { serial: number } } };
  const [gone, ...a] = zone["a"] as unknown[];
  const written = { ...zone, a, soa: { ...zone.soa, serial: zone.soa.serial + 1 } };
  const { preview } = await approved("dns_zone_write", { zone: "example.com", body: { token, zone: written } });
  const { target, ttl } = gone as { target: string; ttl: number };
  expect(preview.changes).toBe(2);
  expect(preview.lines).toContain(`  - @ A ${target} TTL ${ttl}`);
  expect(preview.lines).toContain(`  soa.serial: ${zone.soa.serial} → ${zone.soa.serial + 1}`);
});
