/** Merges our entry into the text of a client's file, and proves by reading the result that nothing else has changed. */
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../../api/failure.js";
import { isRecord } from "../../api/member.js";
import { type Client, entryName } from "./clients.js";
import { type Edit, edited, type Fields, type Syntax } from "./edit.js";
import { jsonc } from "./jsonc.js";
import { toml } from "./toml.js";

const syntaxes: Readonly<Record<Client["syntax"], { readonly syntax: Syntax; readonly name: string }>> = {
  jsonc: { syntax: jsonc, name: "JSON" },
  toml: { syntax: toml, name: "TOML" },
};

/** The fields by which a client reaches a server elsewhere; one beside a command would be for another server than ours. */
const addresses = ["url", "serverUrl", "httpUrl"];

const byHand = "Add the printed entry by hand, or move the file away and run this again.";

/** The configuration as the text of a file that holds nothing else. */
export function asFile({ syntax, key }: Client, fields: Fields): string {
  return edited("", syntaxes[syntax].syntax.edits("", key, entryName, fields) ?? []);
}

/**
 * Merges the entry: fields of ours are set, and all else stays byte for byte.
 * @param where What errors call the file.
 * @returns The edits, in order; none when the file says all of it already.
 * @throws Failure `bad_configuration` when the text is broken or has a form that cannot be edited safely.
 */
export function merge(text: string, client: Client, fields: Fields, where: string): readonly Edit[] {
  const { syntax, name } = syntaxes[client.syntax];
  const refuse = (what: string, next: string): never => {
    throw new Failure("bad_configuration", `${where} ${what}`, { next });
  };
  const expected = syntax.parse(text);
  if (!isRecord(expected))
    return refuse(`is not valid ${name}; it was left as it is.`, `Correct it, or ${lower(byHand)}`);
  const servers = (expected as Record<string, unknown>)[client.key] ?? {};
  const entry = (isRecord(servers) ? servers[entryName] : undefined) ?? {};
  if (!isRecord(servers) || !isRecord(entry))
    return refuse(`holds something else at ${client.key}; it was left as it is.`, byHand);
  const address = addresses.find((field) => Object.hasOwn(entry, field) && !Object.hasOwn(fields, field));
  if (address !== undefined)
    return refuse(
      `has an entry ${entryName} with ${address}, for a server elsewhere; it was left as it is.`,
      "Remove or rename that entry, and run this again.",
    );
  const edits = syntax.edits(text, client.key, entryName, fields) ?? [];
  // A syntax makes its tables its own way, without a prototype for one.
  const table = (members: object): unknown => Object.assign(Object.create(Object.getPrototypeOf(expected)), members);
  const wanted = table({
    ...expected,
    [client.key]: table({ ...servers, [entryName]: table({ ...entry, ...fields }) }),
  });
  // Two members of one name, a table that only looks like ours: whatever the edits took for something else shows here.
  if (!isDeepStrictEqual(syntax.parse(edited(text, edits)), wanted))
    return refuse("has a form in which the entry cannot be added safely; it was left as it is.", byHand);
  return edits;
}

const lower = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);
