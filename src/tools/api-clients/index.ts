/** API clients of today (Identity Management v3): their access, their credentials, and the accounts they can switch to. */
import definition from "../../definitions/box/iam.json" with { type: "json" };
import { overlay } from "../../definitions/overlay.js";
import type { AccountsReading } from "../../language/account.js";
import { destination } from "../../language/destination.js";
import { secret } from "../../language/marks.js";
import { openObject } from "../../language/open-object.js";
import { readOnly } from "../../language/read-only.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { credentialChecks, credentialGuards } from "../credentials/guards.js";
import { members, Timestamp } from "../fields.js";
import { SubGrant } from "../users/shapes.js";
import {
  clientChange,
  clientCreation,
  clientDeletion,
  clientLock,
  clientOf,
  clientReads,
  clientUnlock,
  hasOneUser,
  keepsOwnClient,
  mayDeleteClient,
  nameReads,
  wholeClient,
  withWarning,
} from "./guards.js";

const naming = {
  client: "clientId",
  clientOf,
  update: "apiclient_credential_update",
  create: "apiclient_credential_create",
} as const;
const { isInactive, keepsSigner } = credentialChecks(naming);
const guards = credentialGuards(naming);

const id = z.int().min(0);
/** A member that the API sets: it is accepted as it was read, and not sent. */
const notSent = readOnly(z.unknown().optional());
/** What the API knows of an API, and of a role in a group, by their ids. */
const apiNames = ["apiName", "description", "documentationUrl", "endPoint"] as const;
const roleNames = ["groupName", "roleName", "roleDescription"] as const;
/** Roles in groups, as a client gets them; the names that a response has are not sent. */
const Grants = z.array(
  openObject({
    groupId: id,
    roleId: id,
    isBlocked: z.boolean().optional(),
    subGroups: z.array(SubGrant).optional(),
    ...members(notSent, ...roleNames, "parentGroupId"),
  }),
);
/** A secret that only the response to its creation has. */
const once = secret(z.string(), { isShownOnce: true });

const operationAt = overlay(definition, {
  arguments: {
    clientId: z.string().min(1).describe("self: the calling client"),
    credentialId: z.int().positive(),
    clientName: true,
    clientDescription: true,
    allowAccountSwitch: true,
    canAutoCreateCredential: true,
    authorizedUsers: z.array(z.string().min(1)).min(1).describe("One, unless a SERVICE_ACCOUNT"),
    allAccessibleApis: "Every API of its user",
    apis: true,
    apiId: id,
    groups: Grants,
    notificationEmails: z.array(destination("email", z.string().min(1))),
    ipAcl: true,
    purgeOptions: true,
    cpcodes: z.array(id),
    createCredential: true,
    // The API knows what it calls these.
    ...members(notSent, ...apiNames),
  },
  answers: {
    clientType: z.enum(["CLIENT", "USER_CLIENT", "SERVICE_ACCOUNT"]),
    ...members(secret(z.string()), "accessToken", "serviceConsumerToken"),
    clientSecret: once,
  },
  optional: [
    "accessToken",
    "serviceConsumerToken",
    "actions",
    "baseURL",
    "maxAllowedExpiry",
    ...apiNames,
    "clientDescription",
    "serviceProviderId",
    ...roleNames,
    "roleId",
    "isBlocked",
    "subGroups",
  ],
  nullable: ["description", "actions"],
});
/** The definition has two forms of the groups, of which one requires them. */
const groupAccess = openObject({
  cloneAuthorizedUserGroups: z.boolean().describe("The groups of its user"),
  groups: Grants.optional(),
});
/** A client that these calls lock, unlock, stop or delete: never the calling one, so "self" is not offered. */
const otherClient = { clientId: true } as const;

const SwitchKeys = z.array(z.looseObject(members(z.string(), "accountName", "accountSwitchKey")));
/** The other accounts on which the API client of a credential can act. */
export const accountsToSwitchTo: AccountsReading = {
  tool: "apiclient_switch_keys_list",
  // The API searches for three characters or more.
  args: (name = "") => ({ clientId: "self", ...(name.length < 3 ? {} : { search: name }) }),
  read: (body) =>
    (SwitchKeys.safeParse(body).data ?? []).map(({ accountName, accountSwitchKey }) => ({
      id: accountSwitchKey,
      name: accountName,
    })),
};

export const apiClients = service("apiclient", {
  name: "api-clients",
  document: "today",
  title: "API clients",
  about: "Manages API clients, their access and credentials, and finds the accounts that they can switch to.",
  standing: { state: "alive" },
  replaces: {
    services: ["credentials"],
    gone: {
      credentials_list: "Call apiclient_credentials_list with the clientId, which apiclients_list shows.",
      credential_create: "Call apiclient_credential_create with the clientId, which apiclients_list shows.",
      credential_get: "Call apiclient_credential_get with the clientId, which apiclients_list shows.",
      credential_update: "Call apiclient_credential_update with the clientId, which apiclients_list shows.",
      credential_delete: "Call apiclient_credential_delete with the clientId, which apiclients_list shows.",
      credential_deactivate:
        "Call apiclient_all_credentials_deactivate for all credentials of a client, or apiclient_credential_deactivate for one.",
    },
  },
  frontLine: ["apiclients_list"],
  ids: {
    groupId: "apiclient_user_groups_list",
    roleId: "apiclient_user_groups_list",
  },
  rules: {
    "apiclient-secret-once": "The client secret is returned only once, when the credential is created.",
    "apiclient-two-years": "A new credential is ACTIVE and expires two years after its creation, if not earlier.",
    "apiclient-delete-inactive": "Only an INACTIVE credential can be deleted.",
    "apiclient-deactivate-all": "Deactivating all sets every credential of the client to INACTIVE and deletes none.",
    "apiclient-status-moves": "An update can switch a credential between ACTIVE and INACTIVE, in both directions.",
    "apiclient-one-user": "A client of the type CLIENT or USER_CLIENT has exactly one authorized user.",
  },
  operations: {
    apiclients_list: operationAt("GET /identity-management/v3/api-clients", {
      does: "Lists the API clients that you can manage.",
    }),
    apiclient_create: operationAt("POST /identity-management/v3/api-clients", {
      does: "Creates an API client for a user, with its APIs and groups.",
      needs: "Usernames, API ids and groups from the apiclient_user tools.",
      arguments: { groupAccess },
      accepts: ["GET /identity-management/v3/api-clients"],
      answers: {
        credentials: z.array(
          z.looseObject({
            credentialId: z.int(),
            clientSecret: once.optional(),
            clientToken: z.string(),
            status: z.enum(["ACTIVE", "INACTIVE", "DELETED"]),
            description: z.string().nullish(),
            ...members(z.string(), "createdOn", "expiresOn"),
            actions: z.looseObject({}).nullish(),
          }),
        ),
      },
      secretTo: { members: ["credentials.0.clientSecret"] },
      effect: "destructive",
      checks: [hasOneUser],
      guard: clientCreation,
      shownBy: "apiclients_list",
      relatedReads: nameReads,
      rules: ["apiclient-one-user"],
      note: "The definition names no secret in the response of createCredential; if there is one, it goes to a file.",
      example: {
        body: {
          clientType: "CLIENT",
          clientName: "Purge bot",
          authorizedUsers: ["rchen"],
          apiAccess: { allAccessibleApis: false, apis: [{ apiId: 19, accessLevel: "READ-WRITE" }] },
          groupAccess: { cloneAuthorizedUserGroups: true },
        },
      },
    }),
    apiclient_get: operationAt("GET /identity-management/v3/api-clients/{clientId}", {
      does: "Reads an API client; its APIs, groups, addresses and credentials on request.",
      example: { clientId: "oi-7421", apiAccess: true, groupAccess: true },
    }),
    apiclient_update: operationAt("PUT /identity-management/v3/api-clients/{clientId}", {
      does: "Replaces the access and description of an API client; omitted parts are removed.",
      needs: "Read it with apiAccess, groupAccess and ipAcl first.",
      arguments: { groupAccess },
      accepts: ["GET /identity-management/v3/api-clients"],
      effect: "destructive",
      checks: [hasOneUser],
      guard: clientChange,
      shownBy: wholeClient,
      relatedReads: { own: clientReads.own, ...nameReads },
      rules: ["apiclient-one-user"],
      example: {
        clientId: "oi-7421",
        body: {
          clientName: "Shop automation",
          authorizedUsers: ["rchen"],
          apiAccess: { allAccessibleApis: false, apis: [{ apiId: 19, accessLevel: "READ-ONLY" }] },
          groupAccess: { cloneAuthorizedUserGroups: false, groups: [{ groupId: 11_111, roleId: 2 }] },
        },
      },
    }),
    apiclient_delete: operationAt("DELETE /identity-management/v3/api-clients/{clientId}", {
      does: "Deletes an API client without active credentials.",
      arguments: otherClient,
      checks: [keepsOwnClient, mayDeleteClient],
      guard: clientDeletion,
      shownBy: wholeClient,
      example: { clientId: "oi-7422" },
    }),
    apiclient_lock: operationAt("PUT /identity-management/v3/api-clients/{clientId}/lock", {
      does: "Locks an API client: its calls are refused until it is unlocked.",
      arguments: otherClient,
      effect: "destructive",
      checks: [keepsOwnClient],
      guard: clientLock,
      shownBy: wholeClient,
      example: { clientId: "oi-7421" },
    }),
    apiclient_unlock: operationAt("PUT /identity-management/v3/api-clients/{clientId}/unlock", {
      does: "Unlocks an API client: its active credentials work again.",
      arguments: otherClient,
      effect: "destructive",
      guard: clientUnlock,
      shownBy: wholeClient,
      example: { clientId: "oi-7422" },
    }),
    apiclient_switch_keys_list: operationAt("GET /identity-management/v3/api-clients/{clientId}/account-switch-keys", {
      does: "Lists the accounts that an API client can switch to, with the switch key that a profile takes.",
      arguments: { search: z.string().min(3).describe("Part of a name or id") },
      example: { clientId: "self", search: "shop" },
    }),

    apiclient_credentials_list: operationAt("GET /identity-management/v3/api-clients/{clientId}/credentials", {
      does: "Lists an API client's credentials with their expiry, without secrets.",
      rules: ["apiclient-secret-once"],
      example: { clientId: "oi-7421" },
    }),
    apiclient_credential_create: operationAt("POST /identity-management/v3/api-clients/{clientId}/credentials", {
      does: "Creates a credential; its secret goes to a file, and no other call returns it.",
      secretTo: { members: ["clientSecret"] },
      effect: "destructive",
      guard: {
        ...withWarning(guards.creation),
        undo: {
          by: "Call apiclient_credential_deactivate for the new credential, and then apiclient_credential_delete.",
        },
      },
      shownBy: "apiclient_credentials_list",
      relatedReads: clientReads,
      rules: ["apiclient-secret-once", "apiclient-two-years"],
      note: "Only the client's owner may create credentials.",
      example: { clientId: "oi-7421" },
    }),
    apiclient_credential_get: operationAt(
      "GET /identity-management/v3/api-clients/{clientId}/credentials/{credentialId}",
      {
        does: "Reads one credential, without its secret.",
        example: { clientId: "oi-7421", credentialId: 4101 },
      },
    ),
    apiclient_credential_update: operationAt(
      "PUT /identity-management/v3/api-clients/{clientId}/credentials/{credentialId}",
      {
        does: "Sets a credential's status, description and expiry; INACTIVE stops every program that uses it.",
        arguments: {
          status: z.enum(["ACTIVE", "INACTIVE"]),
          expiresOn: Timestamp,
          description: z.string().nullish(),
        },
        effect: "destructive",
        checks: [keepsSigner],
        guard: withWarning(guards.updating),
        shownBy: "apiclient_credential_get",
        relatedReads: clientReads,
        rules: ["apiclient-status-moves"],
        example: {
          clientId: "oi-7421",
          credentialId: 4101,
          body: { status: "INACTIVE", expiresOn: "2027-11-01T00:00:00.000Z" },
        },
      },
    ),
    apiclient_credential_delete: operationAt(
      "DELETE /identity-management/v3/api-clients/{clientId}/credentials/{credentialId}",
      {
        does: "Deletes an inactive credential.",
        checks: [keepsSigner, isInactive],
        guard: withWarning(guards.deletion),
        shownBy: "apiclient_credential_get",
        relatedReads: clientReads,
        rules: ["apiclient-delete-inactive"],
        means: { 409: "Only an INACTIVE credential can be deleted: call apiclient_credential_deactivate first." },
        example: { clientId: "oi-7421", credentialId: 4102 },
      },
    ),
    apiclient_credential_deactivate: operationAt(
      "POST /identity-management/v3/api-clients/{clientId}/credentials/{credentialId}/deactivate",
      {
        does: "Deactivates one credential; every program that signs with it stops.",
        effect: "destructive",
        checks: [keepsSigner],
        guard: withWarning(guards.deactivation),
        shownBy: "apiclient_credential_get",
        relatedReads: clientReads,
        example: { clientId: "oi-7421", credentialId: 4101 },
      },
    ),
    apiclient_all_credentials_deactivate: operationAt(
      "POST /identity-management/v3/api-clients/{clientId}/credentials/deactivate",
      {
        does: "Deactivates ALL credentials of an API client; every program that uses it stops.",
        arguments: otherClient,
        effect: "destructive",
        checks: [keepsOwnClient],
        guard: guards.deactivationOfAll,
        shownBy: "apiclient_credentials_list",
        relatedReads: { client: clientReads.client },
        rules: ["apiclient-deactivate-all"],
        example: { clientId: "oi-7421" },
      },
    ),

    apiclient_users_list: operationAt("GET /identity-management/v3/users", {
      does: "Lists the users for whom API clients can be created.",
    }),
    apiclient_user_apis_list: operationAt("GET /identity-management/v3/users/{username}/allowed-apis", {
      does: "Lists the APIs that a user can give to an API client.",
      example: { username: "rchen" },
    }),
    apiclient_user_cpcodes_list: operationAt("POST /identity-management/v3/users/{username}/allowed-cpcodes", {
      does: "Lists the CP codes that a user can let an API client purge, by its groups.",
      effect: "read",
      example: { username: "rchen", body: { clientType: "CLIENT", groups: [{ groupId: 11_111, roleId: 2 }] } },
    }),
    apiclient_user_groups_list: operationAt("GET /identity-management/v3/users/{username}/group-access", {
      does: "Lists the groups and roles that a user can give to an API client.",
      example: { username: "rchen" },
    }),
  },
});
