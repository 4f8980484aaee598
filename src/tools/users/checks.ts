/** What user administration refuses before it is sent: what the API would refuse, and what nobody could take back. */
import type { Check } from "../../language/check.js";
import { type FieldProblem, problem, shown } from "../../language/failure.js";
import { memberAt } from "../../language/member.js";
import { listed, plain } from "../../language/words.js";
import { z } from "../../language/z.js";
import { people } from "./naming.js";
import { lostPermissions } from "./permissions.js";
import { Grants, Person } from "./shapes.js";
import { heldIn, isSameTop, type Placed, pathOf, placed, placeOf, usersIn } from "./tree.js";

type Call = Parameters<Check>[0];
const none: readonly FieldProblem[] = [];

/** Whether a call is about the identity that it is made as. */
const isInUse = async ({ args, read }: Call): Promise<boolean> =>
  memberAt(await read("user_profile_get", {}), "uiIdentityId") === args["uiIdentityId"];

const otherUser =
  "another user: this is the identity in use, and without it nobody here could take the change back. Another administrator can do it";

/** Refuses to lock or delete whoever the calls are made as. */
export const keepsIdentityInUse: Check = async (call) =>
  (await isInUse(call)) ? problem("uiIdentityId", call.args["uiIdentityId"], otherUser) : none;

const turnsTfaOff = ({ args }: Call): boolean => (args["action"] ?? args["actions"]) === "disable";

export const keepsTfaInUse: Check = async (call) =>
  turnsTfaOff(call) && (await isInUse(call)) ? problem("uiIdentityId", call.args["uiIdentityId"], otherUser) : none;

/** Document C: users cannot disable two-factor authentication where the account enables it by default. */
export const keepsOwnTfa: Check = (call) =>
  turnsTfaOff(call)
    ? problem("action", "disable", "enable or reset: the identity in use keeps its second factor")
    : none;

export const namesAction: Check = ({ args }) => {
  const { action, actions } = args;
  if (action === undefined && actions === undefined)
    return [{ field: "action", takes: "one of enable, disable, reset; it is required" }];
  return action === undefined || actions === undefined || action === actions
    ? none
    : problem("actions", actions, `nothing beside action, or the same, ${shown(action)}`);
};

/** Refuses to take a role from the identity in use. */
export const keepsOwnGrants: Check = async (call) => {
  if (!(await isInUse(call))) return none;
  const key = ({ groupId, roleId }: ReturnType<typeof heldIn>[number]) => `${groupId} ${roleId}`;
  const kept = new Set(heldIn(Grants.safeParse(call.args["body"]).data).map(key));
  const before = heldIn(Grants.safeParse(memberAt(await call.present(), "authGrants")).data);
  const lost = before.filter((one) => !kept.has(key(one)));
  if (lost.length === 0) return none;
  const names = lost.map(({ roleName, roleId, groupId }) => `${plain(roleName ?? roleId)} in group ${groupId}`);
  return problem("body", `without ${names.join(", ")}`, `all roles of the identity in use; ${otherUser}`);
};

/** Refuses to take permissions from a role that the identity in use holds. */
export const keepsOwnRole: Check = async ({ args, present, read }) => {
  const role = await present();
  const lost = lostPermissions(role, args["body"]);
  const holders = z.array(Person).safeParse(memberAt(role, "users")).data ?? [];
  if (lost.length === 0 || holders.length === 0) return none;
  const own = memberAt(await read("user_profile_get", {}), "uiIdentityId");
  if (!holders.some(({ uiIdentityId }) => uiIdentityId === own)) return none;
  return problem(
    "body.grantedRoles",
    `without ${listed(lost.map(({ grantedRoleName, grantedRoleId }) => plain(grantedRoleName ?? grantedRoleId)))}`,
    "all that the role permits now: the identity in use holds it, and nobody here could take the change back. Another administrator can do it",
  );
};

/** Refuses to change two-factor authentication in a profile, which is approved for its addresses alone. */
export const keepsTfaAsItIs: Check = async ({ args, present }) => {
  const given = memberAt(args, "body.tfaEnabled");
  if (given === undefined) return none;
  const now = memberAt(await present(), "tfaEnabled");
  return now === undefined || now === given
    ? none
    : problem(
        "body.tfaEnabled",
        given,
        `${shown(now)}, as it is now, or nothing: user_tfa_set and user_profile_tfa_set change it, which takes an approval`,
      );
};

/** Known to be refused: a user who still has API clients, or whom this identity may not delete. */
export const mayDeleteUser: Check = async ({ args, present }) =>
  memberAt(await present(), "actions.delete") === false
    ? problem(
        "uiIdentityId",
        args["uiIdentityId"],
        "a user whom this identity may delete and who has no API clients: the API says of this one that it cannot be deleted",
      )
    : none;

export const canDeleteGroup: Check = async ({ args, present, read }) => {
  const { groupId } = args;
  const found = await present();
  const refuse = (why: string) => problem("groupId", groupId, why);
  if (found === undefined) return none;
  const [place] = placed([found]);
  if (place?.group.parentGroupId === undefined) return refuse("a sub-group: a top group cannot be deleted");
  const below = place.group.subGroups ?? [];
  if (below.length > 0) return refuse(`a group without sub-groups, and this one has ${below.length}`);
  const users = usersIn(await read("users_list", { groupId, authGrants: true }));
  const own = users.filter(({ authGrants }) => heldIn(authGrants).some((held) => held.groupId === groupId));
  return own.length === 0
    ? none
    : refuse(`a group without users, and ${people(own)} hold roles in it: change those with user_grants_replace first`);
};

/** Where groups stand that a move names, and what is wrong with it. */
function moveProblems(all: readonly Placed[], body: unknown): readonly FieldProblem[] {
  const [source, target] = ["sourceGroupId", "destinationGroupId"].map((name) => memberAt(body, name));
  const [from, to] = [placeOf(all, source), placeOf(all, target)];
  const field = "body.destinationGroupId";
  if (from === undefined) return problem("body.sourceGroupId", source, "a group that user_groups_list shows");
  if (to === undefined) return problem(field, target, "a group that user_groups_list shows");
  return isSameTop(from, to)
    ? none
    : problem(field, target, `a group below the same top group, ${plain(from.line[0]?.groupName)}`);
}

export const canMoveGroup: Check = async ({ args, present }) => {
  const all = placed(await present());
  const body = args["body"] as { readonly sourceGroupId: number; readonly destinationGroupId: number };
  const wrong = moveProblems(all, body);
  const from = placeOf(all, body.sourceGroupId);
  const to = placeOf(all, body.destinationGroupId);
  if (wrong.length > 0 || from === undefined || to === undefined) return wrong;
  if (from.group.parentGroupId === undefined)
    return problem("body.sourceGroupId", body.sourceGroupId, "a sub-group: a top group cannot be moved");
  const refuse = (takes: string) => problem("body.destinationGroupId", body.destinationGroupId, takes);
  if (to.line.includes(from.group)) return refuse("a group that is not the moved one and does not stand below it");
  return from.group.parentGroupId === to.group.groupId
    ? refuse(`another group than ${plain(pathOf(to))}, under which it stands already`)
    : none;
};

export const canMoveProperty: Check = async ({ args, present, read }) => {
  const body = args["body"] as { readonly sourceGroupId: number; readonly destinationGroupId: number };
  const owner = memberAt(await present(), "groupId");
  if (owner !== undefined && owner !== body.sourceGroupId)
    return problem("body.sourceGroupId", body.sourceGroupId, `${shown(owner)}, the group that owns the property now`);
  if (body.sourceGroupId === body.destinationGroupId)
    return problem("body.destinationGroupId", body.destinationGroupId, "another group than the present one");
  return moveProblems(placed(await read("user_groups_list", {})), body);
};

/** Known to be refused: the standard roles are the vendor's. */
export const canChangeRole: Check = async ({ args, present }) =>
  memberAt(await present(), "type") === "standard"
    ? problem("roleId", args["roleId"], "a custom role: a standard one cannot be changed or deleted")
    : none;

export const canDeleteRole: Check = async (call) => {
  const users = memberAt(await call.present(), "users");
  if (Array.isArray(users) && users.length > 0)
    return problem(
      "roleId",
      call.args["roleId"],
      `a role that nobody holds, and ${people(users)} hold this one: give them another with user_grants_replace first`,
    );
  return canChangeRole(call);
};
