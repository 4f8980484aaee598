/** Previews of creating a user and of changing roles or blocked properties: who gains and loses what. */
import type { Arguments, Guard } from "../../language/conduct.js";
import { act, guardsOf, type Membership, membership, removal } from "../../language/guards.js";
import { memberAt } from "../../language/member.js";
import { listed, plain, withoutFalse } from "../../language/words.js";
import { z } from "../../language/z.js";
import { permitsOf } from "./role-guards.js";
import { Grants, Property, Role } from "./shapes.js";
import { heldIn, loginOf, pathOf, personName, placed, placeOf, userOf, usersIn } from "./tree.js";

type Held = ReturnType<typeof heldIn>[number];

/** Roles in groups, in words: by the names that were read for the preview, or by their ids. */
function roleWords(held: readonly Held[], { groups, roles }: Arguments): string {
  if (held.length === 0) return "nothing";
  // Among several reads, null is a role that does not exist.
  const known = (z.array(Role.nullable()).safeParse(roles).data ?? []).filter((one) => one !== null);
  const tree = placed(groups);
  const named = ({ roleId, roleName, groupId }: Held) => {
    const role = known.find((one) => one.roleId === roleId)?.roleName ?? roleName ?? roleId;
    const place = placeOf(tree, groupId);
    if (groupId === undefined) return `${plain(role)} in the whole account`;
    return `${plain(role)} in ${place === undefined ? `group ${plain(groupId)}` : plain(pathOf(place))}`;
  };
  return listed(held.map(named));
}

/** A clause on who loses and gains what. */
const turnover = <T>({ lost, gained }: Membership<T>, wordsOf: (some: readonly T[]) => string): string =>
  `they lose ${wordsOf(lost)} and gain ${wordsOf(gained)}`;

export const grantChange = guardsOf(
  "roles",
  (args, present) => `THE ROLES of ${userOf(args, present)}`,
  loginOf,
)("REPLACE", {
  kind: "access",
  results: ({ body }, present, related) => {
    const after = heldIn(Grants.safeParse(body).data);
    const now = Grants.safeParse(memberAt(present, "authGrants")).data;
    const wordsOf = (held: readonly Held[]) => roleWords(held, related);
    if (now === undefined) return `they will have ${wordsOf(after)}`;
    return turnover(
      membership(heldIn(now), after, ({ groupId, roleId }) => `${groupId} ${roleId}`),
      wordsOf,
    );
  },
  undo: {
    tool: "user_grants_replace",
    args: ({ given: { uiIdentityId }, before }) => {
      const body = memberAt(before, "authGrants");
      return body === undefined ? undefined : { uiIdentityId, body };
    },
  },
});

const idsIn = (value: unknown): readonly number[] => z.array(z.int()).safeParse(value).data ?? [];

const propertiesIn = ({ properties }: Arguments) => z.array(Property).safeParse(properties).data ?? [];

export const blockedChange = guardsOf(
  "blocked properties",
  ({ groupId: id, ...args }, _, related) => {
    const name = propertiesIn(related).find(({ groupId }) => groupId === id)?.groupName;
    const group = name === undefined ? plain(id) : `${plain(name)} (${plain(id)})`;
    return `THE BLOCKED PROPERTIES of ${userOf(args, related["user"])}, in group ${group}`;
  },
  (args, _, { user }) => loginOf(args, user),
)("REPLACE", {
  kind: "access",
  replaces: "body",
  undo: "rewrite",
  results: ({ body }, present, related) => {
    const known = propertiesIn(related);
    const nameOf = (id: number) => known.find(({ propertyId }) => propertyId === id)?.propertyName ?? `property ${id}`;
    const words = (ids: readonly number[]) => (ids.length === 0 ? "nothing" : listed(ids, (id) => plain(nameOf(id))));
    // What is no longer blocked is gained.
    return present === undefined
      ? `they will not be able to work on ${words(idsIn(body))}`
      : turnover(membership(idsIn(body), idsIn(present)), words);
  },
});

const grantsIn = (value: unknown) => heldIn(Grants.safeParse(value).data);

/** The user whose roles are copied, by id or, for today's API, by username; undefined if none are, or if it is unknown. */
const originalOf = ({ body }: Arguments, present: unknown) => {
  const original = memberAt(body, "cloneFrom");
  return usersIn(present).find(({ uiIdentityId, uiUserName }) => [uiIdentityId, uiUserName].includes(String(original)));
};

/** The roles that the new user gets: the given ones, and those of the user that it copies. */
const rolesFor = (args: Arguments, present: unknown) => [
  ...grantsIn(memberAt(args, "body.authGrants")),
  ...heldIn(originalOf(args, present)?.authGrants),
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
  const role = (Array.isArray(roles) ? roles : []).find((one) => memberAt(one, "roleId") === roleId);
  const permits = permitsOf(role);
  const name = plain(memberAt(role, "roleName") ?? roleId);
  if (permits === undefined || permits.length === 0) return `the permissions of the role ${name} are unknown`;
  const unnamed = permits.some(({ grantedRoleName }) => !grantedRoleName);
  if (unnamed) return `the role ${name} has an unnamed permission`;
  const grave = gravePermits(role);
  if (grave.length > 0)
    return `the role ${name} manages users or credentials (${listed(grave.map((one) => plain(one.grantedRoleName)))})`;
  return isNamedGrave(role) ? `the role ${name} has the name of one that manages users or credentials` : undefined;
}

function graveRoles(args: Arguments, present: unknown, { roles }: Arguments): string[] {
  const cloned = memberAt(args, "body.cloneFrom");
  const unknown =
    cloned !== undefined && originalOf(args, present)?.authGrants === undefined
      ? [`the roles of ${plain(cloned)}, which it copies, are unknown`]
      : [];
  const ids = new Set(rolesFor(args, present).map(({ roleId }) => roleId));
  return [...unknown, ...[...ids].flatMap((roleId) => gravityOf(roleId, roles) ?? [])];
}

const domainOf = (mail: unknown): string => String(mail).toLowerCase().split("@").at(-1) ?? "";
const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

/** The addresses of a new user. */
const mailsIn = ({ body }: Arguments): readonly unknown[] =>
  ["email", "secondaryEmail"].flatMap((name) => memberAt(body, name) || []);

/** What is suspicious about an address of a new user. */
function mailWarning(mail: unknown, present: unknown): string | false {
  const known = usersIn(present);
  const same = known.find(({ email }) => String(email).toLowerCase() === String(mail).toLowerCase());
  if (same) return `${personName(same)} already has the email address ${plain(mail)}.`;
  const domain = domainOf(mail);
  const isKnown = known.length === 0 || known.some(({ email }) => email !== undefined && domainOf(email) === domain);
  return !isKnown && `No other user has an email address at ${plain(domain)}.`;
}

/** The roles that a new user gets, as clauses. */
function rolesInWords({ body }: Arguments, present: unknown, related: Arguments): readonly string[] {
  // Only the first few are named, so the gravest come first.
  const inWords = (held: ReturnType<typeof heldIn>) => {
    const isGrave = ({ roleId }: { readonly roleId: number }) => gravityOf(roleId, related["roles"]) !== undefined;
    return roleWords([...held.filter(isGrave), ...held.filter((one) => !isGrave(one))], related);
  };
  const original = memberAt(body, "cloneFrom");
  const named = grantsIn(memberAt(body, "authGrants"));
  const copied = originalOf({ body }, present);
  const copies =
    copied === undefined
      ? `the roles of ${plain(original)}, who is unknown`
      : `the roles of ${personName(copied)}, which are ${inWords(heldIn(copied.authGrants))}`;
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
    const roles = listed(rolesInWords(args, present, related));
    const second = memberAt(body, "secondaryEmail");
    return act`CREATE USER ${plain(memberAt(body, "email"))} (${plain(name)}) with ${roles}: the password is ${sendEmail === true ? "mailed to that address" : "written to a file"}; ${second ? `secondary mail goes to ${plain(second)}` : false}`;
  },
  warns: (args, present, related) => [
    ...new Set(mailsIn(args).map((mail) => mailWarning(mail, present))),
    ...graveRoles(args, present, related).map(sentence),
    hasNoFactor(args) && "No second factor is required: the password is enough to sign in.",
  ],
  critical: [graveRoles],
  undo: removal("user_delete", "uiIdentityId"),
});
