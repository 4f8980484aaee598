/** Previews of changes to how users sign in: locks, passwords, second factors, addresses, deletion. */
import type { Arguments, Guard } from "../../language/conduct.js";
import { act, guardsOf, reversal, statement } from "../../language/guards.js";
import { memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { groupRolesIn, loginOf, personName, userOf } from "./tree.js";

/** The roles that a user holds, each with its group, or other words if none is known. */
const rolesOf = (present: unknown, otherwise: string): string =>
  listInWords(
    groupRolesIn(memberAt(present, "authGrants")),
    ({ roleName, roleId, groupName, groupId }) =>
      `${plainOrQuoted(roleName ?? roleId)} in ${plainOrQuoted(groupName ?? groupId ?? "the account")}`,
  ) || otherwise;

const ofUser = guardsOf("user", userOf, loginOf);

export const userLock = ofUser("LOCK OUT", {
  kind: "access",
  results: (_, present) =>
    `the user cannot sign in, and loses ${rolesOf(present, "their access")}, until user_unlock unlocks them`,
  warns: (_, present) => [memberAt(present, "isLocked") === true && "This user is already locked, so nothing changes."],
  undo: reversal("user_unlock", "uiIdentityId"),
});

export const userUnlock = ofUser("UNLOCK", {
  kind: "access",
  results: (_, present) => `the user can sign in again, and gains ${rolesOf(present, "no role")}`,
  warns: (_, present) => [memberAt(present, "isLocked") === false && "This user is not locked, so nothing changes."],
  undo: reversal("user_lock", "uiIdentityId"),
});

export const userDeletion = ofUser("DELETE", {
  kind: "delete",
  results: (_, present) => `the user loses ${rolesOf(present, "their access")}`,
  undo: { never: "A deleted user cannot be restored, and one created again with user_create has another id." },
});

const stops = "the current one stops working at once";
const ofPassword = guardsOf("password", (args, present) => `THE PASSWORD of ${userOf(args, present)}`, loginOf);
const password = {
  kind: "credential",
  undo: { never: "The earlier password cannot be restored, but another one can be set." },
} as const;

export const passwordReset = ofPassword("RESET", {
  ...password,
  results: ({ sendEmail }, present) => {
    const mail = plainOrQuoted(memberAt(present, "email") ?? "the user's address");
    return `${stops}, and a one-time password is ${sendEmail === true ? `mailed to ${mail}` : "written to a file"}`;
  },
});

export const passwordSetting = ofPassword("SET", {
  ...password,
  results: () => `${stops}, and anyone who knows the new one can sign in`,
});

/** The identity in use, in words. */
export const inUse = (_: Arguments, present: unknown): string =>
  `${personName(present, "the identity in use")}, the identity in use`;

export const ownPasswordChange: Guard = {
  ...password,
  thing: "password",
  target: (_, present) => String(memberAt(present, "uiUserName") ?? "password"),
  says: (args, present) => act`CHANGE THE PASSWORD of ${inUse(args, present)}: ${stops}`,
  warns: () => ["Too many attempts with a wrong current password lock the account."],
};

const tfaWords: Readonly<Record<string, string>> = {
  enable: "a second factor is required at the next sign-in",
  disable: "anyone who knows the password can sign in",
  reset: "the current second factor is discarded, and the next person to sign in with the password sets up a new one",
};
const tfaActionOf = ({ action, actions }: Arguments): string => String(action ?? actions);
const tfaGuard = (who: (args: Arguments, present: unknown) => string): Guard => ({
  kind: "access",
  thing: "two-factor authentication",
  target: (args, present) =>
    String(memberAt(present, "uiUserName") ?? args["uiIdentityId"] ?? "two-factor authentication"),
  says: (args, present) =>
    statement(
      tfaActionOf(args).toUpperCase(),
      `TWO-FACTOR AUTHENTICATION of ${who(args, present)}`,
      tfaWords[tfaActionOf(args)] ?? "it changes",
    ),
  undo: {
    by: "Call the same tool with the action enable or disable. A reset is permanent: the user sets up a second factor again at the next sign-in.",
  },
});

export const tfaChange = tfaGuard(userOf);
export const ownTfaChange = tfaGuard(inUse);

/** Where mail goes before and after the change, for each address of the profile. */
function mailIn(args: Arguments, present: unknown): readonly string[] {
  const places = ["email", "secondaryEmail"].flatMap((name) => {
    const [before, after] = [memberAt(present, name), memberAt(args, `body.${name}`)];
    const kind = name === "email" ? "mail" : "secondary mail";
    if (after === undefined || after === "")
      return before ? [`${kind} no longer goes to ${plainOrQuoted(before)}`] : [];
    if (before === after) return [`${kind} still goes to ${plainOrQuoted(after)}`];
    return [
      `${kind}, including one-time passwords, goes to ${plainOrQuoted(after)}${before ? ` instead of ${plainOrQuoted(before)}` : ""}`,
    ];
  });
  return places.length === 0 ? ["no address is given"] : places;
}

const replacement = {
  kind: "overwrite",
  when: "sending",
  replaces: "body",
  undo: "rewrite",
} as const satisfies Partial<Guard>;

export const ownProfileReplacement: Guard = {
  ...replacement,
  thing: "profile",
  says: (args, present) => act`REPLACE THE PROFILE of ${inUse(args, present)}: ${mailIn(args, present)}`,
};

export const profileReplacement: Guard = {
  ...replacement,
  thing: "profile of user",
  target: loginOf,
  says: (args, present) => act`REPLACE THE PROFILE of ${userOf(args, present)}: ${mailIn(args, present)}`,
};
