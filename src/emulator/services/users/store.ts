/** The users and roles of the emulated account, and everything written since. */
import { dayMs } from "../../../language/durations.js";
import type { z } from "../../../language/z.js";
import type { BasicInfo, GrantNode, Notifications } from "../../../tools/users/shapes.js";
import type { Factor } from "../../../tools/users/v3-shapes.js";
import { type Authored, authored } from "../../primitives/authored.js";
import { byId, foundIn } from "../../primitives/store.js";
import { forbidden, orRefuse, Refusal } from "../../reply.js";
import type { World } from "../../world.js";
import { account, ownUserId, portalUser } from "../account.js";
import { type Group, groupsOf } from "../groups.js";

type Profile = z.output<typeof BasicInfo>;
export type SecondFactor = z.output<typeof Factor>;

export interface User {
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
  readonly configured: Set<SecondFactor>;
  /** The present password last, after those that cannot be used again. */
  passwords: readonly string[];
  passwordSetAtMs: number;
  /** Absent for a user who has never signed in. */
  readonly lastLoginAtMs?: number | undefined;
  /** By group, the properties that the user is kept from. */
  readonly blocked: Map<number, readonly number[]>;
  wrongAttempts: number;
}

export interface Role extends Authored {
  readonly id: number;
  name: string;
  description: string;
  readonly type: "custom" | "standard";
  grantedIds: readonly number[];
}

/** What custom roles are made of. */
export const grantableRoles = [
  { grantedRoleId: 901, grantedRoleName: "Reports - View", grantedRoleDescription: "Looks at reports" },
  { grantedRoleId: 902, grantedRoleName: "Properties - Edit", grantedRoleDescription: "Edits properties" },
  { grantedRoleId: 903, grantedRoleName: "Purge", grantedRoleDescription: "Removes content from the caches" },
  { grantedRoleId: 904, grantedRoleName: "Users - Administer", grantedRoleDescription: "Administers users and groups" },
] as const;

interface State {
  readonly users: Map<string, User>;
  readonly roles: Map<number, Role>;
}

/** What a user has who set a password at an instant and mistook none since. */
export const unlocked = (passwordSetAtMs: number) => ({
  isLocked: false,
  passwordSetAtMs,
  blocked: new Map<number, readonly number[]>(),
  wrongAttempts: 0,
});

function seeds(world: World): State {
  const before = (days: number) => world.startedAtMs - days * dayMs;
  const user = (
    id: string,
    login: string,
    [firstName, lastName]: readonly [string, string],
    [groupId, roleId]: readonly [number, number],
    more: Partial<User> = {},
  ): User => ({
    id,
    login,
    profile: {
      firstName,
      lastName,
      email: `${login}@shop.example`,
      phone: "+49 69 1234500",
      country: "Germany",
      contactType: "Technical Decision Maker",
      preferredLanguage: "English",
      sessionTimeOut: 3_600,
      timeZone: "Europe/Berlin",
    },
    grants: [{ groupId, roleId }],
    notifications: {
      enableEmailNotifications: true,
      options: { newUserNotification: false, passwordExpiry: true, proactive: [], upgrade: [] },
    },
    secondFactor: "TFA",
    configured: new Set(["TFA"]),
    passwords: ["current-password-1"],
    lastLoginAtMs: before(1),
    ...unlocked(before(40)),
    ...more,
  });
  const role = (id: number, name: string, description: string, grantedIds: readonly number[]): Role => {
    const type = id < 5_000 ? "standard" : "custom";
    return { id, name, description, type, grantedIds, ...authored(before(600), portalUser) };
  };
  return {
    users: byId([
      user(ownUserId, portalUser, ["Maria", "Held"], [22_222, 1]),
      user("A-B-100002", "jbrandt", ["Jonas", "Brandt"], [22_222, 1]),
      user("A-B-100003", "rchen", ["Rosa", "Chen"], [11_111, 2], { blocked: new Map([[11_111, [10_333_529]]]) }),
      user("A-B-100004", "tokafor", ["Tunde", "Okafor"], [33_333, 5_001], {
        secondFactor: "NONE",
        configured: new Set(),
      }),
      user("A-B-100005", "lweber", ["Lena", "Weber"], [44_444, 3], { isLocked: true, lastLoginAtMs: before(300) }),
      user("A-B-100006", "pnovak", ["Petra", "Novak"], [33_333, 3], {
        configured: new Set(),
        lastLoginAtMs: undefined,
      }),
    ]),
    roles: byId([
      role(1, "Admin", "Does everything, users included", [901, 902, 903, 904]),
      role(2, "Publisher", "Edits and purges", [901, 902, 903]),
      role(3, "Viewer", "Looks and changes nothing", [901]),
      role(5_001, "Campaign editor", "Edits campaigns", [901, 902]),
      role(5_002, "Purge only", "Purges, for the old agency", [903]),
    ]),
  };
}

const stateOf = (world: World): State => world.state("users", () => seeds(world));

export const allUsers = (world: World): User[] => [...stateOf(world).users.values()];
export const allRoles = (world: World): Role[] => [...stateOf(world).roles.values()];
export const usersById = (world: World): Map<string, User> => stateOf(world).users;
export const rolesById = (world: World): Map<number, Role> => stateOf(world).roles;
export const accountId = `A-CCT${account.id.replace(/\W/g, "")}`;

/** The refusals of this service, with its own error numbers (public facts C, 1). */
export const refused = {
  validation: (detail: string) => new Refusal(400, "Validation Exception", detail, { code: 1003 }),
  forbidden: (detail: string) => forbidden(detail, { code: 1001 }),
  password: (detail: string) => new Refusal(400, "Validation Exception", detail, { code: 1508 }),
  noUser: (id: string) => new Refusal(404, "User not found", `There is no user ${id}`, { code: 1100 }),
  noRole: (id: number) => new Refusal(404, "Role ID not found", `There is no role ${id}`, { code: 1311 }),
  noGroup: (id: number) => new Refusal(404, "group not found", `There is no group ${id}`, { code: 1700 }),
  property: (detail: string, status = 400) => new Refusal(status, "Property not found", detail, { code: 1806 }),
};

export const userOf = (world: World, id: string): User => orRefuse(usersById(world).get(id), () => refused.noUser(id));
export const ownUser = (world: World): User => userOf(world, ownUserId);

export const roleOf = (world: World, id: number): Role => orRefuse(rolesById(world).get(id), () => refused.noRole(id));

export const groupOf = (world: World, id: number): Group => foundIn(groupsOf(world), { id }, () => refused.noGroup(id));

/** A group and those above it, the nearest first. */
export function lineOf(world: World, id: number): readonly number[] {
  const { parentId } = groupOf(world, id);
  return [id, ...(parentId === undefined ? [] : lineOf(world, parentId))];
}

/** The roles that grants give, with the group of each. */
export const heldIn = (
  grants: readonly GrantNode[],
): { readonly groupId: number | undefined; readonly roleId: number }[] =>
  grants.flatMap(({ groupId, roleId, isBlocked, subGroups = [] }) =>
    isBlocked ? [] : [...(typeof roleId === "number" ? [{ groupId, roleId }] : []), ...heldIn(subGroups)],
  );

/** Who has a role in one of some groups. */
export const usersWithin = (world: World, groupIds: readonly number[]): User[] =>
  allUsers(world).filter(({ grants }) =>
    heldIn(grants).some(({ groupId }) => groupId !== undefined && groupIds.includes(groupId)),
  );
/** Who can work in a group, by roles in it and in those above it. */
export const usersIn = (world: World, groupId: number): User[] => usersWithin(world, lineOf(world, groupId));
