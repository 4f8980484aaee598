/** Groups and the properties that they own, and previews of their moves with the users who gain and lose access. */
import type { Arguments, Guard } from "../../language/conduct.js";
import { groupArgument } from "../../language/defaults.js";
import { empty, json, op } from "../../language/define.js";
import { act, guardsOf, membership } from "../../language/guards.js";
import { memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";
import { canDeleteGroup, canMoveGroup, canMoveProperty, moveOf } from "./checks.js";
import {
  actions,
  Group,
  GroupChange,
  groupId,
  Move,
  NewGroup,
  Person,
  Property,
  PropertyResource,
  PropertyUser,
  propertyId,
  redactionNote,
} from "./shapes.js";
import {
  groupOutline,
  groupPlaceOf,
  groupPlacesIn,
  groupWords,
  nameWithId,
  peopleInWords,
  usersIn,
  usersWithAccess,
} from "./tree.js";

/** Who gains and who loses access, or that this could not be read. */
const turnover = (lost: unknown, gained: unknown): string =>
  Array.isArray(lost) && Array.isArray(gained)
    ? `access is lost by ${peopleInWords(lost)} and gained by ${peopleInWords(gained)}`
    : "the users who gain and lose access could not be read";

const groupMove: Guard = {
  kind: "access",
  thing: "group",
  target: (args, present) => {
    const { sourceGroupId } = moveOf(args);
    return groupPlaceOf(groupPlacesIn(present), sourceGroupId)?.group.groupName ?? `group ${sourceGroupId}`;
  },
  says: (args, present, { lost, gained }) => {
    const { sourceGroupId, destinationGroupId } = moveOf(args);
    const all = groupPlacesIn(present);
    const from = groupPlaceOf(all, sourceGroupId);
    const below = all.filter(({ group, line }) => from && group !== from.group && line.includes(from.group));
    const names = listInWords(below, ({ group }) => plainOrQuoted(group.groupName));
    const whole = names === "" ? "" : ` with the ${below.length === 1 ? "group" : "groups"} below it, ${names},`;
    const under = groupWords(groupPlaceOf(all, destinationGroupId), destinationGroupId);
    return act`MOVE ${groupWords(from, sourceGroupId)}${whole} under ${under}: ${turnover(lost, gained)}`;
  },
  undo: {
    tool: "user_group_move",
    args: ({ given, before }) => {
      const { sourceGroupId } = moveOf(given);
      const parent = groupPlaceOf(groupPlacesIn(before), sourceGroupId)?.line.at(-2);
      return parent && { body: { sourceGroupId, destinationGroupId: parent.groupId } };
    },
  },
};

const propertyMove: Guard = {
  kind: "access",
  thing: "property",
  target: (args, present) => String(memberAt(present, "propertyName") ?? args["propertyId"]),
  says: (args, present, { groups, users }) => {
    const { sourceGroupId, destinationGroupId } = moveOf(args);
    const [from, to] = [sourceGroupId, destinationGroupId].map((id) => groupPlaceOf(groupPlacesIn(groups), id));
    const which = `property ${nameWithId(memberAt(present, "propertyName"), args["propertyId"])}`;
    const known = Array.isArray(users) ? usersIn(users) : undefined;
    const [had, has] = [from, to].map((place) => place && known && usersWithAccess(place, known));
    const { lost, gained } = had && has ? membership(had, has) : {};
    return act`MOVE ${which} from ${groupWords(from, sourceGroupId)} to ${groupWords(to, destinationGroupId)}: ${turnover(lost, gained)}`;
  },
  undo: {
    tool: "user_property_move",
    args: ({ given }) => {
      const { sourceGroupId, destinationGroupId } = moveOf(given);
      return { ...given, body: { sourceGroupId: destinationGroupId, destinationGroupId: sourceGroupId } };
    },
  },
};

const groups = "/identity-management/v2/user-admin/groups";
const properties = "/identity-management/v2/user-admin/properties";
const group = json(Group);

export const groupOperations = {
  user_groups_list: op(`GET ${groups}`, {
    does: "Lists the groups that you administer, each with its sub-groups inside.",
    query: { actions },
    returns: { 200: json(z.array(Group)) },
    view: groupOutline,
    rules: ["user-groups-nested", "user-action-flags"],
    note: redactionNote,
  }),
  user_group_get: op(`GET ${groups}/{groupId}`, {
    does: "Reads a group with its sub-groups.",
    path: { groupId },
    query: { actions },
    returns: { 200: group },
    note: redactionNote,
    example: { groupId: 11_111 },
  }),
  user_group_create: op(`POST ${groups}/{groupId}`, {
    does: "Creates an empty group under a parent.",
    path: { groupId: groupId.describe("Parent") },
    body: json(NewGroup),
    returns: { 200: group, 201: group },
    effect: "create",
    shownBy: "user_group_get",
    rules: ["user-group-parent"],
    example: { groupId: 11_111, body: { groupName: "Spring sale" } },
  }),
  user_group_rename: op(`PUT ${groups}/{groupId}`, {
    does: "Renames a group.",
    path: { groupId },
    body: json(GroupChange),
    returns: { 200: group, 201: group },
    effect: "update",
    shownBy: "user_group_get",
    guard: { kind: "overwrite", when: "asked", thing: "group {groupName}", replaces: "body", undo: "rewrite" },
    example: { groupId: 33_333, body: { groupName: "Campaigns and sales" } },
  }),
  user_group_delete: op(`DELETE ${groups}/{groupId}`, {
    does: "Deletes a sub-group that has no users and no sub-groups.",
    path: { groupId },
    returns: { 204: empty },
    checks: [canDeleteGroup],
    guard: guardsOf(
      "group",
      ({ groupId }, _, { groups }) => groupWords(groupPlaceOf(groupPlacesIn(groups), groupId), groupId),
      ({ groupId }, present) => String(memberAt(present, "groupName") ?? `group ${String(groupId)}`),
    )("DELETE", {
      kind: "delete",
      results: () => ["it has no sub-groups and no users", "its name and its place in the tree are removed"],
      undo: {
        by: "Call user_group_create, which creates an empty group with the same name and parent, but another id.",
      },
    }),
    shownBy: "user_group_get",
    relatedReads: { groups: { by: "user_groups_list", args: () => ({}) } },
    rules: ["user-group-delete"],
    example: { groupId: 55_555 },
  }),
  user_group_move: op(`POST ${groups}/move`, {
    does: "Moves a group and everything below it under another group; access follows the tree.",
    body: json(Move),
    returns: { 204: empty },
    effect: "destructive",
    checks: [canMoveGroup],
    guard: groupMove,
    shownBy: "user_groups_list",
    relatedReads: { lost: affected("lostAccess"), gained: affected("gainAccess") },
    rules: ["user-group-move", "user-affected-users"],
    example: { body: { sourceGroupId: 33_333, destinationGroupId: 44_444 } },
  }),
  user_affected_users_list: op(`GET ${groups}/move/{sourceGroupId}/{destinationGroupId}/affected-users`, {
    does: "Lists the users who would gain or lose access if a group were moved.",
    path: { sourceGroupId: groupId, destinationGroupId: groupId },
    query: { userType: z.enum(["lostAccess", "gainAccess"]).optional().describe("Left out: both") },
    returns: { 200: json(z.array(Person)) },
    rules: ["user-affected-users"],
    means: { 404: "One of the groups does not exist: user_groups_list shows the ids." },
    example: { sourceGroupId: 33_333, destinationGroupId: 44_444 },
  }),
};

/** The users whom a move affects; the approval is bound to them, because any grant can change who is affected. */
function affected(userType: "lostAccess" | "gainAccess") {
  return {
    by: "user_affected_users_list",
    args: (args: Arguments) => ({ ...moveOf(args), userType }),
    isBound: true,
  } as const;
}

const inGroup = { groupId: groupId.optional() };
const place = { groupId: groupArgument(groupId, "user_properties_list") };

export const propertyOperations = {
  user_properties_list: op(`GET ${properties}`, {
    does: "Lists properties with the groups that own them.",
    query: inGroup,
    returns: { 200: json(z.array(Property)) },
    note: redactionNote,
  }),
  user_property_get: op(`GET ${properties}/{propertyId}`, {
    does: "Reads a property's name, group and history.",
    path: { propertyId },
    query: place,
    returns: { 200: json(Property) },
    note: "The document shows no query here; according to public facts, groupId is required.",
    example: { propertyId: 10_333_526, groupId: 11_111 },
  }),
  user_property_move: op(`PUT ${properties}/{propertyId}`, {
    does: "Moves a property to another group; access follows the group.",
    path: { propertyId },
    body: json(Move),
    returns: { 204: empty },
    effect: "destructive",
    checks: [canMoveProperty],
    guard: propertyMove,
    shownBy: {
      by: "user_property_get",
      args: (args) => ({ groupId: moveOf(args).sourceGroupId }),
    },
    relatedReads: {
      groups: { by: "user_groups_list", args: () => ({}), isBound: true },
      users: { by: "users_list", args: () => ({ authGrants: true }), isBound: true },
    },
    rules: ["user-property-move"],
    example: { propertyId: 10_333_529, body: { sourceGroupId: 11_111, destinationGroupId: 44_444 } },
  }),
  user_property_users_list: op(`GET ${properties}/{propertyId}/users`, {
    does: "Lists the users who can work on a property, and which of them are blocked.",
    path: { propertyId },
    query: inGroup,
    returns: { 200: json(z.array(PropertyUser)) },
    rules: ["user-blocked-overrides"],
    note: redactionNote,
    example: { propertyId: 10_333_526 },
  }),
  user_property_resources_list: op(`GET ${properties}/{propertyId}/resources`, {
    does: "Lists a property's CP codes, hostnames and files.",
    path: { propertyId },
    query: place,
    returns: { 200: json(z.array(PropertyResource)) },
    example: { propertyId: 10_333_526, groupId: 11_111 },
  }),
};
