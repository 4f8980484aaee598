/** Merges our entry into the text of a client's file, and proves by reading the result that nothing else has changed. */
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../language/member.js";
import { refuse } from "../command.js";
import { type Client, entryName } from "./clients.js";
import { type Edit, edited, type Fields, type Syntax } from "./edit.js";
import { jsonc } from "./jsonc.js";
import { toml } from "./toml.js";

const syntaxes: Readonly<Record<Client["syntax"], { readonly syntax: Syntax; readonly name: string }>> = {
  jsonc: { syntax: jsonc, name: "JSON" },
  toml: { syntax: toml, name: "TOML" },
};

/** The fields by which a client reaches a server elsewhere; one beside a command would be for another server than ours. */
export const addresses = ["url", "serverUrl", "httpUrl"];

const byHand = "Add the printed entry by hand, or move the file away and run this again.";

/** The configuration as the text of a file that holds nothing else. */
export function asFile({ syntax, key }: Client, fields: Fields): string {
  return edited("", syntaxes[syntax].syntax.edits("", key, entryName, fields) ?? []);
}

/** What a client's file holds: all of it, the servers in it, and our entry; empty where it has none yet. */
function contentOf(text: string, { key, syntax: kind }: Client, where: string) {
  const { syntax, name } = syntaxes[kind];
  const whole = syntax.parse(text);
  if (!isRecord(whole))
    return refuse(`${where} is not valid ${name}; it was left as it is.`, `Correct it, or ${lower(byHand)}`);
  const servers = whole[key] ?? {};
  const entry = (isRecord(servers) ? servers[entryName] : undefined) ?? {};
  if (!isRecord(servers) || !isRecord(entry))
    return refuse(`${where} holds something else at ${key}; it was left as it is.`, byHand);
  return { syntax, whole, servers, entry };
}

/**
 * The entry that a client's file has for this server; undefined where it has none.
 * @param where What errors call the file.
 * @throws Failure `bad_configuration` when the text is broken.
 */
export function entryIn(text: string, client: Client, where: string): Fields | undefined {
  const { servers, entry } = contentOf(text, client, where);
  return Object.hasOwn(servers, entryName) ? entry : undefined;
}

/**
 * Merges the entry: fields of ours are set, and all else stays byte for byte.
 * @param where What errors call the file.
 * @returns The edits, in order; none when the file is already up to date.
 * @throws Failure `bad_configuration` when the text is broken or has a form that cannot be edited safely.
 */
export function merge(text: string, client: Client, fields: Fields, where: string): readonly Edit[] {
  const { syntax, whole, servers, entry } = contentOf(text, client, where);
  const address = addresses.find((field) => Object.hasOwn(entry, field) && !Object.hasOwn(fields, field));
  if (address !== undefined)
    return refuse(
      `${where} has an entry ${entryName} with ${address}, for a server elsewhere; it was left as it is.`,
      "Remove or rename that entry, and run this again.",
    );
  const edits = syntax.edits(text, client.key, entryName, fields) ?? [];
  // A syntax makes its tables its own way, without a prototype for one.
  const table = (members: object): unknown => Object.assign(Object.create(Object.getPrototypeOf(whole)), members);
  const wanted = table({
    ...whole,
    [client.key]: table({ ...servers, [entryName]: table({ ...entry, ...fields }) }),
  });
  // Two members of one name, a table that only looks like ours: whatever the edits took for something else shows here.
  if (!isDeepStrictEqual(syntax.parse(edited(text, edits)), wanted))
    return refuse(`${where} has a form in which the entry cannot be added safely; it was left as it is.`, byHand);
  return edits;
}

const lower = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);
