/** User administration as it is called: the last administrator stays, and the tree of groups is also a flat list. */
import { describe, expect, it } from "vitest";
import type { Arguments } from "../../src/api/conduct.js";
import { usersById } from "../../src/emulator/services/users/store.js";
import { begin } from "../worst-case/model.js";

const [own, other, plain] = ["A-B-100001", "A-B-100002", "A-B-100003"] as const;
const [top, administrator, viewer] = [22_222, 1, 3] as const;

/** Calls on a world whose only administrator is another user than the one in use. */
function start() {
  const { desks, recorder } = begin();
  const users = usersById(recorder.emulator.world);
  const give = (id: string, roleId: number) => {
    const user = users.get(id);
    if (!user) throw new Error(id);
    user.grants = [{ groupId: top, roleId }];
    return user;
  };
  give(own, viewer);
  return { desk: desks[0], give, changes: () => recorder.changes() };
}

const ends: readonly (readonly [string, Arguments])[] = [
  ["user_lock", { uiIdentityId: other }],
  ["user_delete", { uiIdentityId: other }],
  ["user_grants_replace", { uiIdentityId: other, body: [{ groupId: top, roleId: viewer }] }],
  ["user_grants_replace", { uiIdentityId: other, body: [] }],
];

describe("the last administrator", () => {
  it.each(ends)("is not taken away by %s %j, without a way round", async (tool, args) => {
    const { desk, changes } = start();
    for (const more of [{}, { override: ["last-administrator"] }]) {
      const outcome = await desk.call(tool, { ...args, ...more });
      expect(outcome).toMatchObject({ kind: "failure", failure: { code: "invalid_input" } });
      if (Object.keys(more).length === 0) expect(JSON.stringify(outcome)).toContain("not the last administrator");
    }
    expect(await changes()).toEqual([]);
  });

  it.each(ends)("is not the only one in use for %s %j where another one can sign in", async (tool, args) => {
    const { desk, give } = start();
    give(plain, administrator);
    expect((await desk.call(tool, args)).kind).toBe("preview");
  });

  it.each(ends)("is the only one for %s %j where the other one is locked", async (tool, args) => {
    const { desk, give } = start();
    give(plain, administrator).isLocked = true;
    expect(JSON.stringify(await desk.call(tool, args))).toContain("not the last administrator");
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

describe("the tree of groups", () => {
  const read = async (args: Arguments) => {
    const outcome = await start().desk.call("user_groups_list", args);
    if (outcome.kind !== "answer") throw new Error(outcome.kind);
    return outcome.reply.body as Record<string, unknown>[];
  };

  it("is nested unless an outline is asked for", async () => {
    expect(await read({})).toMatchObject([
      { groupId: top, subGroups: [{ groupId: 11_111, subGroups: [{ groupId: 33_333 }] }, { groupId: 44_444 }] },
    ]);
  });

  it("is as an outline a row a group, each with its path and after its parent", async () => {
    expect(await read({ outline: true })).toEqual([
      { groupId: 22_222, path: "Everything", subGroups: 2 },
      { groupId: 11_111, path: "Everything / Shops", parentGroupId: 22_222, subGroups: 1 },
      { groupId: 33_333, path: "Everything / Shops / Campaigns", parentGroupId: 11_111, subGroups: 0 },
      { groupId: 44_444, path: "Everything / Archive", parentGroupId: 22_222, subGroups: 1 },
      { groupId: 55_555, path: "Everything / Archive / Retired shops", parentGroupId: 44_444, subGroups: 0 },
    ]);
  });

  it("keeps what the API says may be done with each group", async () => {
    expect((await read({ outline: true, actions: true })).at(-1)).toMatchObject({ actions: { delete: true } });
  });
});
