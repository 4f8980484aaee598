/** Second factors, passwords by mail and blocked users of today's API: previews, checks and completed arguments. */
import type { Check, Resolve } from "../../language/check.js";
import type { Arguments, Guard } from "../../language/conduct.js";
import { fieldProblem } from "../../language/failure.js";
import { act, guardsOf } from "../../language/guards.js";
import { listAt, memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { keepsAsItIs, keepsInUse } from "./checks.js";
import { inUse } from "./login-guards.js";
import { loginOf, nameWithId, peopleInWords, personName, userOf, usersIn } from "./tree.js";

const factorOf = (user: unknown): unknown => memberAt(user, "additionalAuthentication");

const factorWords: Readonly<Record<string, string>> = {
  NONE: "anyone who knows the password can sign in",
  TFA: "signing in takes a two-factor code",
  MFA: "signing in takes the vendor's MFA",
};

const setting = (who: typeof userOf, tool: string): Guard => ({
  kind: "access",
  thing: "second factor",
  target: loginOf,
  says: (args, present) => {
    const [before, after] = [factorOf(present), String(memberAt(args, "body.value"))];
    const change = `${before === undefined ? "" : `${plainOrQuoted(before)} → `}${plainOrQuoted(after)}`;
    const factor = `THE SECOND FACTOR of ${who(args, present)}`;
    const then = `${change}, ${factorWords[after] ?? "it changes"}`;
    return after === "NONE" ? act`REMOVE ${factor}: ${then}` : act`SET ${factor}: ${then}`;
  },
  warns: (args, present) => {
    const before = factorOf(present);
    const isSame = before === memberAt(args, "body.value");
    return [
      isSame && "This is the current second factor, so nothing changes.",
      !isSame &&
        (before === "TFA" || before === "MFA") &&
        "The factor that is set up now is no longer asked for, and may have to be set up again.",
    ];
  },
  undo: {
    tool,
    args: ({ given, before }) => {
      const value = factorOf(before);
      return value === undefined ? undefined : { ...given, body: { value } };
    },
  },
});
export const factorSetting = setting(userOf, "user_second_factor_set");
export const ownFactorSetting = setting(inUse, "user_profile_second_factor_set");

const reset = (who: typeof userOf): Guard => ({
  kind: "access",
  thing: "second factor",
  target: loginOf,
  says: (args, present) =>
    act`RESET THE SECOND FACTOR of ${who(args, present)}: the current one is discarded, the next person to sign in with the password sets up a new one, and a lock after five failed attempts is lifted`,
  undo: { never: "A discarded second factor does not come back: the user sets one up again at the next sign-in." },
});
export const factorReset = reset(userOf);
export const ownFactorReset = reset(inUse);

const removesFactor = ({ args }: Parameters<Check>[0]): boolean => memberAt(args, "body.value") === "NONE";

/** Refuses to remove the second factor of the identity in use. */
export const keepsFactorInUse = keepsInUse(removesFactor);

export const keepsOwnFactor: Check = (call) =>
  removesFactor(call)
    ? fieldProblem("body.value", "NONE", "TFA or MFA: the identity in use keeps a second factor")
    : [];

export const keepsFactorAsItIs = keepsAsItIs(
  "additionalAuthentication",
  "user_second_factor_set and user_profile_second_factor_set",
  "none",
);

/** Today's API mails a password by default; the documents' does not. */
const byMail = ({ sendEmail = false }: Arguments) => ({ sendEmail });
export const mailsWhenAsked: Resolve = async ({ args }) => ({ values: byMail(args), notes: [] });

/** Also names the user whose roles are copied as today's API does, by username; the documents' takes the id. */
export const copiesByUsername: Resolve = async ({ args, read }) => {
  const id = memberAt(args, "body.cloneFrom");
  const original =
    id === undefined
      ? undefined
      : usersIn(await read("users_list", { authGrants: true })).find(({ uiIdentityId }) => uiIdentityId === id);
  const cloneFrom = original?.uiUserName;
  if (cloneFrom === undefined) return { values: byMail(args), notes: [] };
  const body = { ...(args["body"] as object), cloneFrom };
  return {
    values: { ...byMail(args), body },
    notes: [`cloneFrom is sent as the username ${plainOrQuoted(cloneFrom)}.`],
  };
};

const idsIn = ({ body }: Arguments): readonly unknown[] =>
  (body as readonly unknown[]).map((one) => memberAt(one, "uiIdentityId"));

const namedAmong = (all: unknown, member: string, id: unknown): unknown =>
  listAt(all, []).find((one) => memberAt(one, member) === id);

export const userBlocking = guardsOf(
  "blocked users",
  (args, present, { properties }) => {
    const who = listInWords(idsIn(args), (id) => personName(namedAmong(present, "uiIdentityId", id), id));
    const { propertyId } = args;
    const name = memberAt(namedAmong(properties, "propertyId", propertyId), "propertyName");
    return `${who} from property ${nameWithId(name, propertyId)}`;
  },
  ({ propertyId }) => String(propertyId),
)("BLOCK", {
  kind: "access",
  counts: "body",
  results: (args) => `${idsIn(args).length === 1 ? "the user" : "they"} can no longer work on it`,
  warns: (args, present) => {
    const ids = idsIn(args);
    const others = listAt(present, []).filter(
      (one) => memberAt(one, "isBlocked") === true && !ids.includes(memberAt(one, "uiIdentityId")),
    );
    const unsure = "The API does not say whether users who are blocked now and not named stay blocked";
    return [others.length > 0 && `${unsure}: ${peopleInWords(others)}.`];
  },
  undo: { by: "Call user_blocked_properties_replace for each user, with the property left out of the list." },
});
