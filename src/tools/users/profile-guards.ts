/** What a person has to know before a profile is replaced: whose it is, and where one-time passwords are mailed then. */
import type { Arguments, Guard } from "../../language/conduct.js";
import { memberAt } from "../../language/member.js";
import { plain } from "../../language/words.js";
import { loginOf, personName, userOf } from "./naming.js";

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
