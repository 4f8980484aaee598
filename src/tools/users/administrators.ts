/** Who administers the account, and the refusal of a change after which nobody could. */
import { type Read, safeguard } from "../../language/check.js";
import { problem } from "../../language/failure.js";
import { memberAt } from "../../language/member.js";
import { plain } from "../../language/words.js";
import { z } from "../../language/z.js";
import { lostPermissions, missingFrom, permitsOf } from "./permissions.js";
import { Grants, Role } from "./shapes.js";
import { heldIn, type ListedUser, type Placed, pathOf, placed, placeOf, usersIn } from "./tree.js";

/** An administrator's role in a group, held by somebody who can sign in. */
interface Post {
  readonly groupId: number | undefined;
  readonly roleId: number;
}

/** The posts of an account, and what each role permits there. */
interface Staff {
  readonly posts: readonly Post[];
  readonly permits: (roleId: number) => Promise<ReturnType<typeof permitsOf>>;
}

// Of the standard roles it is the one that may do everything (public facts C, 1).
const isAdministrators = (roleName: unknown): boolean => /^admin(istrator)?$/i.test(String(roleName));

/** The users of the account as they are now, which posts each has, and all of them. */
async function staffOf(read: Read) {
  const roles = z.array(Role).safeParse(await read("user_roles_list", {})).data ?? [];
  const users = usersIn(await read("users_list", { authGrants: true }));
  const ids = new Set(roles.filter(({ roleName }) => isAdministrators(roleName)).map(({ roleId }) => roleId));
  const postsOf = ({ isLocked, authGrants }: Pick<ListedUser, "isLocked" | "authGrants">): Post[] =>
    isLocked === true ? [] : heldIn(authGrants).filter(({ roleId }) => ids.has(roleId));
  const permits: Staff["permits"] = async (roleId) =>
    permitsOf(await read("user_role_get", { roleId, grantedRoles: true }));
  return { users, postsOf, before: { posts: users.flatMap(postsOf), permits } satisfies Staff };
}

/** Whether a group is another one or stands above it; a role without a group holds everywhere. */
const isAtOrAbove = (one: Post["groupId"], other: Post["groupId"], tree: readonly Placed[]): boolean =>
  one === undefined || one === other || (placeOf(tree, other)?.line.some(({ groupId }) => groupId === one) ?? false);

/**
 * A post that is there before a change and that nobody fills after it: nobody in its group, or in one above it, has a role
 * that permits no less. A role that only has the name of an administrator's is none.
 */
async function unfilled(
  before: Staff,
  after: Staff,
  read: Read,
): Promise<(Post & { readonly place: string }) | undefined> {
  for (const post of before.posts) {
    const tree = placed(await read("user_groups_list", {}));
    const had = await before.permits(post.roleId);
    let isFilled = false;
    for (const { groupId, roleId } of after.posts) {
      if (!isAtOrAbove(groupId, post.groupId, tree)) continue;
      const has = await after.permits(roleId);
      const isSameRole = roleId === post.roleId && before.permits === after.permits;
      isFilled ||= isSameRole || (had !== undefined && has !== undefined && missingFrom(had, has).length === 0);
    }
    const found = placeOf(tree, post.groupId);
    if (!isFilled) return { ...post, place: found === undefined ? "the account" : plain(pathOf(found)) };
  }
  return undefined;
}

/** Refuses to take away a user, or a user's roles, where nobody who can sign in would be an administrator any more. */
export const keepsAnAdministrator = safeguard(async ({ args: { uiIdentityId, body }, read }) => {
  const { users, postsOf, before } = await staffOf(read);
  const target = users.find((user) => user.uiIdentityId === uiIdentityId);
  if (target === undefined || postsOf(target).length === 0) return [];
  const kept = { ...target, authGrants: Grants.safeParse(body).data ?? [] };
  const others = users.filter((user) => user !== target);
  const lost = await unfilled(before, { ...before, posts: [...others, kept].flatMap(postsOf) }, read);
  if (lost === undefined) return [];
  return problem(
    "uiIdentityId",
    uiIdentityId,
    `a user who is not the last administrator of ${lost.place}: make another user an administrator there with user_grants_replace first`,
  );
});

/** Refuses to rename an administrator's role, or to take permissions from it, where nobody would be an administrator any more. */
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
  const lost = await unfilled(before, after, read);
  if (lost === undefined) return [];
  return problem(
    "roleId",
    roleId,
    `a role without which ${lost.place} still has an administrator: make a user one there with another role first, by user_grants_replace`,
  );
});
