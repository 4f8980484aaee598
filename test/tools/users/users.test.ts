/** User administration as it is called: the last administrator stays, and the tree of groups is also a flat list. */
import { describe, expect, it } from "vitest";
import { rolesOf, usersOf } from "../../../src/emulator/services/users/store.js";
import type { Check } from "../../../src/language/check.js";
import type { Arguments } from "../../../src/language/conduct.js";
import { batchTool } from "../../../src/language/server-tools.js";
import { keepsTfaAsItIs } from "../../../src/tools/users/checks.js";
import { keepsFactorAsItIs } from "../../../src/tools/users/v3-guards.js";
import { begin, planOf } from "../../adversary/model.js";

const [own, other, plain] = ["A-B-100001", "A-B-100002", "A-B-100003"] as const;
const [top, administrator, viewer] = [22_222, 1, 3] as const;

/** Calls on a world whose only administrator is another user than the one in use. */
function start() {
  const { desks, recorder } = begin();
  const users = usersOf(recorder.emulator.world);
  const give = (id: string, roleId: number) => {
    const user = users.find(id);
    user.grants = [{ groupId: top, roleId }];
    return user;
  };
  give(own, viewer);
  /** Has a custom role with the name of an administrator's, as some accounts have. */
  const have = (id: number, name: string, grantedIds: readonly number[]) => {
    const roles = rolesOf(recorder.emulator.world);
    roles.add({ ...roles.find(5_001), roleId: id, roleName: name, grantedIds });
  };
  return { desk: desks[0], give, have, changes: () => recorder.changes() };
}

const ends: readonly (readonly [string, Arguments])[] = [
  ["user_lock", { uiIdentityId: other }],
  ["user_delete", { uiIdentityId: other }],
  ["user_grants_replace", { uiIdentityId: other, body: [{ groupId: top, roleId: viewer }] }],
  ["user_grants_replace", { uiIdentityId: other, body: [] }],
  ["user_grants_replace", { uiIdentityId: other, body: [{ groupId: top, roleId: administrator, isBlocked: true }] }],
  ["user_grants_replace", { uiIdentityId: other, body: [{ groupId: 55_555, roleId: administrator }] }],
];
const whole = [901, 902, 903, 904] as const;
const custom = 5_900;
const takenFromRole: readonly Arguments[] = [
  { roleId: custom, body: { grantedRoles: [{ grantedRoleId: 901 }] } },
  { roleId: custom, body: { roleName: "Nobody" } },
  { roleId: custom, body: { roleName: "Nobody", grantedRoles: whole.map((grantedRoleId) => ({ grantedRoleId })) } },
];

describe("the last administrator", () => {
  it.each(ends)("is not taken away by %s %j, where no other can sign in as one", async (tool, args) => {
    const { desk, give, have, changes } = start();
    const refusal = async (more: object = {}) => JSON.stringify(await desk.call(tool, { ...args, ...more }));
    expect(await refusal()).toContain("not the last administrator");
    expect(await refusal({ override: ["last-administrator"] })).toContain("invalid_input");
    have(custom, "Administrator", [901]);
    give(plain, custom);
    expect(await refusal()).toContain("not the last administrator");
    const another = give(plain, administrator);
    another.isLocked = true;
    expect(await refusal()).toContain("not the last administrator");
    expect(await changes()).toEqual([]);
    another.isLocked = false;
    expect((await desk.call(tool, args)).kind).toBe("preview");
  });

  it.each(takenFromRole)("is not disarmed by a change of the role, %j", async (args) => {
    const { desk, give, have, changes } = start();
    have(custom, "Administrator", whole);
    give(other, custom);
    for (const more of [{}, { override: ["last-administrator"] }]) {
      const outcome = await desk.call("user_role_update", { ...args, ...more });
      expect(outcome).toMatchObject({ kind: "failure", failure: { code: "invalid_input" } });
      if (Object.keys(more).length === 0) expect(JSON.stringify(outcome)).toContain("still has an administrator");
    }
    expect(await changes()).toEqual([]);

    give(plain, administrator);
    expect((await desk.call("user_role_update", args)).kind).toBe("preview");
  });

  it("may have the role's description changed, or permissions added", async () => {
    const { desk, give, have } = start();
    have(custom, "Administrator", [901]);
    give(other, custom);
    for (const body of [
      { roleDescription: "Administers." },
      { grantedRoles: [901, 904].map((grantedRoleId) => ({ grantedRoleId })) },
    ])
      expect((await desk.call("user_role_update", { roleId: custom, body })).kind).toBe("preview");
  });

  it.each(["user_lock", "user_delete"])("is not taken away by one of several calls of %s", async (tool) => {
    const { desk, give, changes } = start();
    give("A-B-100004", administrator);
    const each = [other, "A-B-100004"].map((uiIdentityId) => ({ uiIdentityId }));
    const plan = planOf(await desk.call(batchTool, { tool, arguments: each }));
    const outcome = await desk.call(batchTool, { tool, arguments: each, confirm: plan });
    expect(outcome).toMatchObject({ kind: "workflow", result: { done: 1, failed: 1 } });
    expect(JSON.stringify(outcome)).toContain("not the last administrator");
    expect(await changes()).toHaveLength(1);
  });

  it("is also one whose role is in a group below that of another role", async () => {
    const { desk, give } = start();
    const below = { groupId: 33_333, roleId: administrator };
    give(other, viewer).grants = [{ groupId: top, roleId: viewer, subGroups: [below] }];
    const args = { uiIdentityId: other, body: [{ groupId: top, roleId: viewer }] };
    expect(JSON.stringify(await desk.call("user_grants_replace", args))).toContain("not the last administrator of");
  });

  it("can be given other roles beside its own", async () => {
    const { desk } = start();
    const body = [
      { groupId: top, roleId: administrator },
      { groupId: 44_444, roleId: viewer },
    ];
    expect((await desk.call("user_grants_replace", { uiIdentityId: other, body })).kind).toBe("preview");
  });
});

describe("the identity in use", () => {
  it("keeps what a role of its own permits", async () => {
    const { desk, give, have, changes } = start();
    have(custom, "Campaigns", [901, 902]);
    give(own, custom);
    const body = { grantedRoles: [{ grantedRoleId: 902 }] };
    const outcome = JSON.stringify(await desk.call("user_role_update", { roleId: custom, body }));
    expect(outcome).toContain("the identity in use holds it");
    expect(outcome).toContain("Reports - View");
    expect(await changes()).toEqual([]);
    expect((await desk.call("user_role_update", { roleId: custom, body: { roleName: "Sales" } })).kind).toBe("preview");
  });
});

describe("a profile whose user is shown without a second factor", () => {
  const problemsOf = (check: Check, body: Arguments) =>
    check({
      args: { body },
      namesAt: () => [],
      present: async () => ({ firstName: "Rosa" }),
      read: async () => undefined,
    });

  it("may repeat the member of the documents, because it is unknown", async () => {
    expect(await problemsOf(keepsTfaAsItIs, { tfaEnabled: true })).toEqual([]);
  });

  it("may not set the member of today's API", async () => {
    const takes = expect.stringMatching(/^no value: user_second_factor_set and /);
    expect(await problemsOf(keepsFactorAsItIs, { additionalAuthentication: "TFA" })).toMatchObject([{ takes }]);
  });
});
