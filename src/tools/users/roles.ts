/** Roles: their permissions, their holders, and changes whose previews name who gains and loses what. */
import { empty, json, op } from "../../language/define.js";
import { z } from "../../language/z.js";
import { canChangeRole, canDeleteRole, keepsAnAdministratorsRole, keepsOwnRole } from "./checks.js";
import { roleChange, roleDeletion } from "./role-guards.js";
import {
  actions,
  GrantedRoles,
  groupId,
  NewRole,
  optionalFlag,
  Role,
  RoleChange,
  redactionNote,
  roleId,
} from "./shapes.js";

const users = optionalFlag("Add the holders");
const whole = { grantedRoles: true, users: true } as const;

export const roleOperations = {
  user_roles_list: op("GET /identity-management/v2/user-admin/roles", {
    does: "Lists the roles that users can hold.",
    query: {
      actions,
      groupId: groupId.optional(),
      users,
      ignoreContext: optionalFlag("Roles of other contract types, too"),
    },
    returns: { 200: json(z.array(Role)) },
    note: redactionNote,
  }),
  user_role_create: op("POST /identity-management/v2/user-admin/roles", {
    does: "Creates a custom role from granted roles.",
    needs: "Ids from user_grantable_roles_list.",
    body: json(NewRole),
    returns: { 200: json(Role), 201: json(Role) },
    effect: "create",
    shownBy: "user_roles_list",
    rules: ["user-role-custom"],
    example: {
      body: { roleName: "Purger", roleDescription: "Purges and no more", grantedRoles: [{ grantedRoleId: 903 }] },
    },
  }),
  user_role_get: op("GET /identity-management/v2/user-admin/roles/{roleId}", {
    does: "Reads a role.",
    path: { roleId },
    query: { actions, grantedRoles: optionalFlag("Add its permissions"), users },
    returns: { 200: json(Role) },
    note: redactionNote,
    example: { roleId: 5_001, grantedRoles: true },
  }),
  user_role_update: op("PUT /identity-management/v2/user-admin/roles/{roleId}", {
    does: "Changes a custom role for all who hold it; grantedRoles replaces the whole list.",
    path: { roleId },
    body: json(RoleChange),
    returns: { 200: json(Role) },
    effect: "destructive",
    checks: [canChangeRole, keepsOwnRole, keepsAnAdministratorsRole],
    guard: roleChange,
    shownBy: { by: "user_role_get", args: () => whole },
    rules: ["user-role-standard"],
    example: { roleId: 5_001, body: { grantedRoles: [{ grantedRoleId: 901 }] } },
  }),
  user_role_delete: op("DELETE /identity-management/v2/user-admin/roles/{roleId}", {
    does: "Deletes a custom role that no user holds.",
    path: { roleId },
    returns: { 204: empty },
    checks: [canDeleteRole],
    guard: roleDeletion,
    shownBy: { by: "user_role_get", args: () => whole },
    rules: ["user-role-in-use", "user-role-standard"],
    example: { roleId: 5_002 },
  }),
  user_grantable_roles_list: op("GET /identity-management/v2/user-admin/roles/grantable-roles", {
    does: "Lists the granted roles that a custom role can contain.",
    returns: { 200: json(GrantedRoles) },
  }),
};
