/** Users of today: the traps between the two generations, what previews say, and that both see one account. */
import { describe, expect, it } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { secretFiles } from "../../../src/secrets/files.js";
import { callsIn } from "../../lab/calls.js";
import { failureOf } from "../../lab/outcome.js";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";
import { secretDirectory } from "../../lab/secret-files.js";

const directory = secretDirectory();
const begin = () => callsIn(createWorld(), { secretFiles: secretFiles(directory) });
const calls = begin();
const [rosa, _own] = ["A-B-100003", "A-B-100001"];
const newcomer = { firstName: "Ines", lastName: "Vogt", email: "ines.vogt@shop.example", country: "Germany" };

describe("a second factor", () => {
  it("a profile may repeat the second factor that was read", async () => {
    const { body } = await calls.answer("user_get", { uiIdentityId: rosa });
    expect((await calls.call("user_update", { uiIdentityId: rosa, body })).kind).toBe("preview");
  });
});

it("notifications need only the two flags that the vendor's clients send", async () => {
  const options = { passwordExpiry: true, newUserNotification: false };
  const args = { uiIdentityId: rosa, body: { enableEmailNotifications: true, options } };
  expect((await calls.call("user_notifications_update", args)).kind).toBe("answer");
  const missing = await calls.call("user_notifications_update", { ...args, body: { ...args.body, options: {} } });
  expect(missing).toMatchObject({ failure: { code: "invalid_input" } });
  expect(JSON.stringify(missing)).not.toContain("undefined");
});

describe("a call of the documents", () => {
  it("a call with only foreign members is not read as switching all off", async () => {
    const { detail } = failureOf(
      await calls.call("user_notifications_update", { uiIdentityId: rosa, body: { mails: true } }),
    );
    expect(detail).not.toHaveProperty("corrected");
  });
});

rule("user-mail-by-default", "a password is written to a file unless a call asks for a mail", async () => {
  const { send } = startRaw();
  const reset = "/identity-management/v3/user-admin/ui-identities/A-B-100003/reset-password";
  expect((await send("POST", reset, undefined)).status).toBe(204);
  expect((await send("POST", `${reset}?sendEmail=false`, undefined)).status).toBe(200);

  const { approved, previewed } = begin();
  const args = { uiIdentityId: rosa };
  expect((await previewed("user_password_reset", args)).summary).toContain("is written to a file");
  expect(await approved("user_password_reset", args)).toMatchObject({ kind: "answer", reply: { status: 200 } });
  const mailed = { ...args, sendEmail: true };
  expect((await previewed("user_password_reset", mailed)).summary).toContain('is mailed to "rchen@shop.example"');
  expect(await approved("user_password_reset", mailed)).toMatchObject({ kind: "answer", reply: { status: 204 } });
});

rule("user-clone-by-name", "copies the roles of a user named by id or by username", async () => {
  const { previewed, approved } = begin();
  for (const cloneFrom of ["A-B-100002", "jbrandt"]) {
    const body = { ...newcomer, email: `${cloneFrom}@shop.example`, authGrants: [], cloneFrom };
    const args = { body: { ...body, additionalAuthentication: "TFA" } };
    const { summary, plan } = await previewed("user_create", args);
    expect(summary).toContain('the roles of "Jonas Brandt" (jbrandt): Admin in Everything');
    expect(plan.tier).toBe("critical");
    const outcome = await approved("user_create", args);
    expect(outcome).toMatchObject({ reply: { body: { authGrants: [{ groupId: 22_222, roleId: 1 }] } } });
  }
});

rule("user-second-factor-lock", "unlocks by a reset who has failed five times", async () => {
  const { send, get } = startRaw();
  const base = "/identity-management/v3/user-profile";
  const wrong = { currentPassword: "wrong-password-1", newPassword: "new-password-9" };
  for (let count = 0; count < 5; count += 1) await send("POST", `${base}/change-password`, wrong);
  expect((await get(base)).json()).toMatchObject({ isLocked: true });
  expect((await send("PUT", `${base}/additionalAuthentication/reset`, undefined)).status).toBe(204);
  const profileNow = { isLocked: false, additionalAuthentication: "TFA", additionalAuthenticationConfigured: false };
  expect((await get(base)).json()).toMatchObject(profileNow);
});

describe("users who are blocked from a property", () => {
  const args = { propertyId: 10_333_529, body: [{ uiIdentityId: "A-B-100002" }] };

  it("are shown for the property and for each of them", async () => {
    const { approved, answer } = begin();
    await approved("user_property_block_set", args);
    const blocked = await answer("user_property_users_list", { propertyId: 10_333_529, userType: "blocked" });
    expect(blocked.body).toMatchObject([{ uiUserName: "jbrandt" }, { uiUserName: "rchen" }]);
    const own = await answer("user_blocked_properties_list", { uiIdentityId: "A-B-100002", groupId: 11_111 });
    expect(own.body).toEqual([10_333_529]);
  });
});

it("is one account with that of the documents", async () => {
  const { send, get } = startRaw();
  const of = (version: string) => `/identity-management/${version}/user-admin/ui-identities/A-B-100003`;
  await send("PUT", `${of("v2")}/tfa?action=disable`, undefined);
  const now = { additionalAuthentication: "NONE", tfaEnabled: false, additionalAuthenticationConfigured: false };
  expect((await get(of("v3"))).json()).toMatchObject({ uiUserName: "rchen", ...now });
  await send("PUT", `${of("v3")}/additionalAuthentication`, { value: "TFA" });
  expect((await get(of("v2"))).json()).toMatchObject({ tfaEnabled: true });
  await send("POST", `${of("v3")}/lock`, undefined);
  expect((await get(of("v2"))).json()).toMatchObject({ isLocked: true });
  expect((await get("/identity-management/v3/user-admin/ui-identities/A-B-9")).json()).toMatchObject({
    type: "/useradmin-api/error-types/1100",
    httpStatus: 404,
  });
});

it("is read by the report of what expires", async () => {
  const outcome = await calls.call("expiry_report", { days: 90 });
  const password = expect.objectContaining({ what: "your password" });
  expect(outcome).toMatchObject({ kind: "workflow", result: { expires: expect.arrayContaining([password]) } });
});
