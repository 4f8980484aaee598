/** The responses and bodies of API clients: their access, their credentials, and what their users may grant them. */
import { openObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { destination } from "../../schema/destination.js";
import { secret } from "../../schema/marks.js";
import { asRead } from "../../schema/read-only.js";
import { members, Timestamp } from "../fields.js";
import { SubGrant } from "../users/shapes.js";

const text = z.string();
const id = z.int().min(0);
const flag = z.boolean().optional();
export const clientId = z.string().min(1).describe("self: the calling client");
export const username = z.string().min(1);
export const flags = <const N extends string>(...names: readonly N[]) => members(flag, ...names);

const levels = ["READ-ONLY", "READ-WRITE"] as const;
const clientTypes = ["CLIENT", "USER_CLIENT", "SERVICE_ACCOUNT"] as const;
const apiNames = members(text.optional(), "apiName", "description", "documentationUrl", "endPoint");

/** An API with the level of access to it, as a client has it. */
const Api = z.looseObject({ apiId: id, accessLevel: text, ...apiNames });
/** A role in a group; the roles in the groups below it follow from it unless they are listed. */
export const Grant = z.looseObject({
  groupId: id,
  roleId: id.optional(),
  isBlocked: flag,
  ...members(text.optional(), "groupName", "roleName", "roleDescription"),
  subGroups: z.array(z.looseObject({})).optional(),
});
const cpcodeAccess = { allCurrentAndNewCpcodes: z.boolean(), cpcodes: z.array(id) };
const purge = members(z.boolean(), "canPurgeByCacheTag", "canPurgeByCpcode");
const ipAcl = { enable: z.boolean(), cidr: z.array(text.min(1)) };

const Status = z.enum(["ACTIVE", "INACTIVE", "DELETED"]);
/** A credential without its secret. */
export const Credential = z.looseObject({
  credentialId: z.int(),
  clientToken: text,
  status: Status,
  description: text.nullish(),
  ...members(text, "createdOn", "expiresOn"),
  maxAllowedExpiry: text.optional(),
  actions: z.looseObject(flags("delete", "activate", "deactivate", "editDescription", "editExpiration")).nullish(),
});
const once = secret(text, { isShownOnce: true });
export const NewCredential = Credential.extend({ clientSecret: once.optional() });
export const CredentialChange = openObject(
  asRead(
    {
      status: z.enum(["ACTIVE", "INACTIVE"]),
      expiresOn: Timestamp,
      description: text.nullish(),
    },
    Credential,
  ),
);
export const WrittenCredential = Credential.pick({ status: true, expiresOn: true, description: true });

const clientActions = z.looseObject(flags("delete", "deactivateAll", "edit", "lock", "transfer", "unlock"));
/** A client in a list, and as a lock returns it. */
export const ClientItem = z.looseObject({
  ...members(text, "clientId", "clientName", "createdBy", "createdDate"),
  clientDescription: text.optional(),
  clientType: z.enum(clientTypes),
  authorizedUsers: z.array(text),
  notificationEmails: z.array(text),
  ...members(z.boolean(), "isLocked", "allowAccountSwitch"),
  canAutoCreateCredential: flag,
  activeCredentialCount: z.int().min(0),
  ...members(secret(text).optional(), "accessToken", "serviceConsumerToken"),
  actions: clientActions.optional(),
});
/** A client with what it may do, as far as that was asked for. */
export const Client = ClientItem.extend({
  actions: clientActions
    .extend(flags("editApis", "editAuth", "editGroups", "editIpAcl", "editSwitchAccount"))
    .optional(),
  baseURL: text.optional(),
  apiAccess: z.looseObject({ allAccessibleApis: z.boolean(), apis: z.array(Api) }).optional(),
  groupAccess: z.looseObject({ cloneAuthorizedUserGroups: z.boolean(), groups: z.array(Grant) }).optional(),
  ipAcl: z.looseObject(ipAcl).optional(),
  purgeOptions: z.looseObject({ ...purge, cpcodeAccess: z.looseObject(cpcodeAccess) }).optional(),
  credentials: z.array(Credential).optional(),
  serviceProviderId: z.int().optional(),
});

export const CreatedClient = Client.extend({ credentials: z.array(NewCredential).optional() });

/** Roles in groups, as a client gets them; the names that a response has are not sent. */
export const Grants = z.array(
  openObject(
    asRead(
      { groupId: id, roleId: id, isBlocked: flag, subGroups: z.array(SubGrant).optional() },
      Grant,
      "parentGroupId",
    ),
  ),
);
const access = {
  authorizedUsers: z.array(username).min(1).describe("One, unless a SERVICE_ACCOUNT"),
  apiAccess: openObject({
    allAccessibleApis: flag.describe("Every API of its user"),
    apis: z.array(openObject(asRead({ apiId: id, accessLevel: z.enum(levels) }, Api))).optional(),
  }),
  groupAccess: openObject({
    cloneAuthorizedUserGroups: z.boolean().describe("The groups of its user"),
    groups: Grants.optional(),
  }),
  ...members(text.optional(), "clientName", "clientDescription"),
  ...flags("allowAccountSwitch", "canAutoCreateCredential"),
  notificationEmails: z.array(destination("email", text.min(1))).optional(),
  ipAcl: openObject(ipAcl).optional(),
  purgeOptions: openObject({ ...purge, cpcodeAccess: openObject(cpcodeAccess) }).optional(),
};
export const ClientChange = openObject(asRead(access, Client));
export const NewClient = openObject(
  asRead({ clientType: z.enum(["CLIENT", "USER_CLIENT"]), ...access, createCredential: flag }, Client),
);

export const SwitchKey = z.looseObject(members(text, "accountName", "accountSwitchKey"));
export const ClientUser = z.looseObject(members(text, "username", "uiIdentityId", "firstName", "lastName", "email"));
export const AllowedApi = z.looseObject({
  apiId: id,
  ...apiNames,
  accessLevels: z.array(z.enum(levels)),
  hasAccess: z.boolean(),
  serviceProviderId: z.int().optional(),
});
export const AllowedCpCode = z.looseObject({ name: text, value: id });
export const clientType = z.enum(clientTypes);
