/** Previews of changes to network lists: which elements go and come, and what an activation makes live. */

import { type Approved, type Arguments, type Awaits, type Guard, only, type Past } from "../../language/conduct.js";
import { activationDifference } from "../../language/line-difference.js";
import { defined, listAt, memberAt } from "../../language/member.js";
import { calling, naming, type Sentence } from "../../language/sentence.js";
import { act } from "../../language/statement.js";
import { listed, plain, withoutFalse } from "../../language/words.js";
import { networksOf } from "./checks.js";
import { inForce } from "./shapes.js";

/** The list that a call changes, with its statuses on both networks. */
export const wholeList = {
  by: "netlist_get",
  args: ({ networkListId }: Arguments) => ({ networkListId, extended: true }),
} as const;

const named = (args: Arguments, list: unknown): string => {
  const [id, name] = [String(args["networkListId"]), memberAt(list, "name")];
  return `network list ${typeof name === "string" ? `${plain(name)} (${id})` : id}`;
};

/** Only an activation makes a change live. */
const untilActivated = (list: unknown): string => {
  const networks = networksOf(list);
  return networks.length === 0
    ? "the list is not active on any network"
    : `${networks.join(" and ")} ${networks.length === 1 ? "keeps" : "keep"} the present elements until the list is activated there`;
};

/** The elements that go and those that come. */
function difference(before: readonly unknown[], after: readonly unknown[]) {
  const [old, now] = [new Set(before), new Set(after)];
  return { gone: [...old].filter((one) => !now.has(one)), come: [...now].filter((one) => !old.has(one)) };
}
const linesOf = ({ gone, come }: ReturnType<typeof difference>) => [
  ...gone.map((one) => `- ${plain(one)}`),
  ...come.map((one) => `+ ${plain(one)}`),
];
const inWords = ({ gone, come }: ReturnType<typeof difference>): string => {
  const parts = withoutFalse(
    gone.length > 0 && `${listed(gone, plain)} removed`,
    come.length > 0 && `${listed(come, plain)} added`,
  );
  return parts.join(", ") || "the elements stay the same";
};

const changeOf = (args: Arguments, present: unknown) => difference(listAt(present, "list"), listAt(args, "body.list"));

export const replacement: Guard = {
  kind: "overwrite",
  thing: "network list {name}",
  undo: {
    rewrite: ({ given: { networkListId }, before, now }: Past) => {
      const was = defined(only("name", "description", "type", "list")(before as Arguments));
      return { networkListId, body: { ...was, syncPoint: memberAt(now, "syncPoint") } };
    },
  },
  replaces: "body",
  says: (args, present) =>
    present === undefined
      ? undefined
      : act("REPLACE", named(args, present), `${inWords(changeOf(args, present))}; ${untilActivated(present)}`),
  warns: (args) =>
    withoutFalse(
      listAt(args, "body.list").length === 0 &&
        "The list would be empty: once it is activated, whatever refers to it matches no one.",
    ),
};

export const renaming: Guard = {
  ...{ kind: "overwrite", thing: "network list {name}", replaces: "body", write: "merge", undo: "rewrite" },
};

export const elementRemoval: Guard = {
  kind: "delete",
  thing: "element",
  target: ({ element }) => String(element),
  undo: {
    tool: "netlist_element_set",
    args: ({ given, before }) =>
      listAt(before, "list").includes(given["element"]) ? only("networkListId", "element")(given) : undefined,
    isWhole: true,
  },
  says: (args, present) =>
    act("REMOVE", `${plain(args["element"])} from ${named(args, present)}; ${untilActivated(present)}`),
  compares: ({ element }) => [`- ${plain(element)}`],
  warns: ({ element }, present) =>
    present === undefined || listAt(present, "list").includes(element)
      ? []
      : [`The list has no element ${plain(element)}.`],
};

const again = only("name", "type", "description", "list", "contractId", "groupId");

export const deletion: Guard = {
  kind: "delete",
  thing: "network list {name}",
  undo: {
    tool: "netlist_create",
    args: ({ before }) => (before === undefined ? before : { body: defined(again(before as Arguments)) }),
  },
  says: (args, present) => {
    const elements = listAt(present, "list");
    return act(
      "DELETE",
      `${named(args, present)} ${elements.length === 0 ? "without elements" : `with ${listed(elements, plain)}`}`,
    );
  },
  warns: () => ["A restored list has another id: configurations that refer to this one have to be changed."],
};

/** The version that is active on the network of the call; undefined if there is none. */
const activeVersion = (status: unknown): unknown =>
  inForce.has(memberAt(status, "activationStatus")) ? memberAt(status, "syncPoint") : undefined;

/** What an activation changes on its network; undefined if one of the versions could not be read. */
const activated = (status: unknown, list: unknown, active: unknown) =>
  list === undefined || (active === undefined && activeVersion(status) !== undefined)
    ? undefined
    : difference(listAt(active, "list"), listAt(list, "list"));

/** An activation makes live what the list has at that moment, so an approval is bound to it. */
export const readForActivation = {
  list: { ...wholeList, isBound: true },
  active: {
    by: "netlist_version_get",
    args: ({ networkListId }: Arguments, status: unknown): Arguments =>
      defined({ networkListId, syncPoint: activeVersion(status) }),
  },
} as const;

const undoOfActivation = ({ given, before }: Approved): Sentence => {
  const former = activeVersion(before);
  const again = calling({ tool: "netlist_activate", arguments: { ...given, body: {} } });
  return former === undefined
    ? naming`No version was active there before. Remove the elements with netlist_replace, then ${again}.`
    : naming`Read version ${String(former)} with netlist_version_get, write its elements with netlist_replace, then ${again}.`;
};

export const activation: Guard = {
  kind: "activate",
  thing: "network list",
  network: "environment",
  target: ({ networkListId, environment }) => `${String(networkListId)} on ${String(environment)}`,
  undo: { by: undoOfActivation },
  says: (args, status, { list, active }) => {
    const [from, to] = [activeVersion(status), memberAt(list, "syncPoint")];
    const what = `version ${String(to ?? "?")} of ${named(args, list)} on ${String(args["environment"])}`;
    if (from !== undefined && from === to) return act("ACTIVATE", `${what}, where it is already active`);
    const where = from === undefined ? "where no version of it is active" : `in place of version ${String(from)}`;
    const change = activated(status, list, active);
    return act("ACTIVATE", `${what}, ${where}`, change === undefined ? "the difference is unknown" : inWords(change));
  },
  compares: ({ environment }, status, { list, active }) => {
    const [from, to] = [activeVersion(status), memberAt(list, "syncPoint")] as (number | undefined)[];
    const change = activated(status, list, active);
    const versions = { from, to: to ?? "?", where: String(environment) };
    return activationDifference(versions, change && linesOf(change), "The elements are the same.");
  },
  warns: ({ environment }, status, { list }) => {
    const isUntried = environment === "PRODUCTION" && memberAt(list, "stagingActivationStatus") !== "ACTIVE";
    const isEmptyList = list !== undefined && listAt(list, "list").length === 0;
    return withoutFalse(
      memberAt(status, "activationStatus") === "PENDING_ACTIVATION" && "An activation on this network is pending.",
      isEmptyList && "The list is empty: whatever refers to it matches no one.",
      isUntried && "This version is not active on STAGING, where it could be tested first.",
    );
  },
};

const statusIn = (body: unknown): string => String(memberAt(body, "networkList.activationStatus"));
export const awaits: Awaits<"netlist_activation_get"> = {
  status: "netlist_activation_get",
  follow: ({ body }) =>
    memberAt(body, "activationId") === undefined ? undefined : only("activationId")(body as Arguments),
  isReady: ({ body }) => /^(ACTIVE|MODIFIED)$/.test(statusIn(body)),
  state: ({ body }) => `${statusIn(body)} ${String(memberAt(body, "status") ?? "")}`.trim(),
  failure: ({ body }) =>
    statusIn(body) === "FAILED" ? "The activation failed: the version that was active before stays active." : undefined,
};

const whoAndWhat = (args: Arguments) =>
  ["recipients", "uniqueIds"].map((name) => listed(listAt(args, ["body", name]), plain)) as [string, string];
const target = (args: Arguments): string => whoAndWhat(args)[1];

export const subscription: Guard = {
  ...{ kind: "create", thing: "subscription", when: "sending", target },
  undo: { by: "Call netlist_subscription_delete for those who were not subscribed before." },
  says: (args) => act("SUBSCRIBE", whoAndWhat(args).join(" to "), "each change of these lists is mailed to them"),
};

export const unsubscription: Guard = {
  ...{ kind: "cancel", thing: "subscription", target },
  undo: { by: "Call netlist_subscription_create for those who were subscribed before." },
  says: (args) =>
    act("UNSUBSCRIBE", whoAndWhat(args).join(" from "), "changes of these lists are no longer mailed to them"),
};
