/** User administration (document C): groups, properties, roles, users, their access, and one's own profile. */
import { introduction } from "../../language/reading.js";
import { service } from "../../language/service.js";
import { accessOperations } from "./access.js";
import { groupOperations, propertyOperations } from "./groups.js";
import { identityOperations, profileOperations } from "./identities.js";
import { lookupOperations, userResources } from "./lookups.js";
import { roleOperations } from "./roles.js";

/** What the documents' service shares with today's. */
export const userIds = {
  sourceGroupId: "user_groups_list",
  destinationGroupId: "user_groups_list",
  grantedRoleId: "user_grantable_roles_list",
  country: "user_lookup_values_list",
  zipCode: { given: "a postal code" },
} as const;

export const userRules = {
  "user-groups-nested": "Groups are listed as trees: each has its sub-groups inside.",
  "user-action-flags": "actions adds flags for what may be edited or deleted.",
  "user-group-parent": "A group is created under the group in the path.",
  "user-group-delete": "Only a sub-group without users can be deleted.",
  "user-group-move": "A group can be moved only within the tree of its top group.",
  "user-affected-users": "Before a move, its affected users can be listed: those who gain and those who lose access.",
  "user-property-move": "A property moves from the group that owns it, within one tree.",
  "user-blocked-overrides": "A blocked property overrides a granted role for that one property.",
  "user-blocked-set": "The list of blocked properties is written as a whole.",
  "user-role-custom": "A created role is custom.",
  "user-role-standard": "Only custom roles can be changed or deleted.",
  "user-role-in-use": "A role that a user holds cannot be deleted.",
  "user-profile-own": "The profile is that of the identity in use.",
  "user-basic-replaced": "Basic information is replaced as a whole: omitted fields are removed.",
  "user-grants-replaced": "Grants are replaced as a whole.",
  "user-tfa-by-default": "Two-factor authentication that the account enables by default cannot be disabled by a user.",
  "user-password-mailed": "A new password is in the response; with sendEmail it is mailed instead.",
  "user-password-policy": "A new password has to satisfy the policy and to differ from the last ones.",
  "user-lock": "A locked user stays locked until unlocked.",
  "user-delete-api-clients": "A user who has API clients cannot be deleted.",
  "user-lookups-alike": "Administrators and users have the same look-ups, under separate paths.",
  "user-states": "Only the USA and Canada have states.",
} as const;

export const aboutPasswords = introduction`Passwords and client secrets pass only through files in the secret directory.`;

export const users = service("user", {
  name: "users",
  document: "C",
  title: "Users",
  about: "Administers groups, properties, roles, users and their access, and the profile of the identity in use.",
  standing: { state: "retired", since: "2025-09-30", successor: "Identity Management v3 (/identity-management/v3)" },
  frontLine: ["users_list"],
  resources: userResources,
  ids: userIds,
  rules: userRules,
  introduction: aboutPasswords,
  operations: {
    ...groupOperations,
    ...propertyOperations,
    ...roleOperations,
    ...profileOperations,
    ...identityOperations,
    ...accessOperations,
    ...lookupOperations,
  },
});
