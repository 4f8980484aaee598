/** Groups of users: the tree, its outline, and moves with those who gain and lose access by them. */
import { empty, json, op } from "../../language/define.js";
import { z } from "../../language/z.js";
import { canDeleteGroup, canMoveGroup } from "./checks.js";
import { groupDeletion, groupMove } from "./group-guards.js";
import { groupOutline } from "./outline.js";
import { Group, GroupChange, groupId, Move, NewGroup, Person, redacted, withActions } from "./shapes.js";

const group = json(Group);

export const groupOperations = {
  user_groups_list: op("GET /identity-management/v2/user-admin/groups", {
    does: "Lists the groups that you administer, each with its sub-groups inside.",
    query: withActions,
    returns: { 200: json(z.array(Group)) },
    view: groupOutline,
    rules: ["user-groups-nested", "user-action-flags"],
    note: redacted,
  }),
  user_group_get: op("GET /identity-management/v2/user-admin/groups/{groupId}", {
    does: "Reads a group with its sub-groups.",
    path: { groupId },
    query: withActions,
    returns: { 200: group },
    note: redacted,
    example: { groupId: 11_111 },
  }),
  user_group_create: op("POST /identity-management/v2/user-admin/groups/{groupId}", {
    does: "Creates an empty group under a parent.",
    path: { groupId: groupId.describe("Parent") },
    body: json(NewGroup),
    returns: { 200: group, 201: group },
    effect: "create",
    shownBy: "user_group_get",
    rules: ["user-group-parent"],
    example: { groupId: 11_111, body: { groupName: "Spring sale" } },
  }),
  user_group_rename: op("PUT /identity-management/v2/user-admin/groups/{groupId}", {
    does: "Renames a group.",
    path: { groupId },
    body: json(GroupChange),
    returns: { 200: group, 201: group },
    effect: "update",
    shownBy: "user_group_get",
    guard: { kind: "overwrite", when: "asked", thing: "group {groupName}", replaces: "body", undo: "rewrite" },
    example: { groupId: 33_333, body: { groupName: "Campaigns and sales" } },
  }),
  user_group_delete: op("DELETE /identity-management/v2/user-admin/groups/{groupId}", {
    does: "Deletes a sub-group that has no users and no sub-groups.",
    path: { groupId },
    returns: { 204: empty },
    checks: [canDeleteGroup],
    guard: groupDeletion,
    shownBy: "user_group_get",
    shownBeside: { groups: { by: "user_groups_list", args: () => ({}) } },
    rules: ["user-group-delete"],
    example: { groupId: 55_555 },
  }),
  user_group_move: op("POST /identity-management/v2/user-admin/groups/move", {
    does: "Moves a group with all below it under another group; who has access follows the tree.",
    body: json(Move),
    returns: { 204: empty },
    effect: "destructive",
    checks: [canMoveGroup],
    guard: groupMove,
    shownBy: "user_groups_list",
    shownBeside: {
      lost: affected("lostAccess"),
      gained: affected("gainAccess"),
    },
    rules: ["user-group-move", "user-affected-users"],
    example: { body: { sourceGroupId: 33_333, destinationGroupId: 44_444 } },
  }),
  user_affected_users_list: op(
    "GET /identity-management/v2/user-admin/groups/move/{sourceGroupId}/{destinationGroupId}/affected-users",
    {
      does: "Lists the users who would gain or lose access if a group were moved.",
      path: { sourceGroupId: groupId, destinationGroupId: groupId },
      query: { userType: z.enum(["lostAccess", "gainAccess"]).optional().describe("Left out: both") },
      returns: { 200: json(z.array(Person)) },
      rules: ["user-affected-users"],
      means: { 404: "One of the groups is not there: user_groups_list shows the ids." },
      example: { sourceGroupId: 33_333, destinationGroupId: 44_444 },
    },
  ),
};

/** Those whom a move concerns; the approval is bound to them, because who is concerned can change with any grant. */
function affected(userType: "lostAccess" | "gainAccess") {
  return {
    by: "user_affected_users_list",
    args: (args: Readonly<Record<string, unknown>>) => ({ ...(args["body"] as object), userType }),
    isBound: true,
  } as const;
}
