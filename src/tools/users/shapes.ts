/** The responses and bodies of user administration: groups, roles, users, grants, notifications (public facts C, 1). */
import { destination } from "../../language/destination.js";
import { secret } from "../../language/marks.js";
import { closedObject, openObject } from "../../language/open-object.js";
import { readOnly, repeated, withReadOnlyMembers } from "../../language/read-only.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";

const text = z.string().optional();
const id = z.int().positive();
const flag = z.boolean().optional();
export const optionalFlag = (description: string) => z.boolean().optional().describe(description);
/** Document C: an administrator of a part of the account does not see all of a response. */
export const redactionNote = "A lower-level administrator may get a redacted response.";
export const actions = optionalFlag("Add edit and delete flags");
export const groupId = id;
export const roleId = id;
export const propertyId = id;
export const uiIdentityId = z.string().min(1).max(64);
/** Who created and who changed an object; a write may repeat these members but does not set them. */
const history = { createdBy: text, createdDate: text, modifiedBy: text, modifiedDate: text };

export interface GroupNode {
  readonly groupId: number;
  readonly groupName: string;
  readonly parentGroupId?: number | undefined;
  readonly subGroups?: readonly GroupNode[] | undefined;
  readonly [member: string]: unknown;
}
const Flags = z.looseObject({ edit: flag, delete: flag });
export const Group: z.ZodType<GroupNode> = z.lazy(() =>
  z.looseObject({
    groupId: z.int(),
    groupName: z.string(),
    parentGroupId: z.int().optional(),
    ...history,
    subGroups: z.array(Group).optional(),
    actions: Flags.optional(),
  }),
);
const groupName = { groupName: z.string().min(1).max(50) };
export const NewGroup = openObject(groupName);
export const GroupChange = openObject(
  withReadOnlyMembers(groupName, "groupId", "parentGroupId", "subGroups", "actions", ...Object.keys(history)),
);
export const Move = closedObject("it could move more than is named", { sourceGroupId: id, destinationGroupId: id });

const person = {
  uiIdentityId: z.string(),
  uiUserName: text,
  ...members(z.string(), "firstName", "lastName"),
  ...members(text, "email", "accountId", "lastLoginDate"),
};
/** A user in a list of holders or of affected users. */
export const Person = z.looseObject(person);

export interface GrantNode {
  readonly groupId?: number | undefined;
  readonly roleId?: number | null | undefined;
  readonly isBlocked?: boolean | undefined;
  readonly groupName?: string | undefined;
  readonly roleName?: string | undefined;
  readonly roleDescription?: string | undefined;
  readonly subGroups?: readonly GrantNode[] | undefined;
}
/** A role in a group and in those below it, as a response has it. */
const Grant: z.ZodType<GrantNode> = z.lazy(() =>
  z.looseObject({
    groupId: z.int().optional(),
    roleId: z.int().nullish(),
    isBlocked: flag,
    ...members(text, "groupName", "roleName", "roleDescription"),
    subGroups: z.array(Grant).optional(),
  }),
);
export const Grants = z.array(Grant);

const grantRead = ["groupName", "roleName", "roleDescription", "parentGroupId"] as const;
/** A grant in a group below that of another one: it has no role where it only leads to others, or repeats what was read. */
export const SubGrant: z.ZodType<GrantNode> = z.lazy(() =>
  openObject(
    withReadOnlyMembers(
      { groupId: z.int(), roleId: z.int().nullish(), isBlocked: flag, subGroups: z.array(SubGrant).optional() },
      ...grantRead,
    ),
  ).refine(({ roleId, isBlocked }) => isBlocked !== true || typeof roleId === "number", {
    error: "a roleId where isBlocked is true",
    path: ["roleId"],
  }),
);
/** A grant to send: a role in a group, or without a group one in the whole account, which has nothing else. */
const WrittenGrant = openObject(
  withReadOnlyMembers(
    {
      groupId: z.int().optional().describe("Left out: the whole account"),
      roleId: z.int().nullish(),
      isBlocked: flag,
      subGroups: z.array(SubGrant).optional(),
    },
    ...grantRead,
  ),
)
  .refine(
    ({ groupId, roleId, isBlocked }) =>
      typeof roleId === "number" || (roleId === null && groupId !== undefined && isBlocked !== true),
    { error: "a roleId, or null for the default role of a group that is not blocked", path: ["roleId"] },
  )
  .refine(({ groupId, isBlocked, subGroups }) => groupId !== undefined || (!isBlocked && !subGroups?.length), {
    error: "a groupId where isBlocked or subGroups is given",
    path: ["groupId"],
  });
/** The grants that a write takes: as they were read, or with no more than their ids. */
export const WrittenGrants = z.array(WrittenGrant).max(1_000);

export const nameList = z.array(z.string().min(1)).optional();
const notifications = {
  enableEmailNotifications: flag,
  options: z
    .looseObject({ newUserNotification: flag, passwordExpiry: flag, proactive: nameList, upgrade: nameList })
    .optional(),
};
export const Notifications = z.looseObject(notifications);
export const NotificationsChange = openObject({
  ...notifications,
  // Public samples of a user have these here, those of a change have them among the options: they are sent as given.
  ...members(repeated(flag), "passwordExpiry", "newUserNotification"),
  proactive: repeated(nameList),
});

const mail = destination("email", z.string());
const mailForm = "an address such as name@shop.example";
/** An address as it is written; an empty one is none. */
const writtenMail = mail.regex(/^(?:[^\s@]+@[^\s@]+)?$/, mailForm);
const access = {
  ...members(flag, "isLocked", "tfaEnabled", "tfaConfigured"),
  authGrants: Grants.optional(),
  actions: z
    .looseObject({
      ...members(flag, "edit", "delete", "resetPassword", "apiClient"),
      ...members(flag, "thirdPartyAccess", "isCloneable", "editProfile", "canEditTFA"),
    })
    .optional(),
};
export const UserItem = z.looseObject({ ...person, ...access });
export const User = z.looseObject({
  ...person,
  ...members(text, "phone", "timeZone", "passwordExpiryDate", "contactType", "preferredLanguage"),
  sessionTimeOut: z.int().optional(),
  secondaryEmail: mail.optional(),
  ...members(text, "mobilePhone", "address", "city", "state", "zipCode", "country", "jobTitle"),
  emailUpdatePending: flag,
  notifications: z
    .looseObject({ passwordExpiry: flag, newUserNotification: flag, proactive: nameList })
    .extend(Notifications.shape)
    .optional(),
  ...access,
});
/** A new password in a response, which is the only one that shows it. */
export const newPassword = secret(z.string(), { isShownOnce: true });
/** A new user gets a password, in the response or by mail. */
export const newPasswords = { newPassword: newPassword.optional(), password: newPassword.optional() };

/** Why a body that sets a password takes no other members. */
export const bareSecretReason = "a password under another name would be shown";

const name = z.string().min(1).max(50);
const profile = {
  timeZone: text,
  jobTitle: z.string().max(75).optional(),
  tfaEnabled: flag,
  secondaryEmail: writtenMail.optional(),
  ...members(text, "mobilePhone", "address", "city", "state", "zipCode"),
};
/** A profile as it is written: as a whole, so that omitted fields are removed. */
export const BasicInfo = openObject(
  withReadOnlyMembers(
    {
      ...members(name, "firstName", "lastName"),
      country: z.string().min(1),
      ...members(z.string(), "phone", "contactType", "preferredLanguage"),
      sessionTimeOut: z.int().min(0).describe("Seconds"),
      email: writtenMail.optional(),
      ...profile,
      // A profile may repeat this but does not set it: `keepsTfaAsItIs` refuses another value.
      tfaEnabled: repeated(flag),
    },
    User,
  ),
);
export const NewUser = openObject({
  ...members(name, "firstName", "lastName"),
  email: writtenMail.min(1, mailForm),
  country: z.string().min(1),
  authGrants: WrittenGrants,
  ...members(text, "phone", "uiUserName", "contactType", "preferredLanguage"),
  sessionTimeOut: z.int().min(0).optional(),
  ...profile,
  notifications: Notifications.optional(),
  cloneFrom: z.string().optional().describe("User whose roles are copied"),
});

export const GrantedRoles = z.array(
  z.looseObject({
    grantedRoleId: z.int(),
    ...members(readOnly(text), "grantedRoleName", "grantedRoleDescription"),
  }),
);
export const Role = z.looseObject({
  roleId: z.int(),
  roleName: z.string(),
  roleDescription: text,
  type: text.describe("custom or standard"),
  ...history,
  actions: Flags.optional(),
  grantedRoles: GrantedRoles.optional(),
  users: z.array(Person).optional(),
  numUsers: z.int().optional(),
});
const roleIsLive = "everyone who has the role gets at once what it grants";
export const NewRole = closedObject(roleIsLive, {
  roleName: z.string().min(1).max(70),
  roleDescription: z.string().min(1).max(250),
  grantedRoles: GrantedRoles.min(1),
});
export const RoleChange = closedObject(roleIsLive, withReadOnlyMembers(NewRole.partial().shape, Role));

export const Property = z.looseObject({
  propertyId: z.int(),
  propertyName: z.string(),
  propertyTypeDescription: text,
  groupId: z.int(),
  ...members(text, "groupName", "arlConfigFile"),
  ...history,
  actions: z.looseObject({ move: flag }).optional(),
});
export const PropertyUser = z.looseObject({
  ...person,
  isBlocked: flag,
  ...members(z.int().optional(), "roleId", "groupId"),
  ...members(text, "roleName", "roleDescription"),
});
export const PropertyResource = z.looseObject({
  resourceId: z.int(),
  ...members(z.string(), "resourceName", "resourceType"),
  modifiedDate: text,
});
