/** Previews of deleting a site, a policy, a list or a honeypot, and of replacing an emergency list. */

import { type Arguments, createdAgain, type Guard } from "../../language/conduct.js";
import { listAt, memberAt } from "../../language/member.js";
import { act } from "../../language/statement.js";
import { listed, plain, withoutFalse } from "../../language/words.js";
import { itemsInWords } from "./items.js";
import { handling } from "./shapes.js";

/** A deletion takes effect only when it is deployed, so until then it does not reach visitors. */
const afterDeployment = "the deletion takes effect with the next deployment";

/** A thing in words: its name, if it could be read, and its id. */
const nameOf = (present: unknown, id: unknown): string => {
  const name = memberAt(present, "name");
  return typeof name === "string" && name !== "" ? `${plain(name)} (${String(id)})` : String(id);
};
/** What the approver types for a critical call: the name if it is one plain word, or else the kind and the id. */
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
      addresses.length === 0 ? "it has no addresses" : `visitors from ${listed(addresses)} become unidentified`;
    return act`DELETE site ${nameOf(present, siteId)}${under}: ${lost}; ${afterDeployment}`;
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
    act`DELETE policy ${nameOf(present, policyId)} with its settings for ${handledBy(present)}; ${afterDeployment}`,
  warns: (_, present) => {
    const sites = namesIn(present, "sitesInfo");
    const without = "no document says which policy applies to them without it. Assign another one first.";
    return withoutFalse(sites.length > 0 && `It protects ${listed(sites)}: ${without}`);
  },
};

/** The items of a custom list; the preview names the first of them. */
export const readForListDeletion = {
  items: {
    by: "threat_list_items_list",
    args: ({ configId, listId }: Arguments): Arguments => ({ configId, listId, numItemsPerPage: 10 }),
  },
} as const;

export const listDeletion: Guard = {
  kind: "delete",
  thing: "custom list",
  target: targetOf("list", "listId"),
  undo: { never: "The items of a deleted list cannot be restored unless they were read before." },
  says: ({ listId }, present, { items }) => {
    const count = memberAt(present, "itemCount");
    const named = itemsInWords(items, typeof count === "number" ? count : undefined);
    return act`DELETE list ${nameOf(present, listId)} with ${named ?? "all its items"}; ${afterDeployment}`;
  },
  warns: (_, present) => {
    const names = listAt(present, "policySecuritySettings").map((one) =>
      plain(memberAt(one, "policyInfo.name") ?? memberAt(one, "policyId") ?? "unnamed"),
    );
    const policies = [...new Set(names)];
    const which = `${policies.length === 1 ? "The policy" : "The policies"} ${listed(policies)}`;
    return withoutFalse(policies.length > 0 && `${which} will no longer handle the items of this list.`);
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
    act`DELETE honeypot ${nameOf(present, honeypotId)}, to which traffic is directed for monitoring; ${afterDeployment}`,
  warns: (_, present) => {
    const policies = namesIn(present, "policies");
    const then = "Their settings will refer to a response that does not exist.";
    return withoutFalse(policies.length > 0 && `Policies direct traffic to it: ${listed(policies)}. ${then}`);
  },
};

/** Whether an entry is suspiciously broad: a whole top-level domain, or a block of a million addresses. */
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
    return act`REPLACE the ${which}: ${missing(before, after, "removed")}, and ${missing(after, before, "added")}; it takes effect with the next configuration deployment`;
  },
  items: { title: (_, { value }) => [value], titled: ["value"], words: { type: "" } },
  warns: (args) => {
    const values = valuesIn(args["body"]);
    const broad = values.filter(isBroad);
    return withoutFalse(
      values.length === 0 && "The list would be empty.",
      broad.length > 0 && `These entries are very broad: ${listed(broad.map(plain))}.`,
    );
  },
};
