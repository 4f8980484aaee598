/** Grants as they are written, with the settings of both APIs: each names its role and its group, at any depth. */
import { expect, it } from "vitest";
import type { AnyOperation } from "../../src/language/define.js";
import { Failure } from "../../src/language/failure.js";
import { withMember } from "../../src/language/member.js";
import { validateArguments } from "../../src/schema/arguments.js";
import { allServices } from "../../src/tools/index.js";

const declared = (await allServices()).flatMap(({ name, operations }) =>
  Object.entries<AnyOperation>(operations).map(([tool, operation]) => ({ tool, operation, service: name })),
);
/** Where grants are written. */
const lists: Readonly<Record<string, string>> = {
  user_grants_replace: "body",
  user_create: "body.authGrants",
  apiclient_create: "body.groupAccess.groups",
  apiclient_update: "body.groupAccess.groups",
};
const takers = declared.filter(({ tool }) => Object.hasOwn(lists, tool));
const top = { groupId: 33_333, roleId: 3 };

/** The fields, below the list of grants, that each operation refuses. */
function refused(grants: readonly unknown[], of = takers): Readonly<Record<string, readonly string[]>> {
  const fieldsOf = ({ tool, operation }: (typeof takers)[number]): readonly string[] => {
    const at = lists[tool] ?? "";
    try {
      validateArguments(tool, operation, withMember(operation.spec.example ?? {}, at.split("."), grants));
      return [];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return (error.detail.fields ?? []).map(({ field }) => field.slice(at.length));
    }
  };
  return Object.fromEntries(of.map((one) => [`${one.service} ${one.tool}`, fieldsOf(one)]));
}
const everywhere = (fields: readonly string[], of = takers) =>
  Object.fromEntries(of.map(({ service, tool }) => [`${service} ${tool}`, fields]));

it("finds the places where grants are written in both settings", () => {
  expect(takers.map(({ service, tool }) => `${service} ${tool}`)).toEqual([
    ...["users user_create", "users user_grants_replace", "users-v3 user_grants_replace", "users-v3 user_create"],
    ...["api-clients apiclient_create", "api-clients apiclient_update"],
  ]);
});

const ofUsers = takers.filter(({ tool }) => tool.startsWith("user"));

it("a grant without a role or a group is refused, also in groups below", () => {
  const where: readonly (readonly [unknown, string])[] = [
    [[{ groupId: 33_333 }], "[0].roleId"],
    [[top, { groupId: 44_444, isBlocked: true }], "[1].roleId"],
    [[{ groupId: 33_333, roleId: null, isBlocked: true }], "[0].roleId"],
    [[{ roleId: 3, isBlocked: true }], "[0].groupId"],
    [[{ roleId: 3, subGroups: [top] }], "[0].groupId"],
  ];
  for (const [grants, field] of where) expect(refused(grants as readonly unknown[])).toEqual(everywhere([field]));
  expect(refused([{}], ofUsers)).toEqual(everywhere(["[0].roleId"], ofUsers));
  const below = (...subGroups: readonly object[]) => [{ ...top, subGroups: [{ groupId: 44_444, subGroups }] }];
  expect(refused(below({}))).toEqual(everywhere(["[0].subGroups[0].subGroups[0].groupId"]));
  expect(refused(below({ roleId: 3 }))).toEqual(everywhere(["[0].subGroups[0].subGroups[0].groupId"]));
  const blocked = { groupId: 55_555, isBlocked: true };
  expect(refused(below(blocked))).toEqual(everywhere(["[0].subGroups[0].subGroups[0].roleId"]));
});

it("grants are accepted as responses have them", () => {
  const below = { groupId: 44_444, groupName: "Shop", subGroups: [{ groupId: 55_555, groupName: "Test" }] };
  expect(refused([{ ...top, groupName: "Account", isBlocked: false, subGroups: [below] }])).toEqual(everywhere([]));
  // A role of the whole account is read without a group.
  expect(refused([top, { roleId: 100_004, roleName: "Account settings" }], ofUsers)).toEqual(everywhere([], ofUsers));
});
