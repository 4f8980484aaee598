/** Network lists (today's API, v2): IP addresses or countries by which a firewall decides, activated on each network. */
import definition from "../../definitions/box/network_list.json" with { type: "json" };
import { overlay } from "../../definitions/overlay.js";
import { type Activation, activates, activationScope } from "../../language/activation.js";
import { type Arguments, pickArguments, type ReviewForm } from "../../language/conduct.js";
import { destination } from "../../language/destination.js";
import { signedLine } from "../../language/difference-lines.js";
import { act, guardsOf, memberClauses, memberLines, membership, stamps } from "../../language/guards.js";
import { markSchema } from "../../language/marks.js";
import { defined, listAt, memberAt } from "../../language/member.js";
import { calling, naming } from "../../language/sentence.js";
import { service } from "../../language/service.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";
import { Timestamp } from "../fields.js";
import * as checks from "./checks.js";

const emails = z.array(destination("email", z.email())).min(1);
const operationAt = overlay(definition, {
  arguments: {
    networkListId: z.string().min(3),
    description: true,
    contractId: true,
    groupId: z.int(),
    syncPoint: z.int().min(0),
    list: "Addresses, CIDR blocks or country codes",
    element: "Address, CIDR block or country code",
    extended: "Adds authors and statuses",
    recipients: emails,
    uniqueIds: z.array(z.string().min(3)).min(1),
  },
  answers: {
    syncPoint: "The version, which an update sends back",
    createDate: Timestamp,
    updateDate: Timestamp,
    links: markSchema(z.looseObject({}), { link: true }),
  },
});
const noList = "There is no such list: netlists_list lists all.";
const inert = "The list is changed; only netlist_activate makes it live.";
const noChange = "You may not change this list: it is read-only for you, or your role does not permit it.";
const unseen = "The API does not show who is subscribed.";
const subscribers = { body: { recipients: ["operations@shop.example"], uniqueIds: ["25614_BLOCKED"] } };

/** The list that a call changes, with its statuses on both networks. */
const listWithStatuses = {
  by: "netlist_get",
  args: ({ networkListId }: Arguments) => ({ networkListId, extended: true }),
} as const;

const nameOf = (args: Arguments, list: unknown): string => {
  const [id, name] = [String(args["networkListId"]), memberAt(list, "name")];
  return `network list ${typeof name === "string" ? `${plainOrQuoted(name)} (${id})` : id}`;
};

/** Only an activation makes a change live. */
const untilActivated = (list: unknown): string => {
  const networks = checks.networksOf(list);
  return networks.length === 0
    ? "the list is not active on any network"
    : `${networks.join(" and ")} ${networks.length === 1 ? "keeps" : "keep"} the present elements until the list is activated there`;
};

/** The elements of a list have no order, and its stamps and counters follow from them. */
export const listForm: ReviewForm = {
  sets: ["list"],
  ignores: stamps("syncPoint", "elementCount", "createDate", "createdBy", "updateDate", "updatedBy", "links"),
};

const unchanged = "the elements stay the same";

const activationOf = (args: Arguments, status: unknown, { list, active }: Arguments): Activation => {
  const former = checks.activeVersion(status);
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

const statusIn = (body: unknown): string => String(memberAt(body, "networkList.activationStatus"));

/** Who is subscribed to what, in words. */
const ofSubscribers = guardsOf(
  "subscription",
  ({ body }) =>
    `${listInWords(listAt(body, "recipients"), plainOrQuoted)} for ${listInWords(listAt(body, "uniqueIds"), plainOrQuoted)}`,
  ({ body }) => listInWords(listAt(body, "uniqueIds"), plainOrQuoted),
);

export const networkLists = service("netlist", {
  name: "network-lists",
  document: "today",
  title: "Network lists",
  about: "Keeps lists of IP addresses or countries that a firewall blocks or admits, with an activation per network.",
  standing: { state: "alive" },
  frontLine: ["netlists_list"],
  ids: {
    networkListId: "netlists_list",
    activationId: "netlist_activate",
    syncPoint: { given: "the version of a list that was activated, such as syncPoint in netlist_activation_status" },
    contractId: "contract_ids_list",
    groupId: "property_groups_list",
    "body.uniqueIds": "netlists_list",
    siebelTicketId: { given: "the id of a support ticket" },
  },
  rules: {
    "netlist-sync-point":
      "An update whose syncPoint differs from the stored one is refused, because the list has changed.",
    "netlist-element-type":
      "An IP list holds IP addresses and CIDR blocks, a GEO list country codes; its type is fixed.",
    "netlist-inert": "A change becomes effective on a network when the list is activated there.",
    "netlist-newest": "An activation takes the list's newest version.",
    "netlist-activated-versions": "Only versions that were activated can be read again.",
    "netlist-delete-inactive": "A list that was activated cannot be deleted.",
    "netlist-contract-group": "contractId and groupId of a new list are given together.",
  },
  operations: {
    netlists_list: operationAt("GET /network-list/v2/network-lists", {
      does: "Lists the network lists.",
      arguments: { search: "Part of a name or element", includeElements: "Default false" },
      example: { listType: "IP" },
    }),
    netlist_get: operationAt("GET /network-list/v2/network-lists/{networkListId}", {
      does: "Reads a network list with its elements and its syncPoint.",
      arguments: { includeElements: "Default true" },
      means: { 404: noList },
      example: { networkListId: "25614_BLOCKED" },
    }),
    netlist_create: operationAt("POST /network-list/v2/network-lists", {
      does: "Creates a network list, which is active nowhere.",
      effect: "create",
      shownBy: "netlists_list",
      checks: [checks.elementsAreOfType, checks.contractHasGroup],
      rules: ["netlist-element-type", "netlist-contract-group"],
      means: { 201: inert, 403: "You may not create lists in this contract and group." },
      example: { body: { name: "Scrapers", type: "IP", list: ["203.0.113.77", "198.51.100.0/24"] } },
    }),
    netlist_replace: operationAt("PUT /network-list/v2/network-lists/{networkListId}", {
      does: "Replaces a network list's name, description and all elements.",
      needs: "netlist_element_create only adds elements.",
      arguments: { extended: true },
      effect: "destructive",
      guard: {
        kind: "overwrite",
        thing: "network list {name}",
        replaces: "body",
        review: listForm,
        undo: {
          rewrite: ({ given: { networkListId }, before, now }) => {
            const was = defined(pickArguments("name", "description", "type", "list")(before as Arguments));
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
      },
      shownBy: listWithStatuses,
      lock: { field: "body.syncPoint", from: "netlist_get" },
      checks: [checks.isWritable, checks.typeStays, checks.elementsAreOfType],
      rules: ["netlist-sync-point", "netlist-element-type", "netlist-inert"],
      means: {
        200: inert,
        403: noChange,
        404: noList,
        409: "Another client changed the list: read it with netlist_get, apply your change to that, and send its syncPoint.",
      },
      example: {
        networkListId: "25614_BLOCKED",
        body: { name: "Blocked addresses", description: "Scrapers", type: "IP", list: ["203.0.113.7"], syncPoint: 5 },
      },
    }),
    netlist_delete: operationAt("DELETE /network-list/v2/network-lists/{networkListId}", {
      does: "Deletes a network list that was never activated.",
      guard: {
        kind: "delete",
        thing: "network list {name}",
        undo: {
          tool: "netlist_create",
          args: ({ before }) => {
            const membersOf = pickArguments("name", "type", "description", "list", "contractId", "groupId");
            return before === undefined ? undefined : { body: defined(membersOf(before as Arguments)) };
          },
        },
        says: (args, present) => {
          const elements = listInWords(listAt(present, "list"), plainOrQuoted);
          return act`DELETE ${nameOf(args, present)}: ${elements === "" ? "it has no elements" : `it is gone with ${elements}`}`;
        },
        warns: () => ["A restored list has another id: configurations that refer to this one have to be changed."],
      },
      shownBy: listWithStatuses,
      checks: [checks.isWritable, checks.isInactive],
      rules: ["netlist-delete-inactive"],
      means: {
        403: noChange,
        404: noList,
        409: "It is active: to turn it off, remove its elements with netlist_replace and activate it.",
      },
      example: { networkListId: "25616_TRIAL" },
    }),
    netlist_element_create: operationAt("POST /network-list/v2/network-lists/{networkListId}/append", {
      does: "Adds elements to a network list; the others stay.",
      arguments: { list: z.array(z.string().min(1)).min(1).describe("Addresses, CIDR blocks or country codes") },
      effect: "update",
      shownBy: "netlist_get",
      checks: [checks.isWritable, checks.elementsFitList],
      rules: ["netlist-element-type", "netlist-inert"],
      means: { 202: inert, 403: noChange, 404: noList },
      example: { networkListId: "25614_BLOCKED", body: { list: ["203.0.113.80", "203.0.113.81"] } },
    }),
    netlist_detail_update: operationAt("PUT /network-list/v2/network-lists/{networkListId}/details", {
      does: "Renames a network list or changes its description; its elements stay.",
      effect: "destructive",
      guard: {
        kind: "overwrite",
        thing: "network list {name}",
        replaces: "body",
        write: "merge",
        undo: "rewrite",
      },
      shownBy: listWithStatuses,
      checks: [checks.isWritable],
      means: { 403: noChange, 404: noList },
      note: "The definition leaves open whether a description that is left out stays.",
      example: { networkListId: "25614_BLOCKED", body: { name: "Blocked", description: "Scrapers and floods" } },
    }),
    netlist_element_set: operationAt("PUT /network-list/v2/network-lists/{networkListId}/elements", {
      does: "Adds one element to a network list.",
      effect: "update",
      shownBy: listWithStatuses,
      checks: [checks.isWritable, checks.elementsFitList],
      rules: ["netlist-element-type", "netlist-inert"],
      means: { 200: inert, 403: noChange, 404: noList },
      example: { networkListId: "25614_BLOCKED", element: "203.0.113.80" },
    }),
    netlist_element_delete: operationAt("DELETE /network-list/v2/network-lists/{networkListId}/elements", {
      does: "Removes one element from a network list.",
      guard: {
        kind: "delete",
        thing: "element",
        target: ({ element }) => String(element),
        undo: {
          tool: "netlist_element_set",
          args: ({ given, before }) =>
            listAt(before, "list").includes(given["element"])
              ? pickArguments("networkListId", "element")(given)
              : undefined,
          isWhole: true,
        },
        says: (args, present) =>
          act`REMOVE ${plainOrQuoted(args["element"])} from ${nameOf(args, present)}: ${untilActivated(present)}`,
        compares: ({ element }) => [signedLine("removed", plainOrQuoted(element))],
        warns: ({ element }, present) => [
          present !== undefined &&
            !listAt(present, "list").includes(element) &&
            `The list has no element ${plainOrQuoted(element)}.`,
        ],
      },
      shownBy: listWithStatuses,
      checks: [checks.isWritable],
      rules: ["netlist-inert"],
      means: { 200: inert, 403: noChange, 404: noList },
      example: { networkListId: "25614_BLOCKED", element: "203.0.113.7" },
    }),
    netlist_activate: operationAt(
      "POST /network-list/v2/network-lists/{networkListId}/environments/{environment}/activate",
      {
        does: "Activates a network list's newest version on a network, in minutes.",
        arguments: {
          comments: true,
          notificationRecipients: emails.describe("Console users who consent"),
          siebelTicketId: true,
        },
        answers: { syncPoint: "The version that is active" },
        effect: "destructive",
        guard: {
          ...activates("network list", "environment", activationOf),
          forecasts: ({ networkListId, environment }) => activationScope("list", networkListId, environment, undefined),
          target: ({ networkListId, environment }) => `${String(networkListId)} on ${String(environment)}`,
          undo: {
            by: ({ given, before }) => {
              const former = checks.activeVersion(before);
              const again = calling({ tool: "netlist_activate", arguments: { ...given, body: {} } });
              return former === undefined
                ? naming`No version was active there before. Remove the elements with netlist_replace, then ${again}.`
                : naming`Read version ${String(former)} with netlist_version_get, write its elements with netlist_replace, then ${again}.`;
            },
          },
        },
        shownBy: "netlist_activation_status",
        relatedReads: {
          // The content of the list at that moment becomes active, so an approval is bound to it.
          list: { ...listWithStatuses, isBound: true },
          active: {
            by: "netlist_version_get",
            args: ({ networkListId }, status) => defined({ networkListId, syncPoint: checks.activeVersion(status) }),
          },
        },
        awaits: {
          status: "netlist_activation_get",
          follow: ({ body }) =>
            memberAt(body, "activationId") === undefined ? undefined : pickArguments("activationId")(body as Arguments),
          isReady: ({ body }) => /^(ACTIVE|MODIFIED)$/.test(statusIn(body)),
          state: ({ body }) => `${statusIn(body)} ${String(memberAt(body, "status") ?? "")}`.trim(),
          failure: ({ body }) =>
            statusIn(body) === "FAILED"
              ? "The activation failed: the version that was active before stays active."
              : undefined,
        },
        rules: ["netlist-newest"],
        means: { 404: noList },
        example: {
          networkListId: "25614_BLOCKED",
          environment: "STAGING",
          body: { comments: "Scrapers of this week" },
        },
      },
    ),
    netlist_activation_status: operationAt(
      "GET /network-list/v2/network-lists/{networkListId}/environments/{environment}/status",
      {
        does: "Reads which version of a network list is active on a network.",
        answers: { syncPoint: "The version that is active" },
        means: { 404: noList },
        example: { networkListId: "25614_BLOCKED", environment: "PRODUCTION" },
      },
    ),
    netlist_activation_get: operationAt("GET /network-list/v2/activations/{activationId}", {
      does: "Reads an activation's progress, from PENDING_ACTIVATION to ACTIVE.",
      answers: { estimate: "The remaining time, as an ISO 8601 duration", syncPoint: "The version that is active" },
      example: { activationId: 7001 },
    }),
    netlist_version_get: operationAt(
      "GET /network-list/v2/network-lists/{networkListId}/sync-points/{syncPoint}/history",
      {
        does: "Reads a former version of a network list that was activated.",
        rules: ["netlist-activated-versions"],
        means: { 404: "There is no such list (netlists_list lists all), or this version was never activated." },
        example: { networkListId: "25614_BLOCKED", syncPoint: 3 },
      },
    ),
    netlist_subscription_create: operationAt("POST /network-list/v2/notifications/subscribe", {
      does: "Subscribes people to mail about changes to network lists.",
      effect: "create",
      guard: ofSubscribers("SUBSCRIBE", {
        kind: "create",
        when: "sending",
        undo: { by: "Call netlist_subscription_delete for those who were not subscribed before." },
        results: () => "each change of these lists is mailed to them",
      }),
      unseen,
      example: subscribers,
    }),
    netlist_subscription_delete: operationAt("POST /network-list/v2/notifications/unsubscribe", {
      does: "Ends people's subscription to network lists.",
      effect: "destructive",
      guard: ofSubscribers("UNSUBSCRIBE", {
        kind: "cancel",
        undo: { by: "Call netlist_subscription_create for those who were subscribed before." },
        results: () => "changes of these lists are no longer mailed to them",
      }),
      unseen,
      example: subscribers,
    }),
  },
});
