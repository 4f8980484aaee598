/** What a person has to know before a way in changes: locks, passwords, second factors, addresses, deletion. */
import type { Arguments, Guard } from "../../language/conduct.js";
import { memberAt } from "../../language/member.js";
import { listed, plain } from "../../language/words.js";
import { Grants } from "./shapes.js";
import { heldIn, loginOf, personName, userOf } from "./tree.js";

/** The roles that somebody holds, each with its group; what there is to say where none is known. */
function rolesOf(present: unknown, otherwise: string): string {
  const held = heldIn(Grants.safeParse(memberAt(present, "authGrants")).data).map(
    ({ roleName, roleId, groupName, groupId }) =>
      `${plain(roleName ?? roleId)} in ${plain(groupName ?? groupId ?? "the account")}`,
  );
  return held.length === 0 ? otherwise : listed(held);
}

const stops = "the present one stops working at once";
const noWayBack = { never: "An earlier password does not come back, but another one can be set." } as const;

export const userLock: Guard = {
  kind: "access",
  thing: "user",
  target: loginOf,
  says: (args, present) =>
    `LOCK OUT ${userOf(args, present)}: they cannot sign in, and lose ${rolesOf(present, "their access")}, until user_unlock lets them in again`,
  warns: (_, present) =>
    memberAt(present, "isLocked") === true ? ["This user is locked already, so nothing changes."] : [],
  undo: { tool: "user_unlock", args: ({ given: { uiIdentityId } }) => ({ uiIdentityId }) },
};

export const userUnlock: Guard = {
  kind: "access",
  thing: "user",
  target: loginOf,
  says: (args, present) =>
    `UNLOCK ${userOf(args, present)}: they can sign in again, and gain ${rolesOf(present, "no role")}`,
  warns: (_, present) =>
    memberAt(present, "isLocked") === false ? ["This user is not locked, so nothing changes."] : [],
  undo: { tool: "user_lock", args: ({ given: { uiIdentityId } }) => ({ uiIdentityId }) },
};

export const userDeletion: Guard = {
  kind: "delete",
  thing: "user",
  target: loginOf,
  says: (args, present) => `DELETE ${userOf(args, present)}: they lose ${rolesOf(present, "their access")}`,
  undo: { never: "A deleted user does not come back, and a new one by user_create has another id." },
};

export const passwordReset: Guard = {
  kind: "credential",
  thing: "password",
  target: loginOf,
  says: (args, present) => {
    const goes =
      args["sendEmail"] === true
        ? `is mailed to ${plain(memberAt(present, "email") ?? "the user's address")}`
        : "goes to a file";
    return `RESET THE PASSWORD of ${userOf(args, present)}: ${stops}, and a one-time password ${goes}`;
  },
  undo: noWayBack,
};

export const passwordSetting: Guard = {
  kind: "credential",
  thing: "password",
  target: loginOf,
  says: (args, present) =>
    `SET THE PASSWORD of ${userOf(args, present)}: ${stops}, and whoever knows the new one can sign in`,
  undo: noWayBack,
};

export const ownPasswordChange: Guard = {
  kind: "credential",
  thing: "password",
  target: (_, present) => String(memberAt(present, "uiUserName") ?? "password"),
  says: (_, present) =>
    `CHANGE THE PASSWORD of ${personName(present, "the identity in use")}, the identity in use: ${stops}`,
  warns: () => ["Too many attempts with a wrong present password lock the account."],
  undo: noWayBack,
};

const tfaWords: Readonly<Record<string, string>> = {
  enable: "a second factor is asked for at the next sign-in",
  disable: "the password alone lets in whoever knows it",
  reset: "the present second factor is forgotten, and whoever signs in next with the password sets up a new one",
};
const tfaActionOf = ({ action, actions }: Arguments): string => String(action ?? actions);
const tfaGuard = (who: (args: Arguments, present: unknown) => string): Guard => ({
  kind: "access",
  thing: "two-factor authentication",
  target: (args, present) =>
    String(memberAt(present, "uiUserName") ?? args["uiIdentityId"] ?? "two-factor authentication"),
  says: (args, present) =>
    `${tfaActionOf(args).toUpperCase()} TWO-FACTOR AUTHENTICATION of ${who(args, present)}: ${tfaWords[tfaActionOf(args)] ?? "it changes"}`,
  undo: {
    by: "Call the same tool with the action enable or disable. A reset is not taken back: the user sets up a second factor again at the next sign-in.",
  },
});

export const tfaChange = tfaGuard(userOf);
export const ownTfaChange = tfaGuard(
  (_, present) => `${personName(present, "the identity in use")}, the identity in use`,
);

/** Where mail goes, before and after, for each address that the profile has. */
function mailIn(args: Arguments, present: unknown): string {
  const places = ["email", "secondaryEmail"].flatMap((name) => {
    const [before, after] = [memberAt(present, name), memberAt(args, `body.${name}`)];
    const kind = name === "email" ? "mail" : "secondary mail";
    if (after === undefined || after === "") return before ? [`no ${kind} to ${plain(before)} any more`] : [];
    if (before === after) return [`${kind} still to ${plain(after)}`];
    return [`${kind}, one-time passwords included, to ${plain(after)}${before ? ` instead of ${plain(before)}` : ""}`];
  });
  return places.length === 0 ? "no address is given" : places.join("; ");
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
  says: (args, present) =>
    `REPLACE THE PROFILE of ${personName(present, "the identity in use")}, the identity in use: ${mailIn(args, present)}`,
};

export const profileReplacement: Guard = {
  ...replacement,
  thing: "profile of user",
  target: loginOf,
  says: (args, present) => `REPLACE THE PROFILE of ${userOf(args, present)}: ${mailIn(args, present)}`,
};
