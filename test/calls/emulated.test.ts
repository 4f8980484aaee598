/** Guarded operations of the catalogue as they are called: approved, waited for, and with a secret shown once. */
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Outcome } from "../../src/calls/index.js";
import { readConfig } from "../../src/config.js";
import { createEngine } from "../../src/engine/index.js";
import { catalogueOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { caller } from "../lab/made-up.js";
import { needs } from "../lab/needs.js";
import { promise } from "../lab/rules.js";
import { secretDirectory } from "../lab/secret-files.js";
import { passing } from "../lab/time.js";
import { keptMode } from "../lab/users.js";

const catalogue = catalogueOf(await allServices("documents"), await allWorkflows());
let dir: string;
let engine: Awaited<ReturnType<typeof createEngine>>;
// A world and a directory for each test: what one leaves must not be what another finds.
beforeEach(async () => {
  dir = secretDirectory();
  engine = await createEngine(
    readConfig(["--emulator", "--state-dir", "memory", "--secret-dir", dir], {}),
    catalogue,
    () => undefined,
  );
});
afterEach(() => engine.close());

/** Calls an operation, approves its preview, and returns both. */
async function approved(tool: string, args: Record<string, unknown>) {
  const preview = await engine.calls.call(tool, args, caller);
  if (preview.kind !== "preview") throw new Error(`It was a ${preview.kind}.`);
  const outcome: Outcome = await engine.calls.call(tool, { ...args, confirm: preview.plan.id }, caller);
  if (outcome.kind !== "answer") throw new Error(`It was a ${outcome.kind}.`);
  return { preview: preview.preview, ...outcome };
}

it("purge_submit with wait answers when the purge is done", async () => {
  const purge = { queueName: "emergency", body: { objects: ["https://www.example.com/spring/hero.jpg"] } };
  // Loads all modules: on the fake clock a signature would become too old meanwhile.
  await approved("purge_submit", purge);
  // Not the clock of deadlines: what the call does between two polls takes steps of the others.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const submitted = approved("purge_submit", { ...purge, wait: true });
  const { reply } = await passing(submitted, 100).finally(() => vi.useRealTimers());
  expect(reply).toMatchObject({ status: 200, body: { purgeStatus: "Done" } });
  expect(reply.notes.join(" ")).toMatch(/Ready after \d+ s; purge_status was polled \d+ time\(s\)/);
});

const newcomer = { firstName: "A", lastName: "B", email: "a.b@shop.example", country: "Germany", authGrants: [] };

/** The files that a test's calls have made for secrets. */
const kept = (tool: string) => readdirSync(dir).filter((name) => name.startsWith(tool));

it.each([
  ["credential_create", { openIdentityId: "oi-7421" }, "clientSecret"],
  ["user_password_reset", { uiIdentityId: "A-B-100003" }, "newPassword"],
  ["user_create", { body: newcomer }, "newPassword"],
])(
  promise("secret-to-new-file", "%s: a secret goes to a new file and shows only its length"),
  async (tool, args, member) => {
    const { preview, reply } = await approved(tool, args);
    expect(preview.lines.join()).toContain("goes to a new file");
    const [name = "", ...others] = kept(tool);
    expect(others).toEqual([]);
    const secret = readFileSync(join(dir, name), "utf8");
    expect(secret).toMatch(/^\S{12,}$/);
    expect(statSync(join(dir, name)).mode & 0o777).toBe(keptMode(0o600));
    expect((reply.body as Record<string, string>)[member]).toBe(`[secret, ${secret.length} characters]`);
    expect(JSON.stringify(reply)).not.toContain(secret);
    expect(reply.notes.join()).toContain(join(dir, name));
  },
);

it("makes no file where the API mails the password", async () => {
  const { reply } = await approved("user_password_reset", { uiIdentityId: "A-B-100004", sendEmail: true });
  expect(reply.status).toBe(204);
  expect(kept("user_password_reset")).toEqual([]);
});

it("keeps each secret of a batch in a file of its own", async () => {
  const each = { tool: "credential_create", arguments: [{ openIdentityId: "oi-7421" }, { openIdentityId: "oi-1000" }] };
  const shownFirst = await engine.calls.call("call_batch", each, caller);
  if (shownFirst.kind !== "preview") throw new Error(JSON.stringify(shownFirst));
  expect(kept("credential_create")).toEqual([]);
  const outcome = await engine.calls.call("call_batch", { ...each, confirm: shownFirst.plan.id }, caller);
  expect(outcome).toMatchObject({ kind: "workflow", result: { done: 2 } });
  const secrets = kept("credential_create").map((name) => readFileSync(join(dir, name), "utf8"));
  expect(secrets).toHaveLength(2);
  for (const secret of secrets) expect(JSON.stringify(outcome)).not.toContain(secret);
});

it(promise("no-file-no-call", "does not make the call where no file can be made"), async () => {
  const config = readConfig(["--emulator", "--state-dir", "memory"], {});
  const other = await createEngine(config, catalogue, () => undefined);
  const args = { openIdentityId: "oi-7421" };
  const shownFirst = await other.calls.call("credential_create", args, caller);
  if (shownFirst.kind !== "preview") throw new Error(shownFirst.kind);
  const before = await other.calls.invoke("credentials_list", args);
  const outcome = await other.calls.call("credential_create", { ...args, confirm: shownFirst.plan.id }, caller);
  expect(outcome).toMatchObject({ kind: "failure", failure: { code: "not_allowed" } });
  expect((await other.calls.invoke("credentials_list", args)).body).toEqual(before.body);
  await other.close();
});

it(
  promise("password-file-of-owner", "a password is set only from a file that its owner alone can read"),
  needs.modes,
  async () => {
    const set = (newPasswordFile?: string) =>
      engine.calls.call("user_password_set", { uiIdentityId: "A-B-100004", newPasswordFile }, caller);
    writeFileSync(join(dir, "open-to-all"), "new-password-2", { mode: 0o644 });
    chmodSync(join(dir, "open-to-all"), 0o644);
    symlinkSync(join(dir, "new-password-1"), join(dir, "a-link"));
    for (const name of ["open-to-all", "a-link", "not-there", "../x", undefined]) {
      const outcome = await set(name);
      expect([name, outcome]).toEqual([
        name,
        expect.objectContaining({ failure: expect.objectContaining({ code: "invalid_input" }) }),
      ]);
      expect(JSON.stringify(outcome)).not.toContain("new-password-2");
    }
    const { preview } = await approved("user_password_set", {
      uiIdentityId: "A-B-100004",
      newPasswordFile: "new-password-1",
    });
    expect(preview.summary).toMatch(/^SET THE PASSWORD of user "Tunde Okafor"/);
  },
);

it.each([
  ["user_lock", { uiIdentityId: "A-B-100001" }, "identity in use"],
  ["user_delete", { uiIdentityId: "A-B-100001" }, "identity in use"],
  ["user_tfa_set", { uiIdentityId: "A-B-100001", action: "disable" }, "identity in use"],
  ["user_profile_tfa_set", { action: "disable" }, "identity in use"],
  ["user_grants_replace", { uiIdentityId: "A-B-100001", body: [] }, "identity in use"],
  ["credential_deactivate", { openIdentityId: "oi-1000" }, "4001"],
  [
    "credential_update",
    { openIdentityId: "oi-1000", credentialId: 4001, body: { status: "INACTIVE", expiresOn: "2099-01-01T00:00:00Z" } },
    "in use",
  ],
])("refuses %s of what is in use, before any approval", async (tool, args, because) => {
  const outcome = await engine.calls.call(tool, args, caller);
  expect(outcome).toMatchObject({ kind: "failure", failure: { code: "invalid_input" } });
  expect(JSON.stringify(outcome.kind === "failure" && outcome.failure.detail)).toContain(because);
});

it("says who gains and who loses access when a group moves", async () => {
  const { preview } = await approved("user_group_move", {
    body: { sourceGroupId: 33_333, destinationGroupId: 44_444 },
  });
  expect(preview.summary).toBe(
    'MOVE group "Everything / Shops / Campaigns" (33333) under group "Everything / Archive" (44444): access is lost by "Rosa Chen" (rchen) and gained by "Lena Weber" (lweber).',
  );
});

it("says which roles a user loses and gains", async () => {
  const { preview } = await approved("user_grants_replace", {
    uiIdentityId: "A-B-100003",
    body: [{ groupId: 44_444, roleId: 3 }],
  });
  expect(preview.summary).toContain(
    'they lose Publisher in "Everything / Shops" and gain Viewer in "Everything / Archive"',
  );
});

it("a zone without a record previews as only that record's removal", async () => {
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
