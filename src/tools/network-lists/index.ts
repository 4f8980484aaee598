/** Network lists (today's API, v2): IP addresses or countries by which a firewall decides, activated on each network. */
import { empty, json, op } from "../../language/define.js";
import { openObject } from "../../language/open-object.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";
import * as checks from "./checks.js";
import * as guards from "./guards.js";
import * as shapes from "./shapes.js";

const path = { networkListId: z.string().min(3) };
const onNetwork = { path: { ...path, environment: shapes.Environment } };
const flag = z.boolean().optional();
const extended = { extended: flag.describe("Adds authors and statuses") };
const answer = { 200: json(shapes.NetworkList) };
const noList = { 404: "There is no such list: netlists_list lists all." } as const;
const inert = "The list is changed; only netlist_activate makes it live.";
const changed = {
  403: "You may not change this list: it is read-only for you, or your role does not permit it.",
} as const;
const onElement = {
  ...{ path, query: { element: z.string().min(1).describe("Address, CIDR block or country code") } },
  ...{ returns: answer, shownBy: guards.wholeList, means: { ...noList, ...changed, 200: inert } },
} as const;
const ofSubscribers = {
  ...{ body: json(shapes.Recipients), returns: { 204: empty }, unseen: "The API does not show who is subscribed." },
  example: { body: { recipients: ["operations@shop.example"], uniqueIds: ["25614_BLOCKED"] } },
} as const;

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
    netlists_list: op("GET /network-list/v2/network-lists", {
      does: "Lists the network lists.",
      query: {
        search: z.string().min(1).optional().describe("Part of a name or element"),
        listType: shapes.Type.optional(),
        includeElements: flag.describe("Default false"),
        ...extended,
      },
      returns: { 200: json(z.looseObject({ networkLists: z.array(shapes.NetworkList) })) },
      example: { listType: "IP" },
    }),
    netlist_get: op("GET /network-list/v2/network-lists/{networkListId}", {
      does: "Reads a network list with its elements and its syncPoint.",
      path,
      query: { ...extended, includeElements: flag.describe("Default true") },
      returns: answer,
      means: noList,
      example: { networkListId: "25614_BLOCKED" },
    }),
    netlist_create: op("POST /network-list/v2/network-lists", {
      does: "Creates a network list, which is active nowhere.",
      body: json(
        openObject({
          ...shapes.details,
          type: shapes.Type,
          list: shapes.Elements,
          contractId: z.string().min(5).max(20).optional(),
          groupId: z.int().optional(),
        }),
      ),
      returns: { 201: json(shapes.NetworkList) },
      effect: "create",
      shownBy: "netlists_list",
      checks: [checks.elementsAreOfType, checks.contractHasGroup],
      rules: ["netlist-element-type", "netlist-contract-group"],
      means: { 201: inert, 403: "You may not create lists in this contract and group." },
      example: { body: { name: "Scrapers", type: "IP", list: ["203.0.113.77", "198.51.100.0/24"] } },
    }),
    netlist_replace: op("PUT /network-list/v2/network-lists/{networkListId}", {
      does: "Replaces a network list's name, description and all elements.",
      needs: "netlist_element_create only adds elements.",
      path,
      query: members(flag, "extended", "includeElements"),
      body: json(shapes.Replacement),
      returns: answer,
      effect: "destructive",
      guard: guards.replacement,
      shownBy: guards.wholeList,
      lock: { field: "body.syncPoint", from: "netlist_get" },
      checks: [checks.isWritable, checks.typeStays, checks.elementsAreOfType],
      rules: ["netlist-sync-point", "netlist-element-type", "netlist-inert"],
      means: {
        ...{ ...noList, ...changed, 200: inert },
        409: "Another client changed the list: read it with netlist_get, apply your change to that, and send its syncPoint.",
      },
      example: {
        networkListId: "25614_BLOCKED",
        body: { name: "Blocked addresses", description: "Scrapers", type: "IP", list: ["203.0.113.7"], syncPoint: 5 },
      },
    }),
    netlist_delete: op("DELETE /network-list/v2/network-lists/{networkListId}", {
      does: "Deletes a network list that was never activated.",
      path,
      returns: { 200: json(z.looseObject({ status: z.int(), syncPoint: z.int().optional() })) },
      guard: guards.deletion,
      shownBy: guards.wholeList,
      checks: [checks.isWritable, checks.isInactive],
      rules: ["netlist-delete-inactive"],
      means: {
        ...noList,
        ...changed,
        409: "It is active: to turn it off, remove its elements with netlist_replace and activate it.",
      },
      example: { networkListId: "25616_TRIAL" },
    }),
    netlist_element_create: op("POST /network-list/v2/network-lists/{networkListId}/append", {
      does: "Adds elements to a network list; the others stay.",
      path,
      body: json(openObject({ list: shapes.Elements.min(1) })),
      returns: { 202: json(shapes.NetworkList) },
      effect: "update",
      shownBy: "netlist_get",
      checks: [checks.isWritable, checks.elementsFitList],
      rules: ["netlist-element-type", "netlist-inert"],
      means: { ...noList, ...changed, 202: inert },
      example: { networkListId: "25614_BLOCKED", body: { list: ["203.0.113.80", "203.0.113.81"] } },
    }),
    netlist_detail_update: op("PUT /network-list/v2/network-lists/{networkListId}/details", {
      does: "Renames a network list or changes its description; its elements stay.",
      path,
      body: json(openObject(shapes.details)),
      returns: { 204: empty },
      effect: "destructive",
      guard: guards.renaming,
      shownBy: guards.wholeList,
      checks: [checks.isWritable],
      means: { ...noList, ...changed },
      note: "The definition leaves open whether a description that is left out stays.",
      example: { networkListId: "25614_BLOCKED", body: { name: "Blocked", description: "Scrapers and floods" } },
    }),
    netlist_element_set: op("PUT /network-list/v2/network-lists/{networkListId}/elements", {
      does: "Adds one element to a network list.",
      ...onElement,
      effect: "update",
      checks: [checks.isWritable, checks.elementsFitList],
      rules: ["netlist-element-type", "netlist-inert"],
      example: { networkListId: "25614_BLOCKED", element: "203.0.113.80" },
    }),
    netlist_element_delete: op("DELETE /network-list/v2/network-lists/{networkListId}/elements", {
      does: "Removes one element from a network list.",
      ...onElement,
      guard: guards.elementRemoval,
      checks: [checks.isWritable],
      rules: ["netlist-inert"],
      example: { networkListId: "25614_BLOCKED", element: "203.0.113.7" },
    }),
    netlist_activate: op("POST /network-list/v2/network-lists/{networkListId}/environments/{environment}/activate", {
      does: "Activates a network list's newest version on a network, in minutes.",
      ...onNetwork,
      body: json(shapes.ActivationRequest),
      returns: { 200: json(shapes.ActivationStatus) },
      effect: "destructive",
      guard: guards.activation,
      shownBy: "netlist_activation_status",
      relatedReads: guards.readForActivation,
      awaits: guards.awaits,
      rules: ["netlist-newest"],
      means: noList,
      example: { networkListId: "25614_BLOCKED", environment: "STAGING", body: { comments: "Scrapers of this week" } },
    }),
    netlist_activation_status: op(
      "GET /network-list/v2/network-lists/{networkListId}/environments/{environment}/status",
      {
        does: "Reads which version of a network list is active on a network.",
        ...onNetwork,
        returns: { 200: json(shapes.ActivationStatus) },
        means: noList,
        example: { networkListId: "25614_BLOCKED", environment: "PRODUCTION" },
      },
    ),
    netlist_activation_get: op("GET /network-list/v2/activations/{activationId}", {
      does: "Reads an activation's progress, from PENDING_ACTIVATION to ACTIVE.",
      path: { activationId: z.int() },
      returns: { 200: json(shapes.Activation) },
      example: { activationId: 7001 },
    }),
    netlist_version_get: op("GET /network-list/v2/network-lists/{networkListId}/sync-points/{syncPoint}/history", {
      does: "Reads a former version of a network list that was activated.",
      path: { ...path, syncPoint: z.int().min(0) },
      query: extended,
      returns: answer,
      rules: ["netlist-activated-versions"],
      means: { 404: "There is no such list (netlists_list lists all), or this version was never activated." },
      example: { networkListId: "25614_BLOCKED", syncPoint: 3 },
    }),
    netlist_subscription_create: op("POST /network-list/v2/notifications/subscribe", {
      does: "Subscribes people to mail about changes to network lists.",
      ...ofSubscribers,
      effect: "create",
      guard: guards.subscription,
    }),
    netlist_subscription_delete: op("POST /network-list/v2/notifications/unsubscribe", {
      does: "Ends people's subscription to network lists.",
      ...ofSubscribers,
      effect: "destructive",
      guard: guards.unsubscription,
    }),
  },
});
