/** What a person has to know before a site, a policy, a list or a honeypot is deleted, or an emergency list replaced. */
import { type Arguments, createdAgain, type Guard } from "../../language/conduct.js";
import { listAt, memberAt } from "../../language/member.js";
import { listed, plain, told } from "../../language/words.js";
import { itemsInWords } from "./items.js";
import { handling } from "./shapes.js";

/** Deletions are live only when they are deployed, which is the last moment at which they can be kept from visitors. */
const afterDeployment = "the deletion is live after the next deployment";

/** A thing as people know it: its name, where it could be read, and its id. */
const nameOf = (present: unknown, id: unknown): string => {
  const name = memberAt(present, "name");
  return typeof name === "string" && name !== "" ? `${plain(name)} (${String(id)})` : String(id);
};
/** What a person types for a critical call: the name where it is one plain word, or else the kind and the id. */
const targetOf =
  (thing: string, argument: string): NonNullable<Guard["target"]> =>
  (args, present) => {
    const name = memberAt(present, "name");
    return typeof name === "string" && plain(name) === name ? name : `${thing} ${String(args[argument])}`;
  };
const namesIn = (present: unknown, member: string): readonly string[] =>
  listAt(present, member).map((one) => plain(memberAt(one, "name") ?? memberAt(one, "id") ?? "?"));

/** The lists and the categories that a policy handles. */
function handledBy(policy: unknown): string {
  const lists = listAt(policy, "securitySettings").map((one) =>
    plain(memberAt(one, "listInfo.name") ?? memberAt(one, "listId")),
  );
  const categories = listAt(policy, "aupSettings").map((one) => plain(memberAt(one, "categoryId")));
  const of = (noun: string, plural: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`the ${names.length === 1 ? noun : plural} ${listed([...new Set(names)])}`];
  const all = [
    ...of("list", "lists", lists),
    ...of("acceptable-use category", "acceptable-use categories", categories),
  ];
  return all.length === 0 ? "nothing" : all.join(" and ");
}

const pickedFrom = (of: unknown, list: string, members: readonly string[]): unknown =>
  listAt(of, list).map((one) => Object.fromEntries(members.map((member) => [member, memberAt(one, member)])));

export const siteDeletion: Guard = {
  kind: "delete",
  thing: "site",
  target: targetOf("site", "siteId"),
  undo: {
    tool: "threat_site_create",
    args: createdAgain("configId", ["name", "description", "policyId", "exitPoints"]),
  },
  says: ({ siteId }, present) => {
    const policy = memberAt(present, "policyInfo.name");
    const under = policy === undefined ? "" : ` under policy ${plain(policy)}`;
    const addresses = listAt(present, "exitPoints").map((one) => plain(memberAt(one, "ipAddr")));
    const lost =
      addresses.length === 0 ? "it has no addresses" : `visitors from ${listed(addresses)} are then unidentified`;
    return `DELETE site ${nameOf(present, siteId)}${under}: ${lost}; ${afterDeployment}`;
  },
};

export const policyDeletion: Guard = {
  kind: "delete",
  thing: "policy",
  target: targetOf("policy", "policyId"),
  undo: {
    tool: "threat_policy_create",
    args: (past) => {
      const again = createdAgain("configId", ["name", "description", "sites", "basicSettings"])(past);
      if (again === undefined) return undefined;
      const settings = {
        aupSettings: pickedFrom(past.before, "aupSettings", ["categoryId", "responseId"]),
        securitySettings: pickedFrom(past.before, "securitySettings", Object.keys(handling)),
      };
      return { ...again, body: { ...(again["body"] as Arguments), ...settings } };
    },
  },
  says: ({ policyId }, present) =>
    `DELETE policy ${nameOf(present, policyId)} with how it handles ${handledBy(present)}; ${afterDeployment}`,
  warns: (_, present) => {
    const sites = namesIn(present, "sitesInfo");
    const alone = "no document says which policy they have without it. Give them another one first.";
    return told(sites.length > 0 && `It protects ${listed(sites)}: ${alone}`);
  },
};

/** The items of a custom list, of which the first are named. */
export const besideListDeletion = {
  items: {
    by: "threat_list_items_list",
    args: ({ configId, listId }: Arguments): Arguments => ({ configId, listId, numItemsPerPage: 10 }),
  },
} as const;

export const listDeletion: Guard = {
  kind: "delete",
  thing: "custom list",
  target: targetOf("list", "listId"),
  undo: { never: "The items of a deleted list are gone, and only what was read before can be written again." },
  says: ({ listId }, present, { items }) => {
    const count = memberAt(present, "itemCount");
    const named = itemsInWords(items, typeof count === "number" ? count : undefined);
    return `DELETE list ${nameOf(present, listId)} with ${named ?? "all its items"}; ${afterDeployment}`;
  },
  warns: (_, present) => {
    const names = listAt(present, "policySecuritySettings").map((one) =>
      plain(memberAt(one, "policyInfo.name") ?? memberAt(one, "policyId") ?? "one that is not named"),
    );
    const policies = [...new Set(names)];
    const which = `${policies.length === 1 ? "The policy" : "The policies"} ${listed(policies)}`;
    return told(policies.length > 0 && `${which} will no longer handle what this list has.`);
  },
};

export const honeypotDeletion: Guard = {
  kind: "delete",
  thing: "honeypot",
  target: targetOf("honeypot", "honeypotId"),
  undo: {
    tool: "threat_honeypot_create",
    args: createdAgain("configId", ["name", "description", "ipv4Addrs", "ipv6Addrs", "aliases"]),
    isWhole: true,
  },
  says: ({ honeypotId }, present) =>
    `DELETE honeypot ${nameOf(present, honeypotId)}, to which traffic is directed for monitoring; ${afterDeployment}`,
  warns: (_, present) => {
    const policies = namesIn(present, "policies");
    const then = "Their settings then name a response that is not there.";
    return told(policies.length > 0 && `Policies direct traffic to it: ${listed(policies)}. ${then}`);
  },
};

/** Entries that cover more than anybody lists by hand: a whole top-level domain, or a block of a million addresses. */
const isBroad = (value: string): boolean => {
  const [, bits] = value.split("/");
  const isWide = bits !== undefined && Number(bits) < (value.includes(":") ? 32 : 12);
  return isWide || /^(\*\.)?[^.:/]+$/.test(value);
};

const valuesIn = (emergencyList: unknown): readonly string[] =>
  listAt(emergencyList, "items").map((one) => String(memberAt(one, "value")));

export const emergencyReplacement: Guard = {
  kind: "overwrite",
  thing: "emergency list",
  replaces: "body.items",
  undo: "rewrite",
  target: ({ listType }) => `emergency list ${String(listType)}`,
  says: ({ configId, listType, body }, present) => {
    const which = `emergency ${plain(listType)} of configuration ${plain(configId)}`;
    const [before, after] = [valuesIn(present), valuesIn(body)];
    const missing = (all: readonly string[], from: readonly string[], verb: string) => {
      const words = all.filter((one) => !from.includes(one)).map(plain);
      if (words.length === 0) return `nothing is ${verb}`;
      return `${listed(words)} ${words.length === 1 ? "is" : "are"} ${verb}`;
    };
    return `REPLACE the ${which}: ${missing(before, after, "removed")}, and ${missing(after, before, "added")}; it is live after the next configuration deployment`;
  },
  items: { title: (_, { value }) => [value], titled: ["value"], words: { type: "" } },
  warns: (args) => {
    const values = valuesIn(args["body"]);
    const broad = values.filter(isBroad);
    return told(
      values.length === 0 && "The list would be empty.",
      broad.length > 0 && `These entries cover very much: ${listed(broad.map(plain))}.`,
    );
  },
};
