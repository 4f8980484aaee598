/** The operations on users whose arguments differ in today's API, and those that only today's API has. */
import { altered } from "../../language/carry.js";
import type { Arguments } from "../../language/conduct.js";
import { empty, json, op } from "../../language/define.js";
import { memberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { accessOperations } from "./access.js";
import { readForCreation, userCreation } from "./access-guards.js";
import { sendEmail } from "./identities.js";
import { ownProfileReplacement, profileReplacement } from "./login-guards.js";
import { newPassword, PropertyUser, propertyId, uiIdentityId } from "./shapes.js";
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
  without,
} from "./v3-shapes.js";

const base = "/identity-management/v3/user-admin";
const user = `${base}/ui-identities/{uiIdentityId}` as const;
const own = "/identity-management/v3/user-profile";
const property = `${base}/properties/{propertyId}` as const;
const path = { uiIdentityId };

const created = json(User.extend({ newPassword: newPassword.optional(), password: newPassword.optional() }));
const profile = {
  country: "Germany",
  phone: "+49 69 1234569",
  contactType: "Technical Decision Maker",
  preferredLanguage: "English",
  sessionTimeOut: 3_600,
  timeZone: "Europe/Berlin",
};
const notifications = { newUserNotification: false, passwordExpiry: true, proactive: [], upgrade: ["Images"] };
const factor = json(
  closedObject("the approval covers nothing but the second factor", {
    value: Factor.describe("Code or vendor's MFA"),
  }),
);
const hasNoFactor = (args: Arguments): boolean => memberAt(args, "body.additionalAuthentication") === "NONE";
const users = json(z.array(PropertyUser));

export const userOperations = {
  user_create: op(`POST ${base}/ui-identities`, {
    does: "Creates a user with roles and a password.",
    needs: "Ids from user_groups_list and user_roles_list.",
    query: { sendEmail },
    body: json(NewUser),
    secretTo: { members: ["newPassword", "password"], unless: "sendEmail" },
    returns: { 201: created },
    effect: "create",
    resolves: copiesByUsername,
    formerly: creationOfDocuments,
    // A new user can sign in, with any address and any role.
    guard: userCreation(hasNoFactor),
    shownBy: { by: "users_list", args: () => ({ authGrants: true }) },
    relatedReads: readForCreation,
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
  user_update: op(`PUT ${user}/basic-info`, {
    does: "Replaces a user's profile; omitted fields are removed.",
    path,
    body: json(BasicInfo),
    returns: { 200: json(User) },
    effect: "update",
    checks: [keepsFactorAsItIs],
    formerly: profileOfDocuments,
    shownBy: "user_get",
    // One-time passwords are mailed to the addresses in the profile.
    guard: profileReplacement,
    rules: ["user-basic-replaced"],
    example: {
      uiIdentityId: "A-B-100003",
      body: { firstName: "Rosa", lastName: "Chen", email: "rchen@shop.example", ...profile, jobTitle: "Publisher" },
    },
  }),
  user_notifications_update: op(`PUT ${user}/notifications`, {
    does: "Replaces a user's notification settings.",
    path,
    body: json(NotificationsChange),
    returns: { 200: json(Notifications) },
    effect: "update",
    formerly: notificationsOfDocuments,
    shownBy: { by: "user_get", args: () => ({ notifications: true }) },
    example: { uiIdentityId: "A-B-100003", body: { enableEmailNotifications: true, options: notifications } },
  }),
  user_password_reset: altered(
    { ...accessOperations.user_password_reset, route: `POST ${user}/reset-password` as const },
    { resolves: mailsWhenAsked, rules: ["user-password-mailed", "user-mail-by-default"] },
  ),
  user_password_set: altered(
    { ...accessOperations.user_password_set, route: `POST ${user}/set-password` as const },
    { query: {}, formerly: without("sendEmail") },
  ),
  user_second_factor_set: op(`PUT ${user}/additionalAuthentication`, {
    does: "Sets which second factor a user needs to sign in, or none.",
    path,
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
    path,
    returns: { 204: empty },
    effect: "destructive",
    guard: factorReset,
    shownBy: "user_get",
    rules: ["user-second-factor-lock"],
    example: { uiIdentityId: "A-B-100003" },
  }),
  user_property_users_list: op(`GET ${property}/users`, {
    does: "Lists the users of a property, and which of them are blocked.",
    path: { propertyId },
    query: { userType: z.enum(["all", "assigned", "blocked", "lostAccess", "gainAccess"]).optional() },
    returns: { 200: users },
    formerly: without("groupId"),
    rules: ["user-blocked-overrides"],
    note: "The definition has only lostAccess and gainAccess; the vendor's clients use all, assigned and blocked.",
    example: { propertyId: 10_333_526 },
  }),
  user_property_block_set: op(`PUT ${property}/users/block`, {
    does: "Blocks users from a property although their roles allow it.",
    path: { propertyId },
    body: json(z.array(closedObject("a name in place of the id could reach another user", { uiIdentityId })).min(1)),
    returns: { 200: users },
    effect: "destructive",
    guard: userBlocking,
    shownBy: "user_property_users_list",
    relatedReads: { properties: { by: "user_properties_list", args: () => ({}) } },
    rules: ["user-blocked-overrides"],
    example: { propertyId: 10_333_526, body: [{ uiIdentityId: "A-B-100003" }] },
  }),

  user_profile_update: op(`PUT ${own}/basic-info`, {
    does: "Replaces your own profile; omitted fields are removed.",
    body: json(BasicInfo),
    returns: { 200: json(User) },
    effect: "update",
    checks: [keepsFactorAsItIs],
    formerly: profileOfDocuments,
    shownBy: "user_profile_get",
    guard: ownProfileReplacement,
    rules: ["user-basic-replaced"],
    example: { body: { firstName: "Maria", lastName: "Held", email: "mheld@shop.example", ...profile } },
  }),
  user_profile_notifications_update: op(`PUT ${own}/notifications`, {
    does: "Replaces your own notification settings.",
    body: json(NotificationsChange),
    returns: { 200: json(Notifications) },
    effect: "update",
    formerly: notificationsOfDocuments,
    shownBy: { by: "user_profile_get", args: () => ({ notifications: true }) },
    example: { body: { enableEmailNotifications: true, options: notifications } },
  }),
  user_profile_second_factor_set: op(`PUT ${own}/additionalAuthentication`, {
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
  user_profile_second_factor_reset: op(`PUT ${own}/additionalAuthentication/reset`, {
    does: "Discards your own second factor.",
    returns: { 204: empty },
    effect: "destructive",
    guard: ownFactorReset,
    shownBy: "user_profile_get",
    rules: ["user-second-factor-lock"],
  }),
};
