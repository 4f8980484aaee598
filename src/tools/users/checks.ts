/** The calls that user administration refuses unsent: those that the API would refuse, and those that could not be undone. */
import { type Check, type ReadByTool, safeguard } from "../../language/check.js";
import type { Arguments } from "../../language/conduct.js";
import { type FieldProblem, fieldProblem, quoteValue } from "../../language/failure.js";
import { memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";
import { lostPermissions, permitChange, permitName, permitsOf } from "./role-guards.js";
import { Grants, type Move, Person, Role } from "./shapes.js";
import {
  type GroupPlace,
  groupPathOf,
  groupPlaceOf,
  groupPlacesIn,
  groupRoleChange,
  groupRolesIn,
  type ListedUser,
  peopleInWords,
  usersIn,
} from "./tree.js";

/** An administrator's role in a group, held by a user who can sign in. */
interface Post {
  readonly groupId: number | undefined;
  readonly roleId: number;
}

/** The administrators' posts in an account, and what each role permits. */
interface Staff {
  readonly posts: readonly Post[];
  readonly permits: (roleId: number) => Promise<ReturnType<typeof permitsOf>>;
}

// The standard role that permits everything (public facts C, 1).
const isAdministrators = (roleName: unknown): boolean => /^admin(istrator)?$/i.test(String(roleName));

/** The current users of the account, the posts of each, and all posts. */
async function staffOf(read: ReadByTool) {
  const roles = z.array(Role).safeParse(await read("user_roles_list", {})).data ?? [];
  const users = usersIn(await read("users_list", { authGrants: true }));
  const ids = new Set(roles.filter(({ roleName }) => isAdministrators(roleName)).map(({ roleId }) => roleId));
  const postsOf = ({ isLocked, authGrants }: Pick<ListedUser, "isLocked" | "authGrants">): Post[] =>
    isLocked === true ? [] : groupRolesIn(authGrants).filter(({ roleId }) => ids.has(roleId));
  const permits: Staff["permits"] = async (roleId) =>
    permitsOf(await read("user_role_get", { roleId, grantedRoles: true }));
  return { users, postsOf, before: { posts: users.flatMap(postsOf), permits } satisfies Staff };
}

/** Whether a group is the other one or is above it; a role without a group applies everywhere. */
const isAtOrAbove = (upperId: Post["groupId"], lowerId: Post["groupId"], tree: readonly GroupPlace[]): boolean =>
  upperId === undefined ||
  upperId === lowerId ||
  (groupPlaceOf(tree, lowerId)?.line.some(({ groupId }) => groupId === upperId) ?? false);

/**
 * The place of a post that is filled before a change and vacant after it: no user has a role in its group, or in one above
 * it, that permits as much. A role that only has an administrator's name does not count.
 */
async function vacated(before: Staff, after: Staff, read: ReadByTool): Promise<string | undefined> {
  for (const post of before.posts) {
    const tree = groupPlacesIn(await read("user_groups_list", {}));
    const had = await before.permits(post.roleId);
    let isFilled = false;
    for (const { groupId, roleId } of after.posts) {
      if (!isAtOrAbove(groupId, post.groupId, tree)) continue;
      const has = await after.permits(roleId);
      const isSameRole = roleId === post.roleId && before.permits === after.permits;
      isFilled ||= isSameRole || (had !== undefined && has !== undefined && permitChange(had, has).lost.length === 0);
    }
    const found = groupPlaceOf(tree, post.groupId);
    if (!isFilled) return found === undefined ? "the account" : plainOrQuoted(groupPathOf(found));
  }
  return undefined;
}

/** Refuses to remove a user or a user's roles if that leaves a place without an administrator who can sign in. */
export const keepsAnAdministrator = safeguard(async ({ args: { uiIdentityId, body }, read }) => {
  const { users, postsOf, before } = await staffOf(read);
  const target = users.find((user) => user.uiIdentityId === uiIdentityId);
  if (target === undefined || postsOf(target).length === 0) return [];
  const changedUser = { ...target, authGrants: Grants.safeParse(body).data ?? [] };
  const after = users.map((user) => (user === target ? changedUser : user));
  const place = await vacated(before, { ...before, posts: after.flatMap(postsOf) }, read);
  if (place === undefined) return [];
  return fieldProblem(
    "uiIdentityId",
    uiIdentityId,
    `a user who is not the last administrator of ${place}: make another user an administrator there with user_grants_replace first`,
  );
});

/** Refuses to rename an administrator's role or to reduce its permissions if that leaves a place without an administrator. */
export const keepsAnAdministratorsRole = safeguard(async ({ args: { roleId, body }, present, read }) => {
  const role = await present();
  if (!isAdministrators(memberAt(role, "roleName"))) return [];
  const isRenamed = !isAdministrators(memberAt(body, "roleName") ?? memberAt(role, "roleName"));
  if (!isRenamed && lostPermissions(role, body).length === 0) return [];
  const { before } = await staffOf(read);
  const after: Staff = {
    posts: before.posts.filter((post) => !isRenamed || post.roleId !== roleId),
    permits: async (id) =>
      permitsOf(id === roleId ? (memberAt(body, "grantedRoles") === undefined ? role : body) : undefined) ??
      before.permits(id),
  };
  const place = await vacated(before, after, read);
  if (place === undefined) return [];
  return fieldProblem(
    "roleId",
    roleId,
    `a role without which ${place} still has an administrator: first make a user an administrator there by another role, with user_grants_replace`,
  );
});

type Call = Parameters<Check>[0];
const none: readonly FieldProblem[] = [];

/** Whether a call concerns the identity that makes it. */
const isInUse = async ({ args, read }: Call): Promise<boolean> =>
  memberAt(await read("user_profile_get", {}), "uiIdentityId") === args["uiIdentityId"];

const otherUser =
  "another user: this is the identity in use, which could not undo the change. Another administrator can make it";

/** Refuses those of some calls that concern the identity that makes them. */
export const keepsInUse =
  (isGrave: (call: Call) => boolean): Check =>
  async (call) =>
    isGrave(call) && (await isInUse(call)) ? fieldProblem("uiIdentityId", call.args["uiIdentityId"], otherUser) : none;

/** Refuses to lock or delete the identity that makes the calls. */
export const keepsIdentityInUse = keepsInUse(() => true);

const turnsTfaOff = ({ args }: Call): boolean => (args["action"] ?? args["actions"]) === "disable";

export const keepsTfaInUse = keepsInUse(turnsTfaOff);

/** Document C: users cannot disable two-factor authentication if the account enables it by default. */
export const keepsOwnTfa: Check = (call) =>
  turnsTfaOff(call)
    ? fieldProblem("action", "disable", "enable or reset: the identity in use keeps its second factor")
    : none;

export const namesAction: Check = ({ args }) => {
  const { action, actions } = args;
  if (action === undefined && actions === undefined)
    return [{ field: "action", takes: "one of enable, disable, reset; it is required" }];
  return action === undefined || actions === undefined || action === actions
    ? none
    : fieldProblem("actions", actions, `no value, because action is given, or the same one, ${quoteValue(action)}`);
};

/** Refuses to take a role from the identity in use. */
export const keepsOwnGrants: Check = async (call) => {
  if (!(await isInUse(call))) return none;
  const { lost } = groupRoleChange(memberAt(await call.present(), "authGrants"), call.args["body"]);
  if (lost.length === 0) return none;
  const names = lost.map(({ roleName, roleId, groupId }) => `${plainOrQuoted(roleName ?? roleId)} in group ${groupId}`);
  return fieldProblem("body", `without ${names.join(", ")}`, `all roles of the identity in use, or ${otherUser}`);
};

/** Refuses to take permissions from a role that the identity in use holds. */
export const keepsOwnRole: Check = async ({ args, present, read }) => {
  const role = await present();
  const lost = lostPermissions(role, args["body"]);
  const holders = z.array(Person).safeParse(memberAt(role, "users")).data ?? [];
  if (lost.length === 0 || holders.length === 0) return none;
  const ownId = memberAt(await read("user_profile_get", {}), "uiIdentityId");
  if (!holders.some(({ uiIdentityId }) => uiIdentityId === ownId)) return none;
  return fieldProblem(
    "body.grantedRoles",
    `without ${listInWords(lost, permitName)}`,
    "all current permissions of the role: the identity in use holds it and could not undo the change. Another administrator can make it",
  );
};

/**
 * Refuses to change a second factor through a profile, whose approval covers only its addresses.
 * @param tools Those that change it.
 * @param absence What it means if a user is shown without it: an unknown value is left to the API.
 */
export const keepsAsItIs =
  (member: string, tools: string, absence: "none" | "unknown"): Check =>
  async ({ args, present }) => {
    const newValue = memberAt(args, `body.${member}`);
    const user = newValue === undefined ? undefined : await present();
    const now = memberAt(user, member);
    const isUnknown = absence === "none" ? user === undefined : now === undefined;
    const current = now === undefined ? "no value" : `${quoteValue(now)}, its current value, or no value`;
    return isUnknown || now === newValue
      ? none
      : fieldProblem(`body.${member}`, newValue, `${current}: ${tools} change it, with an approval`);
  };

export const keepsTfaAsItIs = keepsAsItIs("tfaEnabled", "user_tfa_set and user_profile_tfa_set", "unknown");

/** Refuses to delete a user who still has API clients or whom this identity may not delete, as the API would. */
export const mayDeleteUser: Check = async ({ args, present }) =>
  memberAt(await present(), "actions.delete") === false
    ? fieldProblem(
        "uiIdentityId",
        args["uiIdentityId"],
        "a user whom this identity may delete and who has no API clients: the API reports that this one cannot be deleted",
      )
    : none;

export const canDeleteGroup: Check = async ({ args, present, read }) => {
  const { groupId } = args;
  const group = await present();
  const refuse = (why: string) => fieldProblem("groupId", groupId, why);
  if (group === undefined) return none;
  const [place] = groupPlacesIn([group]);
  if (place?.group.parentGroupId === undefined) return refuse("a sub-group: a top group cannot be deleted");
  const below = place.group.subGroups ?? [];
  if (below.length > 0) return refuse(`a group without sub-groups, and this one has ${below.length}`);
  const users = usersIn(await read("users_list", { groupId, authGrants: true }));
  const holders = users.filter(({ authGrants }) => groupRolesIn(authGrants).some((held) => held.groupId === groupId));
  return holders.length === 0
    ? none
    : refuse(
        `a group without users, and ${peopleInWords(holders)} hold roles in it: change those with user_grants_replace first`,
      );
};

export const moveOf = ({ body }: Arguments) => body as z.output<typeof Move>;

/** What is wrong with the groups that a move names. */
function moveProblems(
  all: readonly GroupPlace[],
  { sourceGroupId: source, destinationGroupId: target }: z.output<typeof Move>,
): readonly FieldProblem[] {
  const [from, to] = [groupPlaceOf(all, source), groupPlaceOf(all, target)];
  const field = "body.destinationGroupId";
  if (from === undefined) return fieldProblem("body.sourceGroupId", source, "a group that user_groups_list shows");
  if (to === undefined) return fieldProblem(field, target, "a group that user_groups_list shows");
  return from.line[0] === to.line[0]
    ? none
    : fieldProblem(field, target, `a group below the same top group, ${plainOrQuoted(from.line[0]?.groupName)}`);
}

export const canMoveGroup: Check = async ({ args, present }) => {
  const all = groupPlacesIn(await present());
  const body = moveOf(args);
  const wrong = moveProblems(all, body);
  const from = groupPlaceOf(all, body.sourceGroupId);
  const to = groupPlaceOf(all, body.destinationGroupId);
  if (wrong.length > 0 || from === undefined || to === undefined) return wrong;
  if (from.group.parentGroupId === undefined)
    return fieldProblem("body.sourceGroupId", body.sourceGroupId, "a sub-group: a top group cannot be moved");
  const refuse = (takes: string) => fieldProblem("body.destinationGroupId", body.destinationGroupId, takes);
  if (to.line.includes(from.group)) return refuse("a group that is not the moved one and is not below it");
  return from.group.parentGroupId === to.group.groupId
    ? refuse(`a group other than ${plainOrQuoted(groupPathOf(to))}, which is already its parent`)
    : none;
};

export const canMoveProperty: Check = async ({ args, present, read }) => {
  const body = moveOf(args);
  const owner = memberAt(await present(), "groupId");
  if (owner !== undefined && owner !== body.sourceGroupId)
    return fieldProblem(
      "body.sourceGroupId",
      body.sourceGroupId,
      `${quoteValue(owner)}, the group that owns the property now`,
    );
  if (body.sourceGroupId === body.destinationGroupId)
    return fieldProblem("body.destinationGroupId", body.destinationGroupId, "a group other than the current one");
  return moveProblems(groupPlacesIn(await read("user_groups_list", {})), body);
};

/** Refuses to change a role of the vendor, as the API would; today's API has more types of those. */
export const canChangeRole: Check = async ({ args, present }) => {
  const type = memberAt(await present(), "type");
  return type === undefined || type === "custom"
    ? none
    : fieldProblem(
        "roleId",
        args["roleId"],
        `a custom role: a ${plainOrQuoted(type)} one cannot be changed or deleted`,
      );
};

export const canDeleteRole: Check = async (call) => {
  const users = memberAt(await call.present(), "users");
  if (Array.isArray(users) && users.length > 0)
    return fieldProblem(
      "roleId",
      call.args["roleId"],
      `a role that no user holds, and ${peopleInWords(users)} hold this one: give them another with user_grants_replace first`,
    );
  return canChangeRole(call);
};
