/** API clients of today (Identity Management v3): their access, their credentials, and the accounts they can switch to. */
import type { AccountsReading } from "../../language/account.js";
import { empty, json, op } from "../../language/define.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { credentialChecks, credentialGuards } from "../credentials/guards.js";
import {
  clientChange,
  clientCreation,
  clientDeletion,
  clientLock,
  clientOf,
  clients,
  clientUnlock,
  hasOneUser,
  keepsOwnClient,
  mayDeleteClient,
  namesFor,
  wholeClient,
  withWarning,
} from "./guards.js";
import {
  AllowedApi,
  AllowedCpCode,
  Client,
  ClientChange,
  ClientItem,
  ClientUser,
  CreatedClient,
  Credential,
  CredentialChange,
  clientId,
  clientType,
  flags,
  Grant,
  Grants,
  NewClient,
  NewCredential,
  SwitchKey,
  username,
  WrittenCredential,
} from "./shapes.js";

const naming = {
  client: "clientId",
  clientOf,
  update: "apiclient_credential_update",
  create: "apiclient_credential_create",
} as const;
const { isInactive, keepsSigner } = credentialChecks(naming);
const guards = credentialGuards(naming);

const root = "/identity-management/v3/api-clients";
const one = `${root}/{clientId}` as const;
const credential = `${one}/credentials/{credentialId}` as const;
const user = "/identity-management/v3/users/{username}";
const credentialId = z.int().positive();
/** A client that these calls lock, unlock, stop or delete: never the calling one, so "self" is not offered. */
const otherClient = { clientId: z.string().min(1) };
const example = { clientId: "oi-7421" };
const activeOne = { ...example, credentialId: 4101 };

/** The other accounts on which the API client of a credential can act. */
export const accountsToSwitchTo: AccountsReading = {
  tool: "apiclient_switch_keys_list",
  // The API searches for three characters or more.
  args: (name = "") => ({ clientId: "self", ...(name.length < 3 ? {} : { search: name }) }),
  read: (body) =>
    (z.array(SwitchKey).safeParse(body).data ?? []).map(({ accountName: name, accountSwitchKey: id }) => ({
      id,
      name,
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
    apiclients_list: op(`GET ${root}`, {
      does: "Lists the API clients that you can manage.",
      query: flags("actions"),
      returns: { 200: json(z.array(ClientItem)) },
    }),
    apiclient_create: op(`POST ${root}`, {
      does: "Creates an API client for a user, with its APIs and groups.",
      needs: "Usernames, API ids and groups from the apiclient_user tools.",
      body: json(NewClient),
      returns: { 201: json(CreatedClient) },
      secretTo: { members: ["credentials.0.clientSecret"] },
      effect: "destructive",
      checks: [hasOneUser],
      guard: clientCreation,
      shownBy: "apiclients_list",
      relatedReads: namesFor,
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
    apiclient_get: op(`GET ${one}`, {
      does: "Reads an API client; its APIs, groups, addresses and credentials on request.",
      path: { clientId },
      query: flags("actions", "apiAccess", "groupAccess", "credentials", "ipAcl"),
      returns: { 200: json(Client) },
      example: { ...example, apiAccess: true, groupAccess: true },
    }),
    apiclient_update: op(`PUT ${one}`, {
      does: "Replaces the access and description of an API client; omitted parts are removed.",
      needs: "Read it with apiAccess, groupAccess and ipAcl first.",
      path: { clientId },
      body: json(ClientChange),
      returns: { 200: json(Client) },
      effect: "destructive",
      checks: [hasOneUser],
      guard: clientChange,
      shownBy: wholeClient,
      relatedReads: { own: clients.own, ...namesFor },
      rules: ["apiclient-one-user"],
      example: {
        ...example,
        body: {
          clientName: "Shop automation",
          authorizedUsers: ["rchen"],
          apiAccess: { allAccessibleApis: false, apis: [{ apiId: 19, accessLevel: "READ-ONLY" }] },
          groupAccess: { cloneAuthorizedUserGroups: false, groups: [{ groupId: 11_111, roleId: 2 }] },
        },
      },
    }),
    apiclient_delete: op(`DELETE ${one}`, {
      does: "Deletes an API client without active credentials.",
      path: otherClient,
      returns: { 204: empty },
      checks: [keepsOwnClient, mayDeleteClient],
      guard: clientDeletion,
      shownBy: wholeClient,
      example: { clientId: "oi-7422" },
    }),
    apiclient_lock: op(`PUT ${one}/lock`, {
      does: "Locks an API client: its calls are refused until it is unlocked.",
      path: otherClient,
      returns: { 200: json(ClientItem) },
      effect: "destructive",
      checks: [keepsOwnClient],
      guard: clientLock,
      shownBy: wholeClient,
      example,
    }),
    apiclient_unlock: op(`PUT ${one}/unlock`, {
      does: "Unlocks an API client: its active credentials work again.",
      path: otherClient,
      returns: { 200: json(ClientItem) },
      effect: "destructive",
      guard: clientUnlock,
      shownBy: wholeClient,
      example: { clientId: "oi-7422" },
    }),
    apiclient_switch_keys_list: op(`GET ${one}/account-switch-keys`, {
      does: "Lists the accounts that an API client can switch to, with the switch key that a profile takes.",
      path: { clientId },
      query: { search: z.string().min(3).optional().describe("Part of a name or id") },
      returns: { 200: json(z.array(SwitchKey)) },
      example: { clientId: "self", search: "shop" },
    }),

    apiclient_credentials_list: op(`GET ${one}/credentials`, {
      does: "Lists an API client's credentials with their expiry, without secrets.",
      path: { clientId },
      query: flags("actions"),
      returns: { 200: json(z.array(Credential)) },
      rules: ["apiclient-secret-once"],
      example,
    }),
    apiclient_credential_create: op(`POST ${one}/credentials`, {
      does: "Creates a credential; its secret goes to a file, and no other call returns it.",
      path: { clientId },
      returns: { 201: json(NewCredential) },
      secretTo: { members: ["clientSecret"] },
      effect: "destructive",
      guard: {
        ...withWarning(guards.creation),
        undo: {
          by: "Call apiclient_credential_deactivate for the new credential, and then apiclient_credential_delete.",
        },
      },
      shownBy: "apiclient_credentials_list",
      relatedReads: clients,
      rules: ["apiclient-secret-once", "apiclient-two-years"],
      note: "Only the client's owner may create credentials.",
      example,
    }),
    apiclient_credential_get: op(`GET ${credential}`, {
      does: "Reads one credential, without its secret.",
      path: { clientId, credentialId },
      query: flags("actions"),
      returns: { 200: json(Credential) },
      example: activeOne,
    }),
    apiclient_credential_update: op(`PUT ${credential}`, {
      does: "Sets a credential's status, description and expiry; INACTIVE stops every program that uses it.",
      path: { clientId, credentialId },
      body: json(CredentialChange),
      returns: { 200: json(WrittenCredential) },
      effect: "destructive",
      checks: [keepsSigner],
      guard: withWarning(guards.updating),
      shownBy: "apiclient_credential_get",
      relatedReads: clients,
      rules: ["apiclient-status-moves"],
      example: { ...activeOne, body: { status: "INACTIVE", expiresOn: "2027-11-01T00:00:00.000Z" } },
    }),
    apiclient_credential_delete: op(`DELETE ${credential}`, {
      does: "Deletes an inactive credential.",
      path: { clientId, credentialId },
      returns: { 204: empty },
      checks: [keepsSigner, isInactive],
      guard: withWarning(guards.deletion),
      shownBy: "apiclient_credential_get",
      relatedReads: clients,
      rules: ["apiclient-delete-inactive"],
      means: { 409: "Only an INACTIVE credential can be deleted: call apiclient_credential_deactivate first." },
      example: { ...example, credentialId: 4102 },
    }),
    apiclient_credential_deactivate: op(`POST ${credential}/deactivate`, {
      does: "Deactivates one credential; every program that signs with it stops.",
      path: { clientId, credentialId },
      returns: { 204: empty },
      effect: "destructive",
      checks: [keepsSigner],
      guard: withWarning(guards.deactivation),
      shownBy: "apiclient_credential_get",
      relatedReads: clients,
      example: activeOne,
    }),
    apiclient_all_credentials_deactivate: op(`POST ${one}/credentials/deactivate`, {
      does: "Deactivates ALL credentials of an API client; every program that uses it stops.",
      path: otherClient,
      returns: { 204: empty },
      effect: "destructive",
      checks: [keepsOwnClient],
      guard: guards.deactivationOfAll,
      shownBy: "apiclient_credentials_list",
      relatedReads: { client: clients.client },
      rules: ["apiclient-deactivate-all"],
      example,
    }),

    apiclient_users_list: op("GET /identity-management/v3/users", {
      does: "Lists the users for whom API clients can be created.",
      returns: { 200: json(z.array(ClientUser)) },
    }),
    apiclient_user_apis_list: op(`GET ${user}/allowed-apis`, {
      does: "Lists the APIs that a user can give to an API client.",
      path: { username },
      query: { clientType: clientType.optional(), ...flags("allowAccountSwitch") },
      returns: { 200: json(z.array(AllowedApi)) },
      example: { username: "rchen" },
    }),
    apiclient_user_cpcodes_list: op(`POST ${user}/allowed-cpcodes`, {
      does: "Lists the CP codes that a user can let an API client purge, by its groups.",
      path: { username },
      body: json({ clientType, groups: Grants }),
      returns: { 200: json(z.array(AllowedCpCode)) },
      effect: "read",
      example: { username: "rchen", body: { clientType: "CLIENT", groups: [{ groupId: 11_111, roleId: 2 }] } },
    }),
    apiclient_user_groups_list: op(`GET ${user}/group-access`, {
      does: "Lists the groups and roles that a user can give to an API client.",
      path: { username },
      returns: { 200: json(z.array(Grant)) },
      example: { username: "rchen" },
    }),
  },
});
