/** User administration of today (Identity Management v3): the documents' operations under their names, and its own. */
import { alterOperation, carryOperations } from "../../language/carry.js";
import { type AnyOperation, empty, json, op } from "../../language/define.js";
import { memberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { accessOperations } from "./access.js";
import { userCreation } from "./access-guards.js";
import { groupOperations, propertyOperations } from "./groups.js";
import { identityOperations, profileOperations } from "./identities.js";
import { aboutPasswords, userIds, userRules } from "./index.js";
import { lookupOperations, userResources } from "./lookups.js";
import { roleOperations } from "./roles.js";
import { Group, newPasswords, PropertyUser, propertyId, Role, uiIdentityId } from "./shapes.js";
import {
  copiesByUsername,
  factorReset,
  factorSetting,
  keepsFactorAsItIs,
  keepsFactorInUse,
  keepsOwnFactor,
  mailsWhenAsked,
  ownFactorReset,
  ownFactorSetting,
  userBlocking,
} from "./v3-guards.js";
import {
  BasicInfo,
  creationOfDocuments,
  Factor,
  NewUser,
  Notifications,
  NotificationsChange,
  notificationsOfDocuments,
  profileOfDocuments,
  User,
  UserItem,
  withoutArgument,
} from "./v3-shapes.js";

// No overlay on the vendor's definition: most operations are those of the documents under another route, which a carry says in
// one line, and calls of the documents are turned into calls of today by the same schemas.

const profile = {
  country: "Germany",
  phone: "+49 69 1234569",
  contactType: "Technical Decision Maker",
  preferredLanguage: "English",
  sessionTimeOut: 3_600,
  timeZone: "Europe/Berlin",
};
const notifications = {
  enableEmailNotifications: true,
  options: { newUserNotification: false, passwordExpiry: true, proactive: [], upgrade: ["Images"] },
};

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

const {
  user_create,
  user_update,
  user_notifications_update,
  user_password_reset,
  user_password_set,
  user_property_users_list,
  user_profile_update,
  user_profile_notifications_update,
  ...carried
} = carryOperations(
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
    except: ["user_tfa_set", "user_profile_tfa_set"],
    route: (route) =>
      route.replace("/v2/", "/v3/").replace("/authGrants", "/auth-grants").replace("/restricted/", "/") as typeof route,
    each: (spec, tool) => ({ ...spec, ...differences[tool] }),
  },
);

const user = "/identity-management/v3/user-admin/ui-identities/{uiIdentityId}";
const profilePath = "/identity-management/v3/user-profile";
const factor = json(
  closedObject("the approval covers nothing but the second factor", {
    value: Factor.describe("Code or vendor's MFA"),
  }),
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
  operations: {
    ...carried,
    user_create: alterOperation(user_create, {
      does: "Creates a user with roles and a password.",
      body: json(NewUser),
      returns: { 201: json(User.extend(newPasswords)) },
      resolves: copiesByUsername,
      formerly: creationOfDocuments,
      guard: userCreation((args) => memberAt(args, "body.additionalAuthentication") === "NONE"),
      rules: ["user-password-mailed", "user-mail-by-default", "user-clone-by-name"],
      note: "The definition does not show which member has the password: newPassword, as in a reset, or password.",
      example: {
        body: {
          firstName: "Ines",
          lastName: "Vogt",
          email: "ines.vogt@shop.example",
          country: "Germany",
          phone: "+49 69 1234568",
          additionalAuthentication: "TFA",
          authGrants: [{ groupId: 33_333, roleId: 3 }],
        },
      },
    }),
    user_update: alterOperation(user_update, {
      body: json(BasicInfo),
      returns: { 200: json(User) },
      checks: [keepsFactorAsItIs],
      formerly: profileOfDocuments,
      example: {
        uiIdentityId: "A-B-100003",
        body: { firstName: "Rosa", lastName: "Chen", email: "rchen@shop.example", ...profile, jobTitle: "Publisher" },
      },
    }),
    user_notifications_update: alterOperation(user_notifications_update, {
      body: json(NotificationsChange),
      returns: { 200: json(Notifications) },
      formerly: notificationsOfDocuments,
      example: { uiIdentityId: "A-B-100003", body: notifications },
    }),
    user_password_reset: alterOperation(user_password_reset, {
      resolves: mailsWhenAsked,
      rules: ["user-password-mailed", "user-mail-by-default"],
    }),
    user_password_set: alterOperation(user_password_set, { query: {}, formerly: withoutArgument("sendEmail") }),
    user_second_factor_set: op(`PUT ${user}/additionalAuthentication`, {
      does: "Sets which second factor a user needs to sign in, or none.",
      path: { uiIdentityId },
      body: factor,
      returns: { 204: empty },
      effect: "destructive",
      checks: [keepsFactorInUse],
      guard: factorSetting,
      shownBy: "user_get",
      rules: ["user-second-factor-lock"],
      example: { uiIdentityId: "A-B-100003", body: { value: "MFA" } },
    }),
    user_second_factor_reset: op(`PUT ${user}/additionalAuthentication/reset`, {
      does: "Discards a user's second factor, such as one on a lost phone.",
      path: { uiIdentityId },
      returns: { 204: empty },
      effect: "destructive",
      guard: factorReset,
      shownBy: "user_get",
      rules: ["user-second-factor-lock"],
      example: { uiIdentityId: "A-B-100003" },
    }),
    user_property_users_list: alterOperation(user_property_users_list, {
      does: "Lists the users of a property, and which of them are blocked.",
      query: { userType: z.enum(["all", "assigned", "blocked", "lostAccess", "gainAccess"]).optional() },
      formerly: withoutArgument("groupId"),
      note: "The definition has only lostAccess and gainAccess; the vendor's clients use all, assigned and blocked.",
    }),
    user_property_block_set: op("PUT /identity-management/v3/user-admin/properties/{propertyId}/users/block", {
      does: "Blocks users from a property although their roles allow it.",
      path: { propertyId },
      body: json(z.array(closedObject("a name in place of the id could reach another user", { uiIdentityId })).min(1)),
      returns: { 200: json(z.array(PropertyUser)) },
      effect: "destructive",
      guard: userBlocking,
      shownBy: "user_property_users_list",
      relatedReads: { properties: { by: "user_properties_list", args: () => ({}) } },
      rules: ["user-blocked-overrides"],
      example: { propertyId: 10_333_526, body: [{ uiIdentityId: "A-B-100003" }] },
    }),
    user_profile_update: alterOperation(user_profile_update, {
      body: json(BasicInfo),
      returns: { 200: json(User) },
      checks: [keepsFactorAsItIs],
      formerly: profileOfDocuments,
      example: { body: { firstName: "Maria", lastName: "Held", email: "mheld@shop.example", ...profile } },
    }),
    user_profile_notifications_update: alterOperation(user_profile_notifications_update, {
      body: json(NotificationsChange),
      returns: { 200: json(Notifications) },
      formerly: notificationsOfDocuments,
      example: { body: notifications },
    }),
    user_profile_second_factor_set: op(`PUT ${profilePath}/additionalAuthentication`, {
      does: "Sets which second factor you need to sign in.",
      body: factor,
      returns: { 204: empty },
      effect: "destructive",
      checks: [keepsOwnFactor],
      guard: ownFactorSetting,
      shownBy: "user_profile_get",
      rules: ["user-second-factor-lock"],
      example: { body: { value: "MFA" } },
    }),
    user_profile_second_factor_reset: op(`PUT ${profilePath}/additionalAuthentication/reset`, {
      does: "Discards your own second factor.",
      returns: { 204: empty },
      effect: "destructive",
      guard: ownFactorReset,
      shownBy: "user_profile_get",
      rules: ["user-second-factor-lock"],
    }),
  },
});
