/** The API clients of the emulated account, with the APIs and groups that their users may give them. */
import { dayMs } from "../../../language/durations.js";
import { demoCredentials } from "../../credentials.js";
import { type Authored, authored } from "../../primitives/authored.js";
import { byId } from "../../primitives/store.js";
import { badRequest, orNotFound } from "../../reply.js";
import { noiseText, type World } from "../../world.js";
import { apiClients, portalUser } from "../account.js";
import { credentialsOf, type Stored } from "../credentials/store.js";
import { allUsers, type User, userOf } from "../users/store.js";

/** The APIs that the vendor sells, and whether they can be given read-only. */
export const apis = [
  {
    apiId: 5,
    apiName: "Reporting",
    description: "Reads reports",
    endPoint: "/reporting-api",
    accessLevels: ["READ-ONLY"],
  },
  { apiId: 11, apiName: "Property Manager", description: "Manages properties", endPoint: "/papi" },
  { apiId: 19, apiName: "CCU APIs", description: "Purges content", endPoint: "/ccu" },
  { apiId: 24, apiName: "Identity Management", description: "Manages users", endPoint: "/identity-management" },
].map((api) => ({
  accessLevels: ["READ-ONLY", "READ-WRITE"],
  ...api,
  documentationUrl: `https://docs.shop.example${api.endPoint}`,
})) as readonly AllowedApi[];

export interface AllowedApi {
  readonly apiId: number;
  readonly apiName: string;
  readonly description: string;
  readonly endPoint: string;
  readonly documentationUrl: string;
  readonly accessLevels: readonly ("READ-ONLY" | "READ-WRITE")[];
}

interface GivenApi {
  readonly apiId: number;
  readonly accessLevel: string;
}
interface GivenGroup {
  readonly groupId: number;
  readonly roleId?: number | undefined;
  readonly isBlocked?: boolean | undefined;
  readonly subGroups?: readonly object[] | undefined;
}

/** What a write sets. */
export interface Access {
  readonly clientName: string;
  readonly clientDescription: string;
  readonly authorizedUsers: readonly string[];
  readonly apiAccess: {
    readonly allAccessibleApis?: boolean | undefined;
    readonly apis?: readonly GivenApi[] | undefined;
  };
  readonly groupAccess: {
    readonly cloneAuthorizedUserGroups: boolean;
    readonly groups?: readonly GivenGroup[] | undefined;
  };
  readonly ipAcl?: { readonly enable: boolean; readonly cidr: readonly string[] } | undefined;
  readonly purgeOptions?: object | undefined;
  readonly notificationEmails: readonly string[];
  readonly allowAccountSwitch: boolean;
  readonly canAutoCreateCredential: boolean;
  /** Members that were written but are not declared. */
  readonly others?: object;
}

export interface ApiClient extends Authored {
  readonly id: string;
  readonly clientType: "CLIENT" | "USER_CLIENT";
  isLocked: boolean;
  access: Access;
}

export const clientsById = (world: World): Map<string, ApiClient> =>
  world.state("api clients", () => {
    const everything = { allAccessibleApis: true };
    const limited = { allAccessibleApis: false, apis: [{ apiId: 19, accessLevel: "READ-WRITE" }] };
    const names = [
      ["Edgewise", "Signs the calls of this server", everything],
      ["Shop automation", "Releases and nightly reports", limited],
      ["Trial", "Tried out last year", limited],
    ] as const;
    return byId(
      apiClients.map(({ openIdentityId, ownerId }, at): ApiClient => {
        const [clientName, clientDescription, apiAccess] = names[at] ?? names[0];
        const { login, profile } = userOf(world, ownerId);
        return {
          id: openIdentityId,
          clientType: "CLIENT",
          isLocked: at === 2,
          access: {
            clientName,
            clientDescription,
            apiAccess,
            authorizedUsers: [login],
            groupAccess: { cloneAuthorizedUserGroups: true },
            notificationEmails: [profile.email ?? ""],
            allowAccountSwitch: at === 0,
            canAutoCreateCredential: at === 0,
          },
          ...authored(world.startedAtMs - 400 * dayMs, portalUser),
        };
      }),
    );
  });

/** A client by its id, or the one whose credentials sign the requests. */
export const clientOf = (world: World, id: string): ApiClient =>
  orNotFound(clientsById(world).get(id === "self" ? apiClients[0].openIdentityId : id), `There is no API client ${id}`);

export const credentialListOf = (world: World, { id }: ApiClient): Stored[] => [...credentialsOf(world, id).values()];
export const activeCount = (world: World, client: ApiClient): number =>
  credentialListOf(world, client).filter(({ status }) => status === "ACTIVE").length;

/** The access token of a client, which is the same for all its credentials. */
export const accessTokenOf = (world: World, { id }: ApiClient, word = "access"): string =>
  id === apiClients[0].openIdentityId && word === "access"
    ? demoCredentials.accessToken
    : `akab-${noiseText(world, "abcdefghijklmnopqrstuvwxyz234567", 16, word, id)}`;

export const namedUser = (world: World, username: string): User =>
  orNotFound(
    allUsers(world).find(({ login }) => login === username),
    `There is no user ${username}`,
  );

/** Refuses access that the API does not know or cannot give. */
export function checkAccess(
  world: World,
  { authorizedUsers, apiAccess }: Pick<Access, "authorizedUsers" | "apiAccess">,
): void {
  if (authorizedUsers.length !== 1)
    throw badRequest("Such a client has one authorized user", { field: "authorizedUsers" });
  for (const username of authorizedUsers) namedUser(world, username);
  for (const { apiId, accessLevel } of apiAccess.apis ?? [])
    if (!apis.some((api) => api.apiId === apiId && api.accessLevels.some((level) => level === accessLevel)))
      throw badRequest(`There is no API ${apiId} with ${accessLevel}`, { field: "apiAccess.apis" });
}

/** Whether the client that signs the requests may act on other accounts. */
export const canSwitchAccounts = (world: World): boolean => clientOf(world, "self").access.allowAccountSwitch;
