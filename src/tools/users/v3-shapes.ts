/** What users and their settings look like in today's API, and how a body of the documents is written for it. */
import type { Arguments } from "../../language/conduct.js";
import { openObject } from "../../language/open-object.js";
import { repeated, withReadOnlyMembers } from "../../language/read-only.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";
import {
  BasicInfo as FormerBasicInfo,
  UserItem as FormerItem,
  NewUser as FormerNewUser,
  NotificationsChange as FormerNotifications,
  User as FormerUser,
  nameList,
} from "./shapes.js";

export const Factor = z.enum(["TFA", "MFA", "NONE"]);
const options = {
  ...members(z.boolean(), "newUserNotification", "passwordExpiry"),
  // The definition requires these, and the vendor's clients leave them out.
  ...members(nameList, "proactive", "upgrade"),
  apiClientCredentialExpiryNotification: z.boolean().optional(),
};
/** Notification settings as they are written: as a whole. */
export const NotificationsChange = openObject({ enableEmailNotifications: z.boolean(), options: openObject(options) });
export const Notifications = z.looseObject({ enableEmailNotifications: z.boolean(), options: z.looseObject(options) });

const shown = { additionalAuthentication: Factor, additionalAuthenticationConfigured: z.boolean().optional() };
export const User = FormerUser.extend({ ...shown, notifications: Notifications.optional() });
export const UserItem = FormerItem.extend(shown);

const { tfaEnabled: _, timeZone, contactType, phone, ...basic } = FormerBasicInfo.shape;
/** A profile as it is written: as a whole, so that omitted fields are removed. */
export const BasicInfo = openObject(
  withReadOnlyMembers(
    {
      ...basic,
      timeZone: timeZone.unwrap(),
      contactType: contactType.optional(),
      phone: phone.optional(),
      // A profile may repeat this but does not set it: `keepsFactorAsItIs` refuses another value.
      additionalAuthentication: repeated(Factor.optional()),
    },
    User,
  ),
);

const { tfaEnabled: __, uiUserName: ___, ...created } = FormerNewUser.shape;
export const NewUser = openObject({
  ...created,
  additionalAuthentication: Factor,
  notifications: NotificationsChange.optional(),
  cloneFrom: z.string().optional().describe("Username to copy roles from"),
});

/** Notifications of the documents: what such a call leaves out is off. */
function fullNotifications(settings: z.output<typeof FormerNotifications>): z.output<typeof NotificationsChange> {
  const { options = {}, ...top } = settings;
  const of = { ...top, ...options };
  return {
    enableEmailNotifications: settings.enableEmailNotifications ?? false,
    options: {
      newUserNotification: of.newUserNotification ?? false,
      passwordExpiry: of.passwordExpiry ?? false,
      proactive: of.proactive ?? [],
      upgrade: options.upgrade ?? [],
    },
  };
}

const isNamed = (body: object, known: z.ZodObject): boolean =>
  Object.keys(body).length > 0 && Object.keys(body).every((name) => Object.hasOwn(known.shape, name));

/** Today's form of a call of the documents that replaces notifications. */
export function notificationsOfDocuments(args: Arguments): Arguments | undefined {
  const { data } = FormerNotifications.safeParse(args["body"]);
  if (NotificationsChange.safeParse(args["body"]).success) return undefined;
  return data && isNamed(data, FormerNotifications) ? { ...args, body: fullNotifications(data) } : undefined;
}

/** Today's form of a call of the documents that replaces a profile: one without a time zone gets the one of the API. */
export function profileOfDocuments(args: Arguments): Arguments | undefined {
  const { data } = FormerBasicInfo.safeParse(args["body"]);
  if (data === undefined || data.timeZone !== undefined) return undefined;
  const { tfaEnabled, ...body } = args["body"] as z.output<typeof FormerBasicInfo>;
  return { ...args, body: { ...body, timeZone: "GMT" } };
}

/** Today's form of a call of the documents that creates a user; the API makes up the username. */
export function creationOfDocuments(args: Arguments): Arguments | undefined {
  const { data } = FormerNewUser.safeParse(args["body"]);
  if (data === undefined || Object.hasOwn(data, "additionalAuthentication")) return undefined;
  const { tfaEnabled, uiUserName, notifications, ...body } = args["body"] as z.output<typeof FormerNewUser>;
  return {
    ...args,
    body: {
      ...body,
      additionalAuthentication: tfaEnabled === false ? "NONE" : "TFA",
      ...(notifications && { notifications: fullNotifications(notifications) }),
    },
  };
}

/** Today's form of a call of the documents with an argument that today's API lacks. */
export const withoutArgument =
  (name: string) =>
  (args: Arguments): Arguments | undefined => {
    const { [name]: former, ...rest } = args;
    return former === undefined ? undefined : rest;
  };
