/** The shapes of API clients that a definition does not have: credentials with their secret, and grants as they are written. */
import { openObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { secret } from "../../schema/marks.js";
import { readOnly } from "../../schema/read-only.js";
import { members } from "../fields.js";
import { SubGrant } from "../users/shapes.js";

/** A member that the API sets: it is accepted as it was read, and not sent. */
export const notSent = readOnly(z.unknown().optional());

/** What the API knows of an API, and of a role in a group, by their ids. */
export const apiNames = ["apiName", "description", "documentationUrl", "endPoint"] as const;
export const roleNames = ["groupName", "roleName", "roleDescription"] as const;

/** A secret that only the response to its creation has. */
export const once = secret(z.string(), { isShownOnce: true });
/** A credential that is created with its client. */
export const NewCredential = z.looseObject({
  credentialId: z.int(),
  clientSecret: once.optional(),
  clientToken: z.string(),
  status: z.enum(["ACTIVE", "INACTIVE", "DELETED"]),
  description: z.string().nullish(),
  ...members(z.string(), "createdOn", "expiresOn"),
  actions: z.looseObject({}).nullish(),
});

const id = z.int().min(0);
/** Roles in groups, as a client gets them; the names that a response has are not sent. */
export const Grants = z.array(
  openObject({
    groupId: id,
    roleId: id,
    isBlocked: z.boolean().optional(),
    subGroups: z.array(SubGrant).optional(),
    ...members(notSent, ...roleNames, "parentGroupId"),
  }),
);

/** An account that a client can switch to. */
export const SwitchKey = z.looseObject(members(z.string(), "accountName", "accountSwitchKey"));
