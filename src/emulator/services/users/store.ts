/** The users and roles of the emulated account, and everything written since; the refusals of their service. */
import type { z } from "../../../language/z.js";
import type { BasicInfo, GrantNode, Notifications } from "../../../tools/users/shapes.js";
import type { Factor } from "../../../tools/users/v3-shapes.js";
import type { Authorship } from "../../primitives/authored.js";
import { seedsOf } from "../../primitives/seeds.js";
import { findIn, Store } from "../../primitives/store.js";
import { type ErrorFormat, forbidden, RequestRefusal } from "../../reply.js";
import type { World } from "../../world.js";
import { account, userInUseId } from "../account.js";
import { type AccountGroup, groupsOf } from "../groups.js";
import seeds from "./seeds.json" with { type: "json" };

type Profile = z.output<typeof BasicInfo>;
/** A profile as a call has it. */
export type ProfileBody = Omit<StoredUser["profile"], "email" | "country"> & {
  readonly country: string;
  readonly email?: string | undefined;
};
export type SecondFactor = z.output<typeof Factor>;

export interface StoredUser {
  readonly id: string;
  readonly login: string;
  profile: { readonly [K in keyof Profile]?: Profile[K] | undefined } & Pick<
    Profile,
    "firstName" | "lastName" | "email"
  >;
  grants: readonly GrantNode[];
  notifications: z.output<typeof Notifications>;
  isLocked: boolean;
  secondFactor: SecondFactor;
  /** The second factors that the user has set up. */
  configured: readonly SecondFactor[];
  /** The present password last, after those that cannot be used again. */
  passwords: readonly string[];
  passwordSetAtMs: number;
  /** Absent for a user who has never signed in. */
  readonly lastLoginAtMs?: number | undefined;
  /** By group, the properties that the user is kept from. */
  readonly blocked: Record<number, readonly number[]>;
  wrongAttempts: number;
}

export interface StoredRole extends Authorship {
  readonly roleId: number;
  roleName: string;
  roleDescription: string;
  readonly type: "custom" | "standard";
  grantedIds: readonly number[];
}

/** What custom roles are made of. */
export const { grantableRoles } = seeds;

/** The refusals of this service, with its own error numbers (public facts C, 1). */
export const userRefusals = {
  validation: (detail: string) => new RequestRefusal(400, "Validation Exception", detail, { code: 1003 }),
  forbidden: (detail: string) => forbidden(detail, { code: 1001 }),
  password: (detail: string) => new RequestRefusal(400, "Validation Exception", detail, { code: 1508 }),
  noUser: (id: string | number) => new RequestRefusal(404, "User not found", `There is no user ${id}`, { code: 1100 }),
  noRole: (id: string | number) =>
    new RequestRefusal(404, "Role ID not found", `There is no role ${id}`, { code: 1311 }),
  noGroup: (id: number) => new RequestRefusal(404, "group not found", `There is no group ${id}`, { code: 1700 }),
  property: (detail: string, status = 400) => new RequestRefusal(status, "Property not found", detail, { code: 1806 }),
};

/** The service's own error format: the status is called httpStatus, and the types are numbered (public facts C, 1). */
export const errorFormat: ErrorFormat = ({ status, title, detail, extras: { code = status } }, { url }, world) => ({
  body: {
    type: `/useradmin-api/error-types/${code}`,
    title,
    detail,
    instance: `${url.pathname}#${world.next("user error", 1)}`,
    httpStatus: status,
    errors: [],
    warnings: [],
  },
});

/** What all first users have. */
type Usual = Pick<StoredUser, "notifications" | "passwords" | "passwordSetAtMs" | "wrongAttempts">;
type SeedUser = Omit<StoredUser, "profile" | keyof Usual> & Pick<StoredUser["profile"], "firstName" | "lastName">;
interface Seeds {
  readonly usual: Usual;
  readonly roles: readonly StoredRole[];
  readonly users: readonly SeedUser[];
}

const stateOf = (world: World) =>
  world.state("users", () => {
    const { usual, roles, users } = seedsOf<Seeds>(seeds, world.startedAtMs);
    const whole = users.map(
      ({ firstName, lastName, ...user }): StoredUser => ({
        ...user,
        ...usual,
        profile: { firstName, lastName, email: `${user.login}@shop.example`, ...seeds.profile },
      }),
    );
    return {
      users: new Store<StoredUser>("id", userRefusals.noUser, whole),
      roles: new Store<StoredRole>("roleId", userRefusals.noRole, roles),
    };
  });

export const usersOf = (world: World): Store<StoredUser> => stateOf(world).users;
export const rolesOf = (world: World): Store<StoredRole> => stateOf(world).roles;
export const userOf = (world: World, id: string): StoredUser => usersOf(world).find(id);
export const accountId = `A-CCT${account.id.replace(/\W/g, "")}`;

export const ownUser = (world: World): StoredUser => userOf(world, userInUseId);
export const groupOf = (world: World, id: number): AccountGroup =>
  findIn(groupsOf(world), { id }, () => userRefusals.noGroup(id));

/** A group and those above it, the nearest first. */
export function groupLineOf(world: World, id: number): readonly number[] {
  const { parentId } = groupOf(world, id);
  return [id, ...(parentId === undefined ? [] : groupLineOf(world, parentId))];
}

/**
 * The roles that grants give, with the group of each; parsed independently of the tools, so that their parsing is tested.
 */
export const grantedRolesIn = (
  grants: readonly GrantNode[],
): { readonly groupId: number | undefined; readonly roleId: number }[] =>
  grants.flatMap(({ groupId, roleId, isBlocked, subGroups = [] }) =>
    isBlocked ? [] : [...(typeof roleId === "number" ? [{ groupId, roleId }] : []), ...grantedRolesIn(subGroups)],
  );

/** Who has a role in one of some groups. */
export const usersWithin = (world: World, groupIds: readonly number[]): StoredUser[] =>
  usersOf(world).all.filter(({ grants }) =>
    grantedRolesIn(grants).some(({ groupId }) => groupId !== undefined && groupIds.includes(groupId)),
  );
/** Who can work in a group, by roles in it and in those above it; all users without a group. */
export const usersIn = (world: World, groupId: number | undefined): readonly StoredUser[] =>
  groupId === undefined ? usersOf(world).all : usersWithin(world, groupLineOf(world, groupId));
/** Whether a user is kept from a property in one of some groups. */
export const isBlockedFrom = (propertyId: number, groupIds: readonly number[], { blocked }: StoredUser): boolean =>
  groupIds.some((id) => blocked[id]?.includes(propertyId));
