/** Guarded operations of the catalogue as they are called: approved, waited for, and with a secret shown once. */
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { demoCredentials } from "../../src/emulator/credentials.js";
import { createWorld } from "../../src/emulator/world.js";
import { secretFiles } from "../../src/secrets/files.js";
import { type Args, callsIn } from "../lab/calls.js";
import { needs } from "../lab/needs.js";
import { failureOf } from "../lab/outcome.js";
import { promise } from "../lab/rules.js";
import { secretDirectory } from "../lab/secret-files.js";
import { keptMode } from "../lab/users.js";

let dir: string;
let here: ReturnType<typeof callsIn>;
// A world and a directory for each test: what one leaves must not be what another finds.
beforeEach(() => {
  dir = secretDirectory();
  here = callsIn(createWorld(), { secretFiles: secretFiles(dir), signer: async () => demoCredentials.clientToken });
});

/** Calls an operation, approves its preview, and returns both. */
async function approved(tool: string, args: Args) {
  const preview = await here.previewed(tool, args);
  return { preview, reply: await here.answer(tool, { ...args, confirm: preview.plan.id }) };
}

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

it("a mailed password makes no file, and a batch one for each secret", async () => {
  const { reply } = await approved("user_password_reset", { uiIdentityId: "A-B-100004", sendEmail: true });
  expect(reply.status).toBe(204);
  expect(kept("user_password_reset")).toEqual([]);
  const each = { tool: "credential_create", arguments: [{ openIdentityId: "oi-7421" }, { openIdentityId: "oi-1000" }] };
  const { plan } = await here.previewed("call_batch", each);
  expect(kept("credential_create")).toEqual([]);
  const outcome = await here.call("call_batch", { ...each, confirm: plan.id });
  expect(outcome).toMatchObject({ kind: "workflow", result: { done: 2 } });
  const secrets = kept("credential_create").map((name) => readFileSync(join(dir, name), "utf8"));
  expect(secrets).toHaveLength(2);
  for (const secret of secrets) expect(JSON.stringify(outcome)).not.toContain(secret);
});

it(promise("no-file-no-call", "does not make the call where no file can be made"), async () => {
  const other = callsIn(createWorld());
  const args = { openIdentityId: "oi-7421" };
  const { plan } = await other.previewed("credential_create", args);
  const before = await other.answer("credentials_list", args);
  expect((await other.refused("credential_create", { ...args, confirm: plan.id })).code).toBe("not_allowed");
  expect((await other.answer("credentials_list", args)).body).toEqual(before.body);
});

it(
  promise("password-file-of-owner", "a password is set only from a file that its owner alone can read"),
  needs.modes,
  async () => {
    const set = (newPasswordFile?: string) =>
      here.call("user_password_set", { uiIdentityId: "A-B-100004", newPasswordFile });
    writeFileSync(join(dir, "open-to-all"), "new-password-2", { mode: 0o644 });
    chmodSync(join(dir, "open-to-all"), 0o644);
    symlinkSync(join(dir, "new-password-1"), join(dir, "a-link"));
    for (const name of ["open-to-all", "a-link", "not-there", "../x", undefined]) {
      const outcome = await set(name);
      expect([name, outcome]).toMatchObject([name, { failure: { code: "invalid_input" } }]);
      expect(JSON.stringify(outcome)).not.toContain("new-password-2");
    }
    const given = { uiIdentityId: "A-B-100004", newPasswordFile: "new-password-1" };
    expect((await approved("user_password_set", given)).reply.status).toBe(204);
  },
);

it("a change of what is in use is refused before any approval", async () => {
  const user = { uiIdentityId: "A-B-100001" };
  const credential = { openIdentityId: "oi-1000" };
  const body = { status: "INACTIVE", expiresOn: "2099-01-01T00:00:00Z" };
  for (const [tool, args, because] of [
    ["user_lock", user, "identity in use"],
    ["user_delete", user, "identity in use"],
    ["user_tfa_set", { ...user, action: "disable" }, "identity in use"],
    ["user_profile_tfa_set", { action: "disable" }, "identity in use"],
    ["user_grants_replace", { ...user, body: [] }, "identity in use"],
    ["credential_deactivate", credential, "4001"],
    ["credential_update", { ...credential, credentialId: 4001, body }, "in use"],
  ] as const) {
    const { code, detail } = failureOf(await here.call(tool, args));
    expect([tool, code, JSON.stringify(detail)]).toEqual([tool, "invalid_input", expect.stringContaining(because)]);
  }
});
