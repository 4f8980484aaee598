/** Previews of deleting a site, a policy, a list or a honeypot, and of replacing an emergency list. */
import { type Arguments, createdAgain } from "../../language/conduct.js";
import { guardsOf, memberClauses, membership } from "../../language/guards.js";
import { listAt, memberAt } from "../../language/member.js";
import { listed, plain } from "../../language/words.js";
import { itemsInWords } from "./items.js";
import { handling } from "./shapes.js";

/** A deletion takes effect only when it is deployed, so until then it does not reach visitors. */
const afterDeployment = "the deletion takes effect with the next deployment";

/** A thing in words: its name, if it could be read, and its id. */
const nameOf = (present: unknown, id: unknown): string => {
  const name = memberAt(present, "name");
  return typeof name === "string" && name !== "" ? `${plain(name)} (${String(id)})` : String(id);
};
/** Guards of one kind of thing; an approver types its name if that is one plain word, or else the kind and the id. */
const guardsOfThing = (thing: string, noun: string, argument: string) =>
  guardsOf(
    thing,
    (args, present) => `${noun} ${nameOf(present, args[argument])}`,
    (args, present) => {
      const name = memberAt(present, "name");
      return typeof name === "string" && plain(name) === name ? name : `${noun} ${String(args[argument])}`;
    },
  );
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

export const siteDeletion = guardsOfThing(
  "site",
  "site",
  "siteId",
)("DELETE", {
  kind: "delete",
  undo: {
    tool: "threat_site_create",
    args: createdAgain("configId", ["name", "description", "policyId", "exitPoints"]),
  },
  results: (_, present) => {
    const policy = memberAt(present, "policyInfo.name");
    const visitors = listed(listAt(present, "exitPoints"), (one) => plain(memberAt(one, "ipAddr")));
    return [
      policy !== undefined && `it is under policy ${plain(policy)}`,
      visitors === "" ? "it has no addresses" : `visitors from ${visitors} become unidentified`,
      afterDeployment,
    ];
  },
});

export const policyDeletion = guardsOfThing(
  "policy",
  "policy",
  "policyId",
)("DELETE", {
  kind: "delete",
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
  results: (_, present) => [`it is gone with its settings for ${handledBy(present)}`, afterDeployment],
  warns: (_, present) => {
    const sites = listed(namesIn(present, "sitesInfo"));
    const without = "no document says which policy applies to them without it. Assign another one first.";
    return [sites !== "" && `It protects ${sites}: ${without}`];
  },
});

/** The items of a custom list; the preview names the first of them. */
export const readForListDeletion = {
  items: {
    by: "threat_list_items_list",
    args: ({ configId, listId }: Arguments): Arguments => ({ configId, listId, numItemsPerPage: 10 }),
  },
} as const;

export const listDeletion = guardsOfThing(
  "custom list",
  "list",
  "listId",
)("DELETE", {
  kind: "delete",
  undo: { never: "The items of a deleted list cannot be restored unless they were read before." },
  results: (_, present, { items }) => {
    const count = memberAt(present, "itemCount");
    const named = itemsInWords(items, typeof count === "number" ? count : undefined);
    return [`it is gone with ${named ?? "all its items"}`, afterDeployment];
  },
  warns: (_, present) => {
    const names = listAt(present, "policySecuritySettings").map((one) =>
      plain(memberAt(one, "policyInfo.name") ?? memberAt(one, "policyId") ?? "unnamed"),
    );
    const policies = [...new Set(names)];
    const which = `${policies.length === 1 ? "The policy" : "The policies"} ${listed(policies)}`;
    return [policies.length > 0 && `${which} will no longer handle the items of this list.`];
  },
});

export const honeypotDeletion = guardsOfThing(
  "honeypot",
  "honeypot",
  "honeypotId",
)("DELETE", {
  kind: "delete",
  undo: {
    tool: "threat_honeypot_create",
    args: createdAgain("configId", ["name", "description", "ipv4Addrs", "ipv6Addrs", "aliases"]),
    isWhole: true,
  },
  results: () => ["traffic is directed to it for monitoring", afterDeployment],
  warns: (_, present) => {
    const policies = listed(namesIn(present, "policies"));
    const then = "Their settings will refer to a response that does not exist.";
    return [policies !== "" && `Policies direct traffic to it: ${policies}. ${then}`];
  },
});

/** Whether an entry is suspiciously broad: a whole top-level domain, or a block of a million addresses. */
const isBroad = (value: string): boolean => {
  const [, bits] = value.split("/");
  const isWide = bits !== undefined && Number(bits) < (value.includes(":") ? 32 : 12);
  return isWide || /^(\*\.)?[^.:/]+$/.test(value);
};

const valuesIn = (emergencyList: unknown): readonly string[] =>
  listAt(emergencyList, "items").map((one) => String(memberAt(one, "value")));

export const emergencyReplacement = guardsOf(
  "emergency list",
  ({ configId, listType }) => `the emergency ${plain(listType)} of configuration ${plain(configId)}`,
  ({ listType }) => `emergency list ${String(listType)}`,
)("REPLACE", {
  kind: "overwrite",
  replaces: "body.items",
  undo: "rewrite",
  results: ({ body }, present) => [
    ...memberClauses(membership(valuesIn(present), valuesIn(body)), "its items stay the same"),
    "it takes effect with the next configuration deployment",
  ],
  items: { title: (_, { value }) => [value], titled: ["value"], words: { type: "" } },
  warns: ({ body }) => {
    const values = valuesIn(body);
    const broad = values.filter(isBroad);
    return [
      values.length === 0 && "The list would be empty.",
      broad.length > 0 && `These entries are very broad: ${listed(broad, plain)}.`,
    ];
  },
});
