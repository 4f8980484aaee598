/** The words in which the guards of user administration name people, groups and roles. */
import type { Arguments } from "../../language/conduct.js";
import { isRecord, memberAt } from "../../language/member.js";
import { listed, plain } from "../../language/words.js";
import { type Placed, pathOf } from "./tree.js";

/** A user as people know them: `"Rosa Chen" (rchen)`; the id where no name is known. */
export function personName(person: unknown, id?: unknown): string {
  const [first, last, login, own] = ["firstName", "lastName", "uiUserName", "uiIdentityId"].map((key) =>
    memberAt(person, key),
  );
  const name = [first, last].filter((part) => typeof part === "string" && part !== "").join(" ");
  const known = [login ?? own ?? id].filter((part) => part !== undefined).map(plain);
  if (name === "") return known[0] ?? "somebody";
  return `${plain(name)}${known.length > 0 ? ` (${known.join(", ")})` : ""}`;
}

/** The user that a call names, as far as the state tells: `user "Rosa Chen" (rchen), A-B-100003`. */
export function userOf({ uiIdentityId }: Arguments, present: unknown): string {
  const id = plain(uiIdentityId);
  return isRecord(present) && present["firstName"] !== undefined ? `user ${personName(present)}, ${id}` : `user ${id}`;
}

/** What is typed to approve: the login, or the id. */
export const loginOf = ({ uiIdentityId }: Arguments, present: unknown): string =>
  String(memberAt(present, "uiUserName") ?? uiIdentityId);

/** Who people are: `"Rosa Chen" (rchen), "Lena Weber" (lweber)`. */
export const people = (persons: readonly unknown[]): string =>
  persons.length === 0 ? "nobody" : listed(persons, (one) => personName(one));

/** A group by its path and its id. */
export const groupWords = (place: Placed | undefined, id: unknown): string =>
  place === undefined ? `group ${plain(id)}` : `group ${plain(pathOf(place))} (${plain(id)})`;
