/** The creation of a user: whom it lets in is shown first, and how grave that is follows from what the roles permit. */
import { describe, expect, it } from "vitest";
import { rolesOf, type StoredRole, usersOf } from "../../../src/emulator/services/users/store.js";
import { batchTool, restoreTool } from "../../../src/language/server-tools.js";
import type { PolicyRule } from "../../../src/policy/file.js";
import { noPolicy } from "../../../src/policy/index.js";
import { begin, planOf } from "../../adversary/model.js";
import { promise } from "../../lab/rules.js";

const [top, campaigns] = [22_222, 33_333];
const [admin, _publisher, viewer, editor] = [1, 2, 3, 5_001];
const newcomer = { firstName: "Ines", lastName: "Vogt", email: "ines.vogt@shop.example", country: "Germany" };
const withRoles = (...roles: readonly (readonly [groupId: number, roleId: number])[]) => ({
  body: { ...newcomer, authGrants: roles.map(([groupId, roleId]) => ({ groupId, roleId })) },
});

function start(rules: readonly PolicyRule[] = []) {
  const { desks, recorder } = begin({ policy: { ...noPolicy, rules } });
  const [desk] = desks;
  const { world } = recorder.emulator;
  const previewOf = async (args: object) => {
    const outcome = await desk.call("user_create", { ...args });
    if (outcome.kind !== "preview") throw new Error(outcome.kind);
    return { ...outcome.preview, tier: outcome.plan.tier, id: outcome.plan.id };
  };
  const changeRole = (id: number, change: Partial<StoredRole>) => {
    Object.assign(rolesOf(world).find(id), change);
  };
  return { desk, world, previewOf, changeRole, changes: () => recorder.changes() };
}

it(promise("users-wait", "creating an administrator is not sent before somebody approves"), async () => {
  const { desk, previewOf, changes } = start();
  const args = { body: { ...withRoles([top, admin]).body, email: "ceo@evil.example" } };
  const { tier, summary, lines, warnings, target, id } = await previewOf(args);
  expect(await changes()).toEqual([]);
  expect(tier).toBe("critical");
  expect(lines[0]).toBe(summary);
  expect(summary).toContain("with Admin in Everything: the password is written to a file.");
  expect(warnings).toEqual([
    expect.stringContaining("at evil.example"),
    expect.stringMatching(/^The role Admin manages/),
  ]);
  expect(target).toBe("ceo@evil.example");
  // Who is there already is neither lost nor changed by it.
  expect(lines.join("\n")).not.toContain("Now:");
  expect(await desk.call("user_create", { ...args, confirm: id })).toMatchObject({ kind: "answer" });
  expect(await changes()).toHaveLength(1);
});

describe("how grave it is", () => {
  it.each<[string, Partial<StoredRole>]>([
    ["permits it by another name", { grantedIds: [901, 904] }],
    ["has the name of one", { roleName: "Account manager" }],
    ["permits nothing that is told", { grantedIds: [] }],
  ])("is critical for a role that %s", async (_, change) => {
    const { previewOf, changeRole } = start();
    changeRole(editor, change);
    expect((await previewOf(withRoles([campaigns, editor]))).tier).toBe("critical");
  });

  it("the policy sees a new user's tier, also when a plan is confirmed", async () => {
    const deny: PolicyRule = { id: "nobody-grave", effect: "deny", tiers: ["critical"] };
    const refusal = await start([deny]).desk.call("user_create", withRoles([top, admin]));
    expect(refusal).toMatchObject({ kind: "failure", failure: { code: "not_allowed" } });
    expect((await start([deny]).previewOf(withRoles([top, viewer]))).tier).toBe("guarded");

    const rules: PolicyRule[] = [];
    const { desk, previewOf, changes } = start(rules);
    const { id } = await previewOf(withRoles([top, admin]));
    rules.push(deny);
    const late = await desk.call("user_create", { ...withRoles([top, admin]), confirm: id });
    expect(late).toMatchObject({ kind: "failure", failure: { code: "not_allowed" } });
    expect(await changes()).toEqual([]);
  });

  it("is not bypassed by a rule that allows guarded calls only", async () => {
    const { desk, changes } = start([{ id: "newcomers", effect: "allow", tools: ["user_create"], tiers: ["guarded"] }]);
    expect((await desk.call("user_create", withRoles([top, admin]))).kind).toBe("preview");
    expect(await changes()).toEqual([]);
    expect((await desk.call("user_create", withRoles([campaigns, viewer]))).kind).toBe("answer");
  });
});

describe("its approval", () => {
  it("a new user's approval ends when a role permits something else", async () => {
    const { desk, world, previewOf, changeRole, changes } = start();
    const args = withRoles([campaigns, editor]);
    const first = await previewOf(args);
    changeRole(editor, { grantedIds: [901, 904] });
    const refused = await desk.call("user_create", { ...args, confirm: first.id });
    expect(refused).toMatchObject({ kind: "failure", failure: { code: "approval_refused" } });
    expect(await changes()).toEqual([]);

    const second = await previewOf(args);
    usersOf(world).delete("A-B-100005");
    expect((await desk.call("user_create", { ...args, confirm: second.id })).kind).toBe("answer");
  });
});

describe("its way back", () => {
  it("undoing a new user deletes the created one, or each of a batch", async () => {
    const { desk, world, changes } = start();
    const before = usersOf(world).all.map(({ id }) => id);
    const each = ["ann", "jbrandt", "ben"].map((uiUserName) => ({
      body: { ...withRoles([campaigns, viewer]).body, email: `${uiUserName}@new.example`, uiUserName },
    }));
    const several = { tool: "user_create", arguments: each };
    const plan = planOf(await desk.call(batchTool, several));
    expect(await desk.call(batchTool, { ...several, confirm: plan })).toMatchObject({ result: { done: 2, failed: 1 } });
    const made = usersOf(world)
      .all.map(({ id }) => id)
      .filter((id) => !before.includes(id));
    const back = await desk.call(restoreTool, { plan });
    if (back.kind !== "preview") throw new Error(back.kind);
    for (const id of made) expect(back.preview.lines.join("\n")).toContain(id);
    expect(await changes()).toHaveLength(3);
    expect(await desk.call(restoreTool, { plan, confirm: back.plan.id })).toMatchObject({ result: { done: 2 } });
    expect(usersOf(world).all.map(({ id }) => id)).toEqual(before);
  });
});
