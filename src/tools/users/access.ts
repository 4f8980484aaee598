/** Access of users: locks, passwords, two-factor authentication, grants, blocked properties. */
import { pickArguments } from "../../language/conduct.js";
import { empty, json, op } from "../../language/define.js";
import { secret } from "../../language/marks.js";
import { closedObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { keepsAnAdministrator, keepsIdentityInUse, keepsOwnGrants, keepsTfaInUse, namesAction } from "./checks.js";
import { sendEmail, tfaAction } from "./identities.js";
import { passwordReset, passwordSetting, tfaChange, userLock, userUnlock } from "./login-guards.js";
import { blockedChange, grantChange } from "./role-guards.js";
import {
  bareSecretReason,
  Grants,
  groupId,
  newPassword,
  optionalFlag,
  propertyId,
  uiIdentityId,
  WrittenGrants,
} from "./shapes.js";

const path = { uiIdentityId };
const withGrants = () => ({ authGrants: true });
const user = "/identity-management/v2/user-admin/ui-identities/{uiIdentityId}";
const blocked = `${user}/groups/{groupId}/blocked-properties` as const;

const unknownIds = { 404: "Check the ids: users_list shows those of users, user_groups_list those of groups." };

export const accessOperations = {
  user_password_reset: op(`POST ${user}/reset-password`, {
    does: "Replaces a user's password with a one-time one, written to a file or mailed.",
    path,
    query: { sendEmail },
    secretTo: { members: ["newPassword"], unless: "sendEmail" },
    returns: { 200: json(z.looseObject({ newPassword })), 204: empty },
    effect: "destructive",
    guard: passwordReset,
    shownBy: "user_get",
    rules: ["user-password-mailed"],
    example: { uiIdentityId: "A-B-100003" },
  }),
  user_password_set: op(`POST ${user}/restricted/set-password`, {
    does: "Sets a user's password to the one in a file.",
    path,
    query: { sendEmail: optionalFlag("Notify the user by mail") },
    body: json(closedObject(bareSecretReason, { newPassword: secret(z.string().min(1), { isFromFile: true }) })),
    returns: { 204: empty },
    effect: "destructive",
    guard: passwordSetting,
    shownBy: "user_get",
    rules: ["user-password-policy"],
    means: { 400: "user_lookup_values_list with password-policy shows the rules; earlier passwords are refused." },
    example: { uiIdentityId: "A-B-100003", newPasswordFile: "new-password-1" },
  }),
  user_tfa_set: op(`PUT ${user}/tfa`, {
    does: "Enables, disables or resets a user's two-factor authentication.",
    path,
    query: { action: tfaAction.optional(), actions: tfaAction.optional().describe("The document's name for action") },
    returns: { 204: empty },
    effect: "destructive",
    checks: [namesAction, keepsTfaInUse],
    guard: tfaChange,
    shownBy: "user_get",
    note: "The document calls the query parameter actions, public facts call it action. One of the two is required.",
    example: { uiIdentityId: "A-B-100003", action: "reset" },
  }),
  user_lock: op(`POST ${user}/lock`, {
    does: "Locks a user out.",
    path,
    returns: { 200: empty, 204: empty },
    effect: "destructive",
    checks: [keepsIdentityInUse, keepsAnAdministrator],
    guard: userLock,
    shownBy: { by: "user_get", args: withGrants },
    rules: ["user-lock"],
    example: { uiIdentityId: "A-B-100003" },
  }),
  user_unlock: op(`POST ${user}/unlock`, {
    does: "Lets a locked user in again.",
    path,
    returns: { 200: empty, 204: empty },
    effect: "destructive",
    guard: userUnlock,
    shownBy: { by: "user_get", args: withGrants },
    rules: ["user-lock"],
    example: { uiIdentityId: "A-B-100005" },
  }),
  user_grants_replace: op(`PUT ${user}/authGrants`, {
    does: "Replaces all of a user's roles in groups.",
    path,
    body: json(WrittenGrants),
    returns: { 200: json(Grants) },
    effect: "destructive",
    checks: [keepsOwnGrants, keepsAnAdministrator],
    guard: grantChange,
    shownBy: { by: "user_get", args: withGrants },
    relatedReads: {
      groups: { by: "user_groups_list", args: () => ({}) },
      roles: { by: "user_roles_list", args: () => ({}) },
    },
    rules: ["user-grants-replaced"],
    example: { uiIdentityId: "A-B-100003", body: [{ groupId: 33_333, roleId: 3 }] },
  }),
  user_blocked_properties_list: op(`GET ${blocked}`, {
    does: "Lists the properties of a group that are blocked for a user.",
    path: { uiIdentityId, groupId },
    returns: { 200: json(z.array(z.int())) },
    rules: ["user-blocked-overrides"],
    means: unknownIds,
    example: { uiIdentityId: "A-B-100003", groupId: 11_111 },
  }),
  user_blocked_properties_replace: op(`PUT ${blocked}`, {
    does: "Replaces the properties of a group that are blocked for a user; an empty list unblocks all.",
    path: { uiIdentityId, groupId },
    body: json(z.array(propertyId).max(10_000)),
    returns: { 200: json(z.array(z.int())) },
    effect: "destructive",
    guard: blockedChange,
    shownBy: "user_blocked_properties_list",
    relatedReads: {
      user: { by: "user_get", args: pickArguments("uiIdentityId") },
      properties: { by: "user_properties_list", args: pickArguments("groupId") },
    },
    rules: ["user-blocked-set"],
    means: unknownIds,
    example: { uiIdentityId: "A-B-100003", groupId: 11_111, body: [10_333_526] },
  }),
};
