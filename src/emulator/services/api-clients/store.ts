/** The API clients of the emulated account, with the APIs and groups that their users may give them. */
import type { apiClients as declared } from "../../../tools/api-clients/index.js";
import type { Call } from "../../behaviour.js";
import { demoCredentials } from "../../credentials.js";
import type { Authorship } from "../../primitives/authored.js";
import { seedsOf } from "../../primitives/seeds.js";
import { findIn, Store } from "../../primitives/store.js";
import { badRequest } from "../../reply.js";
import { noiseText, type World } from "../../world.js";
import { apiClients } from "../account.js";
import { credentialsOf, type StoredCredential } from "../credentials/store.js";
import { type StoredUser, usersOf } from "../users/store.js";
import seeds from "./seeds.json" with { type: "json" };

interface SoldApi {
  readonly apiId: number;
  readonly apiName: string;
  readonly description: string;
  readonly endPoint: string;
  readonly documentationUrl: string;
  readonly accessLevels: readonly ("READ-ONLY" | "READ-WRITE")[];
}
/** The APIs that the vendor sells, and whether they can be given read-only. */
export const soldApis = seedsOf<readonly SoldApi[]>(seeds.apis, 0);

type Operations = (typeof declared)["operations"];
/** What a write sends. */
export type ApiClientBody = Call<Operations["apiclient_update"]>["body"];
/** What a write sets. */
export interface ApiClientAccess
  extends Pick<ApiClientBody, "authorizedUsers" | "apiAccess" | "groupAccess" | "ipAcl" | "purgeOptions"> {
  readonly clientName: string;
  readonly clientDescription: string;
  readonly notificationEmails: readonly string[];
  readonly allowAccountSwitch: boolean;
  readonly canAutoCreateCredential: boolean;
}

export interface ApiClient extends ApiClientAccess, Authorship {
  readonly clientId: string;
  readonly clientType: Call<Operations["apiclient_create"]>["body"]["clientType"];
  isLocked: boolean;
}

export const clientsOf = (world: World): Store<ApiClient> =>
  world.state("api clients", () => {
    const clients = seedsOf<readonly ApiClient[]>(seeds.clients, world.startedAtMs);
    return new Store<ApiClient>("clientId", (id) => `There is no API client ${id}`, clients);
  });

/** A client by its id, or the one whose credentials sign the requests. */
export const clientOf = (world: World, id: string): ApiClient =>
  clientsOf(world).find(id === "self" ? apiClients[0].openIdentityId : id);

export const credentialListOf = (world: World, { clientId }: ApiClient): readonly StoredCredential[] =>
  credentialsOf(world, clientId).all;
export const activeCount = (world: World, client: ApiClient): number =>
  credentialListOf(world, client).filter(({ status }) => status === "ACTIVE").length;

/** The access token of a client, which is the same for all its credentials. */
export const accessTokenOf = (world: World, { clientId }: ApiClient, word = "access"): string =>
  clientId === apiClients[0].openIdentityId && word === "access"
    ? demoCredentials.accessToken
    : `akab-${noiseText(world, "abcdefghijklmnopqrstuvwxyz234567", 16, word, clientId)}`;

export const userNamed = (world: World, username: string): StoredUser =>
  findIn(usersOf(world).all, { login: username }, `There is no user ${username}`);

/** Refuses access that the API does not know or cannot give. */
export function checkAccess(
  world: World,
  { authorizedUsers, apiAccess }: Pick<ApiClientAccess, "authorizedUsers" | "apiAccess">,
): void {
  if (authorizedUsers.length !== 1)
    throw badRequest("Such a client has one authorized user", { field: "authorizedUsers" });
  for (const username of authorizedUsers) userNamed(world, username);
  for (const { apiId, accessLevel } of apiAccess.apis ?? [])
    if (!soldApis.some((api) => api.apiId === apiId && api.accessLevels.some((level) => level === accessLevel)))
      throw badRequest(`There is no API ${apiId} with ${accessLevel}`, { field: "apiAccess.apis" });
}

/** Whether the client that signs the requests may act on other accounts. */
export const canSwitchAccounts = (world: World): boolean => clientOf(world, "self").allowAccountSwitch;
