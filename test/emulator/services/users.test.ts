/** The documents' rules for user administration, asked of the emulator in raw HTTP. */
import { expect, it } from "vitest";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const root = "/identity-management/v2";
const admin = `${root}/user-admin`;
const user = (id: number) => `${admin}/ui-identities/A-B-10000${id}`;

function start() {
  const raw = startRaw();
  return {
    ...raw,
    json: async <T = Record<string, unknown>>(target: string) => (await raw.get(target)).json() as T,
    status: async (method: string, target: string, body?: unknown) => (await raw.send(method, target, body)).status,
  };
}
interface Group {
  readonly groupId: number;
  readonly parentGroupId?: number;
  readonly subGroups: readonly Group[];
  readonly actions?: object;
}
const idsOf = (users: readonly { readonly uiUserName: string }[]) => users.map(({ uiUserName }) => uiUserName).sort();
const name = { firstName: "Rosa", lastName: "Chen", country: "Germany", phone: "1" };
const basic = { ...name, contactType: "Billing", preferredLanguage: "English", sessionTimeOut: 900 };

rule("user-groups-nested", "lists trees", async () => {
  const [top, ...others] = await start().json<Group[]>(`${admin}/groups`);
  expect(others).toEqual([]);
  expect(top?.subGroups[0]?.subGroups[0]).toMatchObject({ groupId: 33_333, parentGroupId: 11_111 });
});

rule("user-action-flags", "adds flags on request alone", async () => {
  const { json } = start();
  expect((await json<Group[]>(`${admin}/groups`))[0]).not.toHaveProperty("actions");
  expect((await json<Group[]>(`${admin}/groups?actions=true`))[0]?.actions).toEqual({ edit: true, delete: false });
  expect(await json(`${admin}/groups/55555?actions=true`)).toMatchObject({ actions: { delete: true } });
});

it("only a list says if a user's profile and second factor can change", async () => {
  const { json } = start();
  const always = ["apiClient", "delete", "edit", "isCloneable", "resetPassword", "thirdPartyAccess"];
  const namesIn = ({ actions }: { readonly actions?: object }) => Object.keys(actions ?? {}).sort();
  const listed = await json<{ actions?: object }[]>(`${admin}/ui-identities?actions=true`);
  expect(listed.length).toBeGreaterThan(0);
  for (const one of listed) expect(namesIn(one)).toEqual([...always, "canEditTFA", "editProfile"].sort());
  for (const target of [user(3), `${root}/user-profile`])
    expect(namesIn(await json(`${target}?actions=true`))).toEqual(always);
});

rule("user-group-parent", "creates under the group of the path, and other services show it", async () => {
  const { send, json } = start();
  const made = (await send("POST", `${admin}/groups/33333`, { groupName: "Spring" })).json() as Group;
  expect(made).toMatchObject({ parentGroupId: 33_333, groupName: "Spring" });
  expect(await json(`/cloudlets/api/v2/group-info/${made.groupId}`)).toMatchObject({ parentId: 33_333 });
  expect(JSON.stringify(await json("/papi/v0/groups/"))).toContain(`grp_${made.groupId}`);
});

rule("user-group-delete", "deletes an empty sub-group and no other", async () => {
  const { status } = start();
  for (const id of [22_222, 11_111, 33_333, 44_444]) expect(await status("DELETE", `${admin}/groups/${id}`)).toBe(403);
  expect(await status("DELETE", `${admin}/groups/55555`)).toBe(204);
  expect(await status("GET", `${admin}/groups/55555`)).toBe(404);
});

rule("user-group-move", "moves within the tree, never below itself", async () => {
  const { status, json } = start();
  const move = (sourceGroupId: number, destinationGroupId: number) =>
    status("POST", `${admin}/groups/move`, { sourceGroupId, destinationGroupId });
  expect(await move(11_111, 33_333)).toBe(403);
  expect(await move(22_222, 11_111)).toBe(403);
  expect(await move(33_333, 44_444)).toBe(204);
  expect(await json(`${admin}/groups/33333`)).toMatchObject({ parentGroupId: 44_444 });
});

rule("user-affected-users", "lists who gains and who loses access, and moves nothing", async () => {
  const { json } = start();
  const path = `${admin}/groups/move/33333/44444/affected-users`;
  expect(idsOf(await json(`${path}?userType=lostAccess`))).toEqual(["rchen"]);
  expect(idsOf(await json(`${path}?userType=gainAccess`))).toEqual(["lweber"]);
  expect(idsOf(await json(path))).toEqual(["lweber", "rchen"]);
  expect(await json(`${admin}/groups/33333`)).toMatchObject({ parentGroupId: 11_111 });
});

rule("user-property-move", "a property moves from its group, and the property service shows it", async () => {
  const { status, json } = start();
  const move = (sourceGroupId: number) =>
    status("PUT", `${admin}/properties/10333529`, { sourceGroupId, destinationGroupId: 44_444 });
  expect(await move(33_333)).toBe(400);
  expect(await move(11_111)).toBe(204);
  expect(await status("GET", `${admin}/properties/10333529`)).toBe(400);
  expect(await json(`${admin}/properties/10333529?groupId=44444`)).toMatchObject({ groupName: "Archive" });
  const moved = await json("/papi/v0/properties/?contractId=ctr_C-1FRYVV3&groupId=grp_44444");
  expect(JSON.stringify(moved)).toContain("draft.shop.example");
});

rule("user-blocked-overrides", "shows the user of a role as blocked for one property", async () => {
  const { json } = start();
  const blocked = async (id: number) =>
    (await json<{ uiUserName: string; isBlocked: boolean }[]>(`${admin}/properties/${id}/users`))
      .filter(({ isBlocked }) => isBlocked)
      .map(({ uiUserName }) => uiUserName);
  expect(await blocked(10_333_529)).toEqual(["rchen"]);
  expect(await blocked(10_333_526)).toEqual([]);
});

rule("user-blocked-set", "writes the whole list", async () => {
  const { send, json } = start();
  const path = `${user(3)}/groups/11111/blocked-properties`;
  expect((await send("PUT", path, [10_333_526])).json()).toEqual([10_333_526]);
  expect(await json(path)).toEqual([10_333_526]);
});

rule("user-role-custom", "creates a custom role", async () => {
  const body = { roleName: "Purger", roleDescription: "Purges", grantedRoles: [{ grantedRoleId: 903 }] };
  expect((await start().send("POST", `${admin}/roles`, body)).json()).toMatchObject({ type: "custom" });
});

rule("user-role-standard", "refuses to change or delete a standard role", async () => {
  const { status } = start();
  expect(await status("PUT", `${admin}/roles/3`, { roleName: "x" })).toBe(403);
  expect(await status("DELETE", `${admin}/roles/3`)).toBe(403);
  expect(await status("PUT", `${admin}/roles/5001`, { roleName: "x" })).toBe(200);
});

rule("user-role-in-use", "refuses to delete a role that somebody holds", async () => {
  const { status } = start();
  expect(await status("DELETE", `${admin}/roles/5001`)).toBe(403);
  expect(await status("DELETE", `${admin}/roles/5002`)).toBe(204);
});

rule("user-profile-own", "shows whoever the calls are made as", async () => {
  expect(await start().json(`${root}/user-profile`)).toMatchObject({ uiUserName: "mheld" });
});

rule("user-basic-replaced", "removes what is left out", async () => {
  const { status, json } = start();
  expect(await json(user(3))).toHaveProperty("timeZone");
  expect(await status("PUT", `${user(3)}/basic-info`, basic)).toBe(200);
  expect(await json(user(3))).not.toHaveProperty("timeZone");
  expect(await json(user(3))).toHaveProperty("email");
});

rule("user-grants-replaced", "replaces all grants", async () => {
  const { status, json } = start();
  for (const roleId of [3, 2]) {
    expect(await status("PUT", `${user(3)}/authGrants`, [{ groupId: 33_333, roleId }])).toBe(200);
    expect(await json(`${user(3)}?authGrants=true`)).toMatchObject({ authGrants: [{ groupId: 33_333, roleId }] });
  }
  expect(await status("PUT", `${user(3)}/authGrants`, [{ groupId: 1, roleId: 3 }])).toBe(404);
  const groupId = 33_333;
  for (const grant of [{}, { groupId }, { groupId, isBlocked: true }, { groupId, roleId: 3, subGroups: [{}] }])
    expect([grant, await status("PUT", `${user(3)}/authGrants`, [grant])]).toEqual([grant, 400]);
  expect(await json(`${user(3)}?authGrants=true`)).toMatchObject({ authGrants: [{ groupId: 33_333, roleId: 2 }] });
});

rule("user-tfa-by-default", "lets nobody disable their own second factor", async () => {
  const { status } = start();
  expect(await status("PUT", `${root}/user-profile/tfa?action=disable`)).toBe(403);
  expect(await status("PUT", `${root}/user-profile/tfa?action=reset`)).toBe(204);
  expect(await status("PUT", `${user(3)}/tfa?actions=disable`)).toBe(204);
});

rule("user-password-mailed", "answers with a password unless it is mailed", async () => {
  const { send } = start();
  const reset = (query: string) => send("POST", `${user(3)}/reset-password${query}`, undefined);
  expect((await reset("")).json()).toEqual({ newPassword: expect.any(String) });
  expect(await reset("?sendEmail=true")).toMatchObject({ status: 204, text: "" });
});

rule("user-password-policy", "refuses a password against the policy and one that was used", async () => {
  const { status } = start();
  const set = (newPassword: string) => status("POST", `${user(3)}/restricted/set-password`, { newPassword });
  for (const bad of ["short1", "no-digits-in-it", "12345678", "aaab-12345", "current-password-1"])
    expect([bad, await set(bad)]).toEqual([bad, 400]);
  expect(await set("new-password-1")).toBe(204);
  const change = (currentPassword: string) =>
    status("POST", `${root}/user-profile/change-password`, { currentPassword, newPassword: "new-password-1" });
  expect(await change("wrong")).toBe(400);
  expect(await change("current-password-1")).toBe(204);
});

rule("user-lock", "locks until unlocked", async () => {
  const { status, json } = start();
  expect(await status("POST", `${user(3)}/lock`)).toBe(204);
  expect(await json(user(3))).toMatchObject({ isLocked: true });
  expect(await status("POST", `${user(3)}/unlock`)).toBe(204);
  expect(await json(user(3))).toMatchObject({ isLocked: false });
});

rule("user-delete-api-clients", "keeps a user who has API clients, and deletes another", async () => {
  const { status } = start();
  expect(await status("DELETE", user(3))).toBe(403);
  expect(await status("DELETE", user(5))).toBe(204);
  expect(await status("GET", user(5))).toBe(404);
});

rule("user-lookups-alike", "answers both audiences alike", async () => {
  const { json } = start();
  const lookups = "password-policy contact-types countries timeout-policies supported-languages timezones";
  for (const lookup of [...lookups.split(" "), "notification-products"])
    expect(await json(`${root}/user-profile/common/${lookup}`)).toEqual(await json(`${admin}/common/${lookup}`));
});

rule("user-states", "has states for two countries", async () => {
  const { json } = start();
  for (const [country, has] of Object.entries({ USA: true, Canada: true, Germany: false }))
    expect((await json<string[]>(`${admin}/common/countries/${country}/states`)).length > 0).toBe(has);
});

it("writes errors with httpStatus and its own numbers", async () => {
  const refused = { type: "/useradmin-api/error-types/1100", title: "User not found", httpStatus: 404 };
  expect(await start().json(`${admin}/ui-identities/nobody`)).toMatchObject(refused);
});
