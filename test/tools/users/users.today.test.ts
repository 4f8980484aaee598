/** Users of today: the traps between the two generations, what previews say, and that both see one account. */
import { expect, it } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { secretFiles } from "../../../src/secrets/files.js";
import { callsIn } from "../../lab/calls.js";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";
import { secretDirectory } from "../../lab/secret-files.js";

const directory = secretDirectory();
const begin = () => callsIn(createWorld(), { secretFiles: secretFiles(directory) });
const [rosa, _own] = ["A-B-100003", "A-B-100001"];
const newcomer = { firstName: "Ines", lastName: "Vogt", email: "ines.vogt@shop.example", country: "Germany" };

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
    expect(summary).toContain('the roles of "Jonas Brandt" (jbrandt), which are Admin in Everything');
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
