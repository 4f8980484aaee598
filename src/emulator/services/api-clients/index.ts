/** The API clients of today: who may call the API, with which credentials, and for which accounts. */
import { apiClients as declared } from "../../../tools/api-clients/index.js";
import { undeclaredMembers } from "../../others.js";
import { authorshipNow } from "../../primitives/authored.js";
import { conflict, created, noContent, ok } from "../../reply.js";
import { emulateService } from "../../service.js";
import type { World } from "../../world.js";
import { otherAccounts, apiClients as seeds } from "../account.js";
import { errorFormat } from "../credentials/index.js";
import {
  addCredential,
  credentialsByClient,
  credentialsOf,
  latestExpiry,
  noCredentials,
  removeCredential,
  type StoredCredential,
} from "../credentials/store.js";
import { isWithin } from "../groups.js";
import { currentCpCodes } from "../properties/served.js";
import { grantBodies } from "../users/bodies.js";
import { usersOf } from "../users/store.js";
import {
  type ApiClient,
  type ApiClientAccess,
  type ApiClientBody,
  accessTokenOf,
  activeCount,
  checkAccess,
  clientOf,
  clientsOf,
  credentialListOf,
  soldApis,
  userNamed,
} from "./store.js";

function listActions(world: World, client: ApiClient) {
  const isIdle = activeCount(world, client) === 0;
  const isFree = client.clientId !== seeds[0].openIdentityId;
  return {
    delete: isIdle && isFree,
    deactivateAll: !isIdle,
    edit: true,
    lock: !client.isLocked,
    transfer: isFree,
    unlock: client.isLocked,
  };
}

function itemOf(world: World, client: ApiClient) {
  const { apiAccess, groupAccess, ipAcl, purgeOptions, createdBy, createdAtMs, modifiedBy, modifiedAtMs, ...shown } =
    client;
  return {
    ...shown,
    createdBy,
    createdDate: new Date(createdAtMs).toISOString(),
    activeCredentialCount: activeCount(world, client),
    accessToken: accessTokenOf(world, client),
  };
}
const listItem = (world: World, client: ApiClient) => ({
  ...itemOf(world, client),
  serviceConsumerToken: accessTokenOf(world, client, "consumer"),
});

const credentialActions = ({ status }: StoredCredential) => ({
  delete: status === "INACTIVE",
  activate: status === "INACTIVE",
  deactivate: status === "ACTIVE",
  editDescription: true,
  editExpiration: true,
});
const credentialBody = (stored: StoredCredential, withActions: boolean | undefined) => ({
  ...stored,
  maxAllowedExpiry: latestExpiry(stored),
  ...(withActions && { actions: credentialActions(stored) }),
});

type Detail = {
  readonly [N in "actions" | "apiAccess" | "groupAccess" | "credentials" | "ipAcl"]?: boolean | undefined;
};
const everything: Detail = { actions: true, apiAccess: true, groupAccess: true, ipAcl: true };

function apiAccessOf({ apiAccess: { allAccessibleApis = false, apis: listedApis = [], ...others } }: ApiClientAccess) {
  const chosen = allAccessibleApis ? soldApis.map(({ apiId }) => ({ apiId, accessLevel: "READ-WRITE" })) : listedApis;
  return {
    ...others,
    allAccessibleApis,
    apis: chosen.flatMap((one) =>
      soldApis.filter(({ apiId }) => apiId === one.apiId).map(({ accessLevels: _, ...api }) => ({ ...api, ...one })),
    ),
  };
}

function groupAccessOf(world: World, { groupAccess, authorizedUsers }: ApiClientAccess) {
  const { cloneAuthorizedUserGroups, groups = [], ...others } = groupAccess;
  const [user] = cloneAuthorizedUserGroups
    ? usersOf(world).all.filter(({ login }) => authorizedUsers.includes(login))
    : [];
  return { ...others, cloneAuthorizedUserGroups, groups: groupBodies(world, user ? user.grants : groups) };
}
type Given = Parameters<typeof grantBodies>[1];
const groupBodies = (world: World, grants: ApiClientAccess["groupAccess"]["groups"] | Given = []) =>
  grantBodies(world, grants as Given).map(({ groupId = 0, roleId, ...grant }, at) => ({
    ...grants[at],
    ...grant,
    groupId,
    roleId: roleId ?? undefined,
    subGroups: (grant.subGroups ?? []).map((below) => ({ ...below })),
  }));

function clientBody(world: World, client: ApiClient, detail: Detail) {
  const { ipAcl = { enable: false, cidr: [] }, purgeOptions } = client;
  const rights = { editApis: true, editAuth: true, editGroups: true, editIpAcl: true, editSwitchAccount: true };
  return {
    ...itemOf(world, client),
    baseURL: "https://emulator.invalid",
    ...(detail.actions && { actions: { ...listActions(world, client), ...rights } }),
    ...(detail.apiAccess && { apiAccess: apiAccessOf(client) }),
    ...(detail.apiAccess && purgeOptions && { purgeOptions }),
    ...(detail.groupAccess && { groupAccess: groupAccessOf(world, client) }),
    ...(detail.ipAcl && { ipAcl }),
    ...(detail.credentials && {
      credentials: credentialListOf(world, client).map((one) => ({ ...one, actions: credentialActions(one) })),
    }),
  };
}

/** What a write sets, with the API's defaults. */
function accessOf(body: ApiClientBody, others: object): ApiClientAccess {
  // The vendor's clients show this name and this description of a client that was given none.
  const clientName = body.clientName || `${body.authorizedUsers[0]}_1`;
  return {
    ...others,
    clientName,
    clientDescription: body.clientDescription || `${clientName} description`,
    notificationEmails: body.notificationEmails ?? [],
    allowAccountSwitch: body.allowAccountSwitch ?? false,
    canAutoCreateCredential: body.canAutoCreateCredential ?? false,
    authorizedUsers: body.authorizedUsers,
    apiAccess: body.apiAccess,
    groupAccess: body.groupAccess,
    ipAcl: body.ipAcl,
    purgeOptions: body.purgeOptions,
  };
}

function lock(world: World, client: ApiClient, isLocked: boolean) {
  client.isLocked = isLocked;
  return ok(listItem(world, client));
}
const credentialIn = (
  world: World,
  path: { readonly clientId: string; readonly credentialId: number },
): StoredCredential => credentialsOf(world, clientOf(world, path.clientId).clientId).find(path.credentialId);

export const apiClients = emulateService(declared, errorFormat, {
  apiclients_list: (_, world) =>
    ok(
      clientsOf(world).all.map((client) => ({
        ...listItem(world, client),
        actions: listActions(world, client),
      })),
    ),
  apiclient_create: ({ body }, world) => {
    checkAccess(world, body);
    const clientId = `oi-${world.next("api client", 7_500)}`;
    const client = clientsOf(world).add({
      ...accessOf(body, undeclaredMembers(declared.operations.apiclient_create, body)),
      clientId,
      clientType: body.clientType,
      isLocked: false,
      ...authorshipNow(world),
    });
    credentialsByClient(world).set(clientId, noCredentials());
    const credential = body.createCredential ? addCredential(world, clientId) : undefined;
    const credentials = credential && [{ ...credential, actions: credentialActions(credential) }];
    return created({ ...clientBody(world, client, everything), ...(credentials && { credentials }) });
  },
  apiclient_get: ({ path, query }, world) => ok(clientBody(world, clientOf(world, path.clientId), query)),
  apiclient_update: ({ path, body }, world) => {
    const former = clientOf(world, path.clientId);
    checkAccess(world, body);
    const { clientId, clientType, isLocked } = former;
    const client = clientsOf(world).add({
      ...accessOf(body, undeclaredMembers(declared.operations.apiclient_update, body)),
      clientId,
      clientType,
      isLocked,
      ...authorshipNow(world, former),
    });
    return ok(clientBody(world, client, everything));
  },
  apiclient_delete: ({ path }, world) => {
    const client = clientOf(world, path.clientId);
    if (activeCount(world, client) > 0) throw conflict("A client with active credentials cannot be deleted");
    clientsOf(world).delete(client.clientId);
    credentialsByClient(world).delete(client.clientId);
    return noContent();
  },
  apiclient_lock: ({ path }, world) => lock(world, clientOf(world, path.clientId), true),
  apiclient_unlock: ({ path }, world) => lock(world, clientsOf(world).find(path.clientId), false),
  apiclient_switch_keys_list: ({ path, query: { search = "" } }, world) => {
    const isMeant = (text: string) => text.toLowerCase().includes(search.toLowerCase());
    const found = clientOf(world, path.clientId).allowAccountSwitch ? otherAccounts : [];
    return ok(found.filter((one) => isMeant(one.accountName) || isMeant(one.accountSwitchKey)));
  },

  apiclient_credentials_list: ({ path, query }, world) =>
    ok(credentialListOf(world, clientOf(world, path.clientId)).map((one) => credentialBody(one, query.actions))),
  apiclient_credential_create: ({ path }, world) =>
    created({ ...addCredential(world, clientOf(world, path.clientId).clientId) }),
  apiclient_credential_get: ({ path, query }, world) => ok(credentialBody(credentialIn(world, path), query.actions)),
  apiclient_credential_update: ({ path, body }, world) => {
    const stored = credentialIn(world, path);
    stored.status = body.status === "ACTIVE" ? "ACTIVE" : "INACTIVE";
    stored.expiresOn = new Date(body.expiresOn).toISOString();
    stored.description = body.description ?? stored.description;
    const { status, description, expiresOn } = stored;
    const others = undeclaredMembers(declared.operations.apiclient_credential_update, body);
    Object.assign(stored, others);
    return ok({ ...others, status, description, expiresOn });
  },
  apiclient_credential_delete: ({ path }, world) => {
    removeCredential(world, clientOf(world, path.clientId).clientId, path.credentialId);
    return noContent();
  },
  apiclient_credential_deactivate: ({ path }, world) => {
    credentialIn(world, path).status = "INACTIVE";
    return noContent();
  },
  apiclient_all_credentials_deactivate: ({ path }, world) => {
    for (const stored of credentialListOf(world, clientOf(world, path.clientId))) stored.status = "INACTIVE";
    return noContent();
  },

  apiclient_users_list: (_, world) =>
    ok(
      usersOf(world).all.map(({ id, login, profile: { firstName, lastName, email } }) => ({
        username: login,
        uiIdentityId: id,
        firstName,
        lastName,
        email: email ?? "",
      })),
    ),
  apiclient_user_apis_list: ({ path }, world) => {
    userNamed(world, path.username);
    return ok(soldApis.map((api) => ({ ...api, hasAccess: true, serviceProviderId: 1 })));
  },
  apiclient_user_cpcodes_list: ({ path, body }, world) => {
    userNamed(world, path.username);
    const isIn = (groupId: number) => body.groups.some((grant) => isWithin(world, groupId, grant.groupId));
    return ok(
      currentCpCodes(world)
        .filter(({ groupId }) => isIn(groupId))
        .map(({ id, name }) => ({ name, value: Number(id) })),
    );
  },
  apiclient_user_groups_list: ({ path }, world) => ok(groupBodies(world, userNamed(world, path.username).grants)),
});
