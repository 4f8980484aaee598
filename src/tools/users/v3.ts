/** User administration of today (Identity Management v3): the documents' operations under their names, and its own. */
import { carry } from "../../language/carry.js";
import { type AnyOperation, empty, json } from "../../language/define.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { accessOperations } from "./access.js";
import { groupOperations, propertyOperations } from "./groups.js";
import { identityOperations, profileOperations } from "./identities.js";
import { aboutPasswords, userIds, userRules } from "./index.js";
import { lookupOperations, userResources } from "./lookups.js";
import { roleOperations } from "./roles.js";
import { Group, Role } from "./shapes.js";
import { userOperations } from "./v3-identities.js";
import { User, UserItem } from "./v3-shapes.js";

// No overlay on the vendor's definition: most operations are those of the documents under another route, which a carry says in
// one line, and calls of the documents are turned into calls of today by the same schemas.

/** What differs in the operations that are carried over. */
const differences: Readonly<Partial<Record<string, Partial<AnyOperation["spec"]>>>> = {
  user_group_create: { returns: { 201: json(Group) } },
  user_group_rename: { returns: { 200: json(Group) } },
  user_role_create: { returns: { 201: json(Role) } },
  users_list: { returns: { 200: json(z.array(UserItem)) } },
  user_get: { returns: { 200: json(User) } },
  user_profile_get: { returns: { 200: json(User) } },
  user_delete: { returns: { 204: empty } },
  user_lock: { returns: { 204: empty } },
  user_unlock: { returns: { 204: empty } },
  user_property_get: { note: "The id of an include is taken, too." },
  user_property_resources_list: { does: "Lists a property's CP codes, files and storage groups." },
};

const carried = carry(
  {
    ...groupOperations,
    ...propertyOperations,
    ...roleOperations,
    ...profileOperations,
    ...identityOperations,
    ...accessOperations,
    ...lookupOperations,
  },
  {
    except: [
      ...["user_tfa_set", "user_profile_tfa_set", "user_create", "user_update", "user_notifications_update"],
      ...["user_password_reset", "user_password_set", "user_property_users_list"],
      ...["user_profile_update", "user_profile_notifications_update"],
    ] as const,
    route: (route) => route.replace("/v2/", "/v3/").replace("/authGrants", "/auth-grants") as typeof route,
    each: (spec, tool) => ({ ...spec, ...differences[tool] }),
  },
);

const { "user-tfa-by-default": _, ...rules } = userRules;

export const usersV3 = service("user", {
  name: "users-v3",
  document: "today",
  title: "Users",
  about: "Administers groups, properties, roles, users and their access, and the profile of the identity in use.",
  standing: { state: "alive" },
  replaces: {
    services: ["users"],
    gone: {
      user_tfa_set:
        "Second factors of today have kinds: call user_second_factor_set with TFA for enable or NONE for disable, or user_second_factor_reset.",
      user_profile_tfa_set:
        "Second factors of today have kinds: call user_profile_second_factor_set with TFA for enable, or user_profile_second_factor_reset.",
    },
  },
  frontLine: ["users_list"],
  resources: userResources,
  ids: userIds,
  rules: {
    ...rules,
    "user-second-factor-lock":
      "Five failed attempts with the second factor lock an account, and resetting the factor unlocks it.",
    "user-mail-by-default": "A new password is mailed unless sendEmail is false.",
    "user-clone-by-name": "The user whose roles are copied is named by username.",
  },
  introduction: aboutPasswords,
  operations: { ...carried, ...userOperations },
});
