/** The preview of creating a user: what the new user can do, and what is grave about it. */
import type { Arguments, Guard } from "../../language/conduct.js";
import { act, removal } from "../../language/guards.js";
import { listAt, memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted, withoutFalse } from "../../language/words.js";
import { permitsOf, roleWords } from "./role-guards.js";
import { type GroupRole, groupRolesIn, personName, usersIn } from "./tree.js";

/** The user whose roles are copied, by id or, for today's API, by username; undefined if none are, or if it is unknown. */
const originalOf = ({ body }: Arguments, present: unknown) => {
  const original = memberAt(body, "cloneFrom");
  return usersIn(present).find(({ uiIdentityId, uiUserName }) => [uiIdentityId, uiUserName].includes(String(original)));
};

/** The roles that the new user gets: the given ones, and those of the user that it copies. */
const rolesFor = (args: Arguments, present: unknown) => [
  ...groupRolesIn(memberAt(args, "body.authGrants")),
  ...groupRolesIn(originalOf(args, present)?.authGrants),
];

/** The permissions of each role: they decide whether the user can let others in, so the approval is bound to them. */
export const readForCreation = {
  groups: { by: "user_groups_list", args: () => ({}) },
  roles: {
    by: "user_role_get",
    args: (args: Arguments, present: unknown) =>
      [...new Set(rolesFor(args, present).map(({ roleId }) => roleId))].map((roleId) => ({
        roleId,
        grantedRoles: true,
      })),
    isBound: true,
  },
} as const;

/** Matches the names of permissions and roles that manage users or credentials. */
const ofAccess =
  /admin|user|identit|account|role|group|access|permission|credential|api.?client|password|secret|token/i;

/** The permissions of a role that manage users or credentials, as far as they are known. */
const gravePermits = (role: unknown) =>
  (permitsOf(role) ?? []).filter(({ grantedRoleName, grantedRoleDescription }) =>
    ofAccess.test(`${grantedRoleName} ${String(grantedRoleDescription ?? "")}`),
  );

const isNamedGrave = (role: unknown): boolean => ofAccess.test(String(memberAt(role, "roleName")));

/** Whether a role manages users or credentials, by its permissions if they are known, and by its name. */
export const managesAccess = (role: unknown): boolean => gravePermits(role).length > 0 || isNamedGrave(role);

/** Why a role counts as one that manages users or credentials; undefined if it permits only other things. */
function gravityOf(roleId: number, roles: unknown): string | undefined {
  const role = listAt(roles, []).find((one) => memberAt(one, "roleId") === roleId);
  const permits = permitsOf(role);
  const name = plainOrQuoted(memberAt(role, "roleName") ?? roleId);
  if (permits === undefined || permits.length === 0) return `the permissions of the role ${name} are unknown`;
  const unnamed = permits.some(({ grantedRoleName }) => !grantedRoleName);
  if (unnamed) return `the role ${name} has an unnamed permission`;
  const grave = gravePermits(role);
  if (grave.length > 0)
    return `the role ${name} manages users or credentials (${listInWords(grave.map((one) => plainOrQuoted(one.grantedRoleName)))})`;
  return isNamedGrave(role) ? `the role ${name} has the name of one that manages users or credentials` : undefined;
}

function graveRoles(args: Arguments, present: unknown, { roles }: Arguments): string[] {
  const cloned = memberAt(args, "body.cloneFrom");
  const unknown =
    cloned !== undefined && originalOf(args, present)?.authGrants === undefined
      ? [`the roles of ${plainOrQuoted(cloned)}, which it copies, are unknown`]
      : [];
  const ids = new Set(rolesFor(args, present).map(({ roleId }) => roleId));
  return [...unknown, ...[...ids].flatMap((roleId) => gravityOf(roleId, roles) ?? [])];
}

const domainOf = (mail: unknown): string => String(mail).toLowerCase().split("@").at(-1) ?? "";

/** What is suspicious about an address of a new user. */
function mailWarning(mail: unknown, present: unknown): string | false {
  const known = usersIn(present);
  const same = known.find(({ email }) => String(email).toLowerCase() === String(mail).toLowerCase());
  if (same) return `${personName(same)} already has the email address ${plainOrQuoted(mail)}.`;
  const domain = domainOf(mail);
  const isKnown = known.length === 0 || known.some(({ email }) => email !== undefined && domainOf(email) === domain);
  return !isKnown && `No other user has an email address at ${plainOrQuoted(domain)}.`;
}

/** The roles that a new user gets, as clauses. */
function rolesInWords({ body }: Arguments, present: unknown, related: Arguments): readonly string[] {
  // Only the first few are named, so the gravest come first.
  const inWords = (held: readonly GroupRole[]) => {
    const isGrave = ({ roleId }: GroupRole) => gravityOf(roleId, related["roles"]) !== undefined;
    return (
      listInWords([...held.filter(isGrave), ...held.filter((one) => !isGrave(one))], roleWords(related)) || "nothing"
    );
  };
  const original = memberAt(body, "cloneFrom");
  const named = groupRolesIn(memberAt(body, "authGrants"));
  const copied = originalOf({ body }, present);
  const copies =
    copied === undefined
      ? `the roles of ${plainOrQuoted(original)}, who is unknown`
      : `the roles of ${personName(copied)}, which are ${inWords(groupRolesIn(copied.authGrants))}`;
  return withoutFalse((named.length > 0 || original === undefined) && inWords(named), original !== undefined && copies);
}

/** The preview of a creation; how the body says that no second factor is required differs between the APIs. */
export const userCreation = (hasNoFactor: (args: Arguments) => boolean): Guard => ({
  kind: "create",
  thing: "user",
  target: ({ body }) => String(memberAt(body, "email")),
  says: (args, present, related) => {
    const { body, sendEmail } = args;
    const name = ["firstName", "lastName"].map((part) => memberAt(body, part)).join(" ");
    const roles = listInWords(rolesInWords(args, present, related));
    const second = memberAt(body, "secondaryEmail");
    return act`CREATE USER ${plainOrQuoted(memberAt(body, "email"))} (${plainOrQuoted(name)}) with ${roles}: the password is ${sendEmail === true ? "mailed to that address" : "written to a file"}; ${second ? `secondary mail goes to ${plainOrQuoted(second)}` : false}`;
  },
  warns: (args, present, related) => [
    ...new Set(
      ["email", "secondaryEmail"]
        .flatMap((name) => memberAt(args, `body.${name}`) || [])
        .map((mail) => mailWarning(mail, present)),
    ),
    ...graveRoles(args, present, related).map((clause) => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`),
    hasNoFactor(args) && "No second factor is required: the password is enough to sign in.",
  ],
  critical: [graveRoles],
  undo: removal("user_delete", "uiIdentityId"),
});
