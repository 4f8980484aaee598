/** Previews of changes to network lists: which elements go and come, and what an activation makes live. */
import { type Activation, activates } from "../../language/activation.js";
import { type Arguments, type Awaits, type Guard, only, type Past } from "../../language/conduct.js";
import { act, guardsOf, memberClauses, memberLines, membership } from "../../language/guards.js";
import { defined, listAt, memberAt } from "../../language/member.js";
import { calling, naming } from "../../language/sentence.js";
import { listed, plain } from "../../language/words.js";
import { networksOf } from "./checks.js";
import { inForce } from "./shapes.js";

/** The list that a call changes, with its statuses on both networks. */
export const listWithStatuses = {
  by: "netlist_get",
  args: ({ networkListId }: Arguments) => ({ networkListId, extended: true }),
} as const;

const nameOf = (args: Arguments, list: unknown): string => {
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

const unchanged = "the elements stay the same";

export const replacement: Guard = {
  kind: "overwrite",
  thing: "network list {name}",
  replaces: "body",
  undo: {
    rewrite: ({ given: { networkListId }, before, now }: Past) => {
      const was = defined(only("name", "description", "type", "list")(before as Arguments));
      return { networkListId, body: { ...was, syncPoint: memberAt(now, "syncPoint") } };
    },
  },
  says: (args, present) => {
    const change = membership(listAt(present, "list"), listAt(args, "body.list"));
    return present === undefined
      ? undefined
      : act`REPLACE ${nameOf(args, present)}: ${memberClauses(change, unchanged)}; ${untilActivated(present)}`;
  },
  warns: (args) => [
    listAt(args, "body.list").length === 0 &&
      "The list would be empty: once it is activated, whatever refers to it matches no one.",
  ],
};

export const renaming: Guard = {
  kind: "overwrite",
  thing: "network list {name}",
  replaces: "body",
  write: "merge",
  undo: "rewrite",
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
    act`REMOVE ${plain(args["element"])} from ${nameOf(args, present)}: ${untilActivated(present)}`,
  compares: ({ element }) => [`- ${plain(element)}`],
  warns: ({ element }, present) => [
    present !== undefined && !listAt(present, "list").includes(element) && `The list has no element ${plain(element)}.`,
  ],
};

const creation = only("name", "type", "description", "list", "contractId", "groupId");

export const deletion = guardsOf("network list {name}", nameOf)("DELETE", {
  kind: "delete",
  undo: {
    tool: "netlist_create",
    args: ({ before }) => (before === undefined ? undefined : { body: defined(creation(before as Arguments)) }),
  },
  results: (_, present) => {
    const elements = listed(listAt(present, "list"), plain);
    return elements === "" ? "it has no elements" : `it is gone with ${elements}`;
  },
  warns: () => ["A restored list has another id: configurations that refer to this one have to be changed."],
});

/** The version that is active on the network of the call; undefined if there is none. */
const activeVersion = (status: unknown): unknown =>
  inForce.has(memberAt(status, "activationStatus")) ? memberAt(status, "syncPoint") : undefined;

/** An activation makes live what the list has at that moment, so an approval is bound to it. */
export const readForActivation = {
  list: { ...listWithStatuses, isBound: true },
  active: {
    by: "netlist_version_get",
    args: ({ networkListId }: Arguments, status: unknown): Arguments =>
      defined({ networkListId, syncPoint: activeVersion(status) }),
  },
} as const;

const activationOf = (args: Arguments, status: unknown, { list, active }: Arguments): Activation => {
  const former = activeVersion(status);
  const isUnread = list === undefined || (active === undefined && former !== undefined);
  const change = membership(listAt(active, "list"), listAt(list, "list"));
  return {
    of: nameOf(args, list),
    to: String(memberAt(list, "syncPoint") ?? "?"),
    from: former === undefined ? [] : [String(former)],
    network: String(args["environment"]),
    content: "elements",
    difference: () => (isUnread ? undefined : memberLines(change)),
    results: isUnread ? ["the difference is unknown"] : memberClauses(change, unchanged),
    untried: memberAt(list, "stagingActivationStatus") !== "ACTIVE" && "is not active on",
    warnings: [
      memberAt(status, "activationStatus") === "PENDING_ACTIVATION" && "An activation on this network is pending.",
      list !== undefined &&
        listAt(list, "list").length === 0 &&
        "The list is empty: whatever refers to it matches no one.",
    ],
  };
};

export const activation: Guard = {
  ...activates("network list", "environment", activationOf),
  target: ({ networkListId, environment }) => `${String(networkListId)} on ${String(environment)}`,
  undo: {
    by: ({ given, before }) => {
      const former = activeVersion(before);
      const again = calling({ tool: "netlist_activate", arguments: { ...given, body: {} } });
      return former === undefined
        ? naming`No version was active there before. Remove the elements with netlist_replace, then ${again}.`
        : naming`Read version ${String(former)} with netlist_version_get, write its elements with netlist_replace, then ${again}.`;
    },
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

/** Who is subscribed to what, in words. */
const ofSubscribers = guardsOf(
  "subscription",
  ({ body }) => `${listed(listAt(body, "recipients"), plain)} for ${listed(listAt(body, "uniqueIds"), plain)}`,
  ({ body }) => listed(listAt(body, "uniqueIds"), plain),
);

export const subscription = ofSubscribers("SUBSCRIBE", {
  kind: "create",
  when: "sending",
  undo: { by: "Call netlist_subscription_delete for those who were not subscribed before." },
  results: () => "each change of these lists is mailed to them",
});

export const unsubscription = ofSubscribers("UNSUBSCRIBE", {
  kind: "cancel",
  undo: { by: "Call netlist_subscription_create for those who were subscribed before." },
  results: () => "changes of these lists are no longer mailed to them",
});
