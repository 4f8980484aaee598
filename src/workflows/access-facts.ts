/** What identity management says of users, roles, API clients and their keys, in the form that the report on access needs. */
import { quoteValue } from "../language/failure.js";
import { plainOrQuoted } from "../language/words.js";
import { z } from "../language/z.js";
import { dayMs } from "../time/durations.js";
import { isoText, readInstant } from "../time/instant.js";
import { abilitiesOf } from "../tools/api-clients/access.js";
import { members } from "../tools/fields.js";
import { managesAccess } from "../tools/users/access-guards.js";
import { UserItem } from "../tools/users/shapes.js";
import { type GroupPlace, groupPathOf, groupPlaceOf, groupRolesIn, personName } from "../tools/users/tree.js";
import { AnyTime } from "./steps.js";

const text = z.string();
const flag = z.boolean().nullish();
const { authGrants } = UserItem.shape;

export const Users = z.array(
  z.looseObject({
    uiIdentityId: text,
    ...members(text.nullish(), "firstName", "lastName", "uiUserName", "email", "additionalAuthentication"),
    ...members(flag, "additionalAuthenticationConfigured", "isLocked"),
    lastLoginDate: AnyTime,
    authGrants,
  }),
);
export const RoleItem = z.looseObject({ roleId: z.int(), roleName: text, type: text.nullish() });
export const Clients = z.array(
  z.looseObject({
    clientId: text,
    clientName: text.nullish(),
    authorizedUsers: z.array(text),
    ...members(flag, "isLocked", "allowAccountSwitch", "canAutoCreateCredential"),
    activeCredentialCount: z.int(),
  }),
);
/** A client with what its row in the list lacks. */
export const WholeClient = z.looseObject({
  apiAccess: z.looseObject({ allAccessibleApis: z.boolean(), apis: z.array(z.unknown()).nullish() }),
  groupAccess: z.looseObject({ groups: authGrants }),
  ipAcl: z.looseObject({ enable: flag }).nullish(),
  credentials: z.array(
    z.looseObject({
      credentialId: z.int(),
      status: text,
      description: text.nullish(),
      ...members(AnyTime, "createdOn", "expiresOn"),
    }),
  ),
});

/** What was read; a list that could not be read is undefined. */
export interface AccessData {
  readonly users: z.output<typeof Users> | undefined;
  readonly tree: readonly GroupPlace[];
  /** With their permissions, as far as these could be read. */
  readonly roles: readonly z.output<typeof RoleItem>[] | undefined;
  readonly clients: z.output<typeof Clients> | undefined;
  readonly wholeClients: ReadonlyMap<string, z.output<typeof WholeClient>>;
  /** The ids of the user and of the API client who make the calls. */
  readonly caller: { readonly user: string | undefined; readonly client: string | undefined };
  readonly nowMs: number;
}

/** A row of a table. */
export type AccessRow = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** A role that a user holds in a group. */
interface HeldPost {
  readonly roleId: number;
  readonly roleName: string;
  readonly place: string;
  /** Whether the role manages users or credentials. */
  readonly isGrave: boolean;
}

export interface UserAccess {
  readonly id: string;
  readonly login: string;
  /** The name in a sentence. */
  readonly named: string;
  readonly factor: string | undefined;
  readonly hasSetUpFactor: boolean | undefined;
  /** Absent for a user who has never signed in. */
  readonly idleDays: number | undefined;
  readonly isLocked: boolean;
  /** Whether the calls are made for this user. */
  readonly isOwn: boolean;
  /** The grave ones first. */
  readonly posts: readonly HeldPost[];
  readonly row: AccessRow;
}

export interface ClientKey {
  readonly id: number;
  readonly clientId: string;
  /** With its client, as in a sentence. */
  readonly named: string;
  readonly isActive: boolean;
  /** Below 0 for one that has expired; absent if the API does not say when. */
  readonly daysLeft: number | undefined;
  readonly row: AccessRow;
}

export interface ClientAccess {
  readonly id: string;
  readonly named: string;
  readonly isLocked: boolean;
  /** Whether it makes these calls. */
  readonly isOwn: boolean;
  /** The usernames of those whom it acts for. */
  readonly users: readonly string[];
  /** Grave rights; those that were not read are undefined. */
  readonly can: Readonly<
    Record<"switchAccounts" | "createCredentials" | "callEveryApi" | "callFromAnywhere", boolean | undefined>
  >;
  /** How many are active, which is known even if the keys could not be read. */
  readonly activeKeys: number;
  readonly keys: readonly ClientKey[];
  readonly row: AccessRow;
}

const daysBetween = (fromMs: number, toMs: number): number => Math.floor((toMs - fromMs) / dayMs);
const timeOf = (written: z.output<typeof AnyTime>): string | undefined =>
  written === null || written === undefined ? undefined : isoText(readInstant(written));

/** The groups in which roles count: a group and those above it; undefined for all. */
export type GroupLine = ReadonlySet<number | undefined> | undefined;

/** The roles that grants give in the groups of a line; one without a group applies everywhere. */
const heldWithin = (line: GroupLine, grants: z.output<typeof authGrants>) =>
  groupRolesIn(grants).filter(({ groupId }) => line === undefined || groupId === undefined || line.has(groupId));

function postsOf({ roles = [], tree }: AccessData, held: ReturnType<typeof groupRolesIn>): HeldPost[] {
  const all = held.map(({ roleId, roleName: nameInGrant, groupId, groupName }): HeldPost => {
    const role = roles.find((one) => one.roleId === roleId);
    const roleName = role?.roleName ?? nameInGrant ?? `role ${roleId}`;
    const place = groupPlaceOf(tree, groupId);
    const group = groupId === undefined ? "the whole account" : (groupName ?? `group ${groupId}`);
    return {
      ...{ roleId, roleName, place: place === undefined ? group : groupPathOf(place) },
      isGrave: managesAccess(role ?? { roleName }),
    };
  });
  return all.sort((a, b) => Number(b.isGrave) - Number(a.isGrave));
}

function userOf(read: AccessData, line: GroupLine, user: z.output<typeof Users>[number]): UserAccess {
  const { uiIdentityId: id, additionalAuthentication, additionalAuthenticationConfigured } = user;
  const posts = postsOf(read, heldWithin(line, user.authGrants));
  const signedIn = timeOf(user.lastLoginDate);
  const idleDays = signedIn === undefined ? undefined : daysBetween(Date.parse(signedIn), read.nowMs);
  const [login, isLocked] = [user.uiUserName ?? id, user.isLocked === true];
  return {
    ...{ id, login, named: personName(user), idleDays, isLocked, isOwn: id === read.caller.user, posts },
    factor: additionalAuthentication ?? undefined,
    hasSetUpFactor: additionalAuthenticationConfigured ?? undefined,
    row: {
      name: [user.firstName, user.lastName].join(" ").trim(),
      ...{ login, email: user.email ?? null, id },
      secondFactor: additionalAuthentication ?? null,
      isSetUp: additionalAuthenticationConfigured ?? null,
      ...{ lastSignIn: signedIn ?? "never", daysAgo: idleDays ?? null, isLocked },
      roles: posts.map(({ roleName, place }) => `${roleName} in ${place}`),
    },
  };
}

/** Whose access is most urgent to look at: of those who can sign in, no second factor, then grave roles, then idle ones. */
const urgency = ({ isLocked, factor, posts, idleDays = Number.MAX_SAFE_INTEGER }: UserAccess): readonly number[] => [
  Number(isLocked),
  Number(factor !== "NONE"),
  Number(posts[0]?.isGrave !== true),
  -idleDays,
];
const byUrgency = (a: UserAccess, b: UserAccess): number => {
  const [one, other] = [urgency(a), urgency(b)];
  return one.map((value, at) => value - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
};

/** The users, of whom only those with a role in the groups of a line count; the most urgent ones first. */
export const userAccessOf = (read: AccessData, line: GroupLine): UserAccess[] =>
  (read.users ?? [])
    .map((one) => userOf(read, line, one))
    .filter(({ posts }) => line === undefined || posts.length > 0)
    .sort(byUrgency);

export interface HeldRole {
  readonly id: number;
  readonly named: string;
  readonly isCustom: boolean;
  readonly people: number;
  readonly row: AccessRow;
}

/** Each role with the number of people who hold it and where, the grave ones first, unheld ones last. */
export function rolesHeld({ roles = [] }: AccessData, users: readonly UserAccess[]): HeldRole[] {
  const posts = users.flatMap(({ id, posts: heldPosts }) => heldPosts.map((post) => ({ ...post, userId: id })));
  const known = new Map<number, Pick<HeldPost, "roleName" | "isGrave"> & { readonly type?: string | null | undefined }>(
    [
      ...posts.map((post) => [post.roleId, post] as const),
      ...roles.map((role) => [role.roleId, { ...role, isGrave: managesAccess(role) }] as const),
    ],
  );
  return [...known]
    .map(([id, { roleName, type = null, isGrave }]) => {
      const heldPosts = posts.filter(({ roleId }) => roleId === id);
      const places = [...new Set(heldPosts.map(({ place }) => place))];
      const where = places.map((place) => `${heldPosts.filter((post) => post.place === place).length} in ${place}`);
      const people = new Set(heldPosts.map(({ userId }) => userId)).size;
      const row = { role: roleName, id, type, managesAccess: isGrave, people, where };
      return { id, named: `${roleName} (${id})`, isCustom: type === "custom", isGrave, people, row };
    })
    .sort((a, b) => Number(b.isGrave) - Number(a.isGrave) || b.people - a.people);
}

function keysOf(
  [clientId, client]: readonly [string, string],
  { credentials }: z.output<typeof WholeClient>,
  nowMs: number,
): ClientKey[] {
  return credentials.map(({ credentialId: id, status, description, createdOn, expiresOn }) => {
    const expires = timeOf(expiresOn);
    const daysLeft = expires === undefined ? undefined : daysBetween(nowMs, Date.parse(expires));
    return {
      ...{ id, clientId, daysLeft, isActive: status === "ACTIVE" },
      named: `${id}${description ? ` ${quoteValue(description)}` : ""} of ${quoteValue(client)}`,
      row: {
        ...{ client, credentialId: id, description: description ?? null, status },
        ...{ createdOn: timeOf(createdOn) ?? null, expiresOn: expires ?? null, daysLeft: daysLeft ?? null },
      },
    };
  });
}

/** Whether a client can work in one of the groups of a line; one whose groups were not read may. */
const reaches = (line: GroupLine, whole: z.output<typeof WholeClient> | undefined): boolean =>
  line === undefined || whole === undefined || heldWithin(line, whole.groupAccess.groups).length > 0;

/** The API clients that can work in the groups of a line. */
export const clientAccessOf = (
  { clients = [], wholeClients, caller, nowMs }: AccessData,
  line: GroupLine,
): ClientAccess[] =>
  clients.flatMap((client) => {
    const { clientId: id, clientName, authorizedUsers: users, activeCredentialCount: activeKeys } = client;
    const [name, isLocked, whole] = [clientName ?? id, client.isLocked === true, wholeClients.get(id)];
    if (!reaches(line, whole)) return [];
    const keys = whole === undefined ? [] : keysOf([id, name], whole, nowMs);
    // Names of APIs, roles and groups are in the client itself.
    const may =
      whole && abilitiesOf({ ...client, ...whole }, { apis: whole.apiAccess.apis, groups: whole.groupAccess.groups });
    return [
      {
        ...{ id, isLocked, isOwn: id === caller.client, users, activeKeys, keys },
        named: `${quoteValue(name)} (${plainOrQuoted(id)})`,
        can: {
          switchAccounts: client.allowAccountSwitch === true,
          createCredentials: client.canAutoCreateCredential === true,
          callEveryApi: whole?.apiAccess.allAccessibleApis,
          callFromAnywhere: whole && whole.ipAcl?.enable !== true,
        },
        row: { name, id, isLocked, activeKeys, may: may?.map(([, words]) => words) ?? null },
      },
    ];
  });
