/** What an API client may do, in words by which two states of it are compared. */
import type { Arguments } from "../../language/conduct.js";
import { listAt, memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";

/** A thing that a client may do: its key, by which two states are compared, and its words. */
type ClientAbility = readonly [key: string, words: string];

/** A group and those below it, unless a client is kept from it. */
const withBelow = (grant: unknown): readonly unknown[] =>
  memberAt(grant, "isBlocked") === true ? [] : [grant, ...listAt(grant, "subGroups").flatMap(withBelow)];

/** Something by the name that the API has for it, which is not the one in the arguments, or by its id. */
function nameIn(known: readonly unknown[], noun: string, member: string, id: unknown): string {
  const name = known
    .filter((one) => memberAt(one, `${member}Id`) === id)
    .map((one) => memberAt(one, `${member}Name`))
    .find((one) => typeof one === "string");
  return name === undefined ? `${noun} ${String(id)}` : `${plainOrQuoted(name)} (${String(id)})`;
}

/**
 * What a client may do, the gravest first.
 * The APIs and groups are those of its user.
 */
export function abilitiesOf(client: unknown, { apis, groups }: Arguments): readonly ClientAbility[] {
  const has = (path: string): boolean => memberAt(client, path) === true;
  const flagged = (path: string, words: string): readonly ClientAbility[] => (has(path) ? [[path, words]] : []);
  const all = listAt(groups, []).flatMap(withBelow);
  const calls = listAt(client, "apiAccess.apis").map((api): ClientAbility => {
    const [id, level] = [memberAt(api, "apiId"), String(memberAt(api, "accessLevel"))];
    const name = nameIn(listAt(apis, []), "API", "api", id);
    return [`api ${String(id)} ${level}`, `${level} on ${name}`];
  });
  const roles = listAt(client, "groupAccess.groups")
    .flatMap(withBelow)
    .filter((grant) => typeof memberAt(grant, "roleId") === "number")
    .map((grant): ClientAbility => {
      const [group, role] = ["groupId", "roleId"].map((name) => memberAt(grant, name));
      const words = `${nameIn(all, "role", "role", role)} in ${nameIn(all, "group", "group", group)}`;
      return [`role ${String(role)} in ${String(group)}`, words];
    });
  const blocks = listAt(client, "ipAcl.cidr").map(
    (cidr): ClientAbility => [`from ${String(cidr)}`, `calls from ${plainOrQuoted(cidr)}`],
  );
  const anywhere: ClientAbility = ["anywhere", "calls from any address"];
  return [
    ...flagged("allowAccountSwitch", "calls for other accounts"),
    ...flagged("apiAccess.allAccessibleApis", "every API of its user"),
    ...flagged("groupAccess.cloneAuthorizedUserGroups", "every group of its user"),
    ...flagged("canAutoCreateCredential", "credentials for new API clients"),
    ...listAt(client, "authorizedUsers").map(
      (user): ClientAbility => [`user ${String(user)}`, `the access of user ${plainOrQuoted(user)}`],
    ),
    ...(has("ipAcl.enable") ? blocks : [anywhere]),
    ...(has("apiAccess.allAccessibleApis") ? [] : calls),
    ...(has("groupAccess.cloneAuthorizedUserGroups") ? [] : roles),
  ];
}

export const abilitiesInWords = (all: readonly ClientAbility[]): string =>
  listInWords(all, ([, words]) => words) || "nothing";
