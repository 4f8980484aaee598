/** Network lists (today's API, v2): IP addresses or countries by which a firewall decides, activated on each network. */
import definition from "../../definitions/box/network_list.json" with { type: "json" };
import { overlay } from "../../definitions/overlay.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { destination } from "../../schema/destination.js";
import { marked } from "../../schema/marks.js";
import { Timestamp } from "../fields.js";
import * as checks from "./checks.js";
import * as guards from "./guards.js";

const emails = z.array(destination("email", z.email())).min(1);
const on = overlay(definition, {
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
    links: marked(z.looseObject({}), { link: true }),
  },
});
const noList = "There is no such list: netlists_list lists all.";
const inert = "The list is changed; only netlist_activate makes it live.";
const noChange = "You may not change this list: it is read-only for you, or your role does not permit it.";
const unseen = "The API does not show who is subscribed.";
const subscribers = { body: { recipients: ["operations@shop.example"], uniqueIds: ["25614_BLOCKED"] } };

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
    netlists_list: on("GET /network-list/v2/network-lists", {
      does: "Lists the network lists.",
      arguments: { search: "Part of a name or element", includeElements: "Default false" },
      example: { listType: "IP" },
    }),
    netlist_get: on("GET /network-list/v2/network-lists/{networkListId}", {
      does: "Reads a network list with its elements and its syncPoint.",
      arguments: { includeElements: "Default true" },
      means: { 404: noList },
      example: { networkListId: "25614_BLOCKED" },
    }),
    netlist_create: on("POST /network-list/v2/network-lists", {
      does: "Creates a network list, which is active nowhere.",
      effect: "create",
      shownBy: "netlists_list",
      checks: [checks.elementsAreOfType, checks.contractHasGroup],
      rules: ["netlist-element-type", "netlist-contract-group"],
      means: { 201: inert, 403: "You may not create lists in this contract and group." },
      example: { body: { name: "Scrapers", type: "IP", list: ["203.0.113.77", "198.51.100.0/24"] } },
    }),
    netlist_replace: on("PUT /network-list/v2/network-lists/{networkListId}", {
      does: "Replaces a network list's name, description and all elements.",
      needs: "netlist_element_create only adds elements.",
      arguments: { extended: true },
      effect: "destructive",
      guard: guards.replacement,
      shownBy: guards.listWithStatuses,
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
    netlist_delete: on("DELETE /network-list/v2/network-lists/{networkListId}", {
      does: "Deletes a network list that was never activated.",
      guard: guards.deletion,
      shownBy: guards.listWithStatuses,
      checks: [checks.isWritable, checks.isInactive],
      rules: ["netlist-delete-inactive"],
      means: {
        403: noChange,
        404: noList,
        409: "It is active: to turn it off, remove its elements with netlist_replace and activate it.",
      },
      example: { networkListId: "25616_TRIAL" },
    }),
    netlist_element_create: on("POST /network-list/v2/network-lists/{networkListId}/append", {
      does: "Adds elements to a network list; the others stay.",
      arguments: { list: z.array(z.string().min(1)).min(1).describe("Addresses, CIDR blocks or country codes") },
      effect: "update",
      shownBy: "netlist_get",
      checks: [checks.isWritable, checks.elementsFitList],
      rules: ["netlist-element-type", "netlist-inert"],
      means: { 202: inert, 403: noChange, 404: noList },
      example: { networkListId: "25614_BLOCKED", body: { list: ["203.0.113.80", "203.0.113.81"] } },
    }),
    netlist_detail_update: on("PUT /network-list/v2/network-lists/{networkListId}/details", {
      does: "Renames a network list or changes its description; its elements stay.",
      effect: "destructive",
      guard: guards.renaming,
      shownBy: guards.listWithStatuses,
      checks: [checks.isWritable],
      means: { 403: noChange, 404: noList },
      note: "The definition leaves open whether a description that is left out stays.",
      example: { networkListId: "25614_BLOCKED", body: { name: "Blocked", description: "Scrapers and floods" } },
    }),
    netlist_element_set: on("PUT /network-list/v2/network-lists/{networkListId}/elements", {
      does: "Adds one element to a network list.",
      effect: "update",
      shownBy: guards.listWithStatuses,
      checks: [checks.isWritable, checks.elementsFitList],
      rules: ["netlist-element-type", "netlist-inert"],
      means: { 200: inert, 403: noChange, 404: noList },
      example: { networkListId: "25614_BLOCKED", element: "203.0.113.80" },
    }),
    netlist_element_delete: on("DELETE /network-list/v2/network-lists/{networkListId}/elements", {
      does: "Removes one element from a network list.",
      guard: guards.elementRemoval,
      shownBy: guards.listWithStatuses,
      checks: [checks.isWritable],
      rules: ["netlist-inert"],
      means: { 200: inert, 403: noChange, 404: noList },
      example: { networkListId: "25614_BLOCKED", element: "203.0.113.7" },
    }),
    netlist_activate: on("POST /network-list/v2/network-lists/{networkListId}/environments/{environment}/activate", {
      does: "Activates a network list's newest version on a network, in minutes.",
      arguments: {
        comments: true,
        notificationRecipients: emails.describe("Console users who consent"),
        siebelTicketId: true,
      },
      answers: { syncPoint: "The version that is active" },
      effect: "destructive",
      guard: guards.activation,
      shownBy: "netlist_activation_status",
      relatedReads: guards.readForActivation,
      awaits: guards.awaits,
      rules: ["netlist-newest"],
      means: { 404: noList },
      example: { networkListId: "25614_BLOCKED", environment: "STAGING", body: { comments: "Scrapers of this week" } },
    }),
    netlist_activation_status: on(
      "GET /network-list/v2/network-lists/{networkListId}/environments/{environment}/status",
      {
        does: "Reads which version of a network list is active on a network.",
        answers: { syncPoint: "The version that is active" },
        means: { 404: noList },
        example: { networkListId: "25614_BLOCKED", environment: "PRODUCTION" },
      },
    ),
    netlist_activation_get: on("GET /network-list/v2/activations/{activationId}", {
      does: "Reads an activation's progress, from PENDING_ACTIVATION to ACTIVE.",
      answers: { estimate: "The remaining time, as an ISO 8601 duration", syncPoint: "The version that is active" },
      example: { activationId: 7001 },
    }),
    netlist_version_get: on("GET /network-list/v2/network-lists/{networkListId}/sync-points/{syncPoint}/history", {
      does: "Reads a former version of a network list that was activated.",
      rules: ["netlist-activated-versions"],
      means: { 404: "There is no such list (netlists_list lists all), or this version was never activated." },
      example: { networkListId: "25614_BLOCKED", syncPoint: 3 },
    }),
    netlist_subscription_create: on("POST /network-list/v2/notifications/subscribe", {
      does: "Subscribes people to mail about changes to network lists.",
      effect: "create",
      guard: guards.subscription,
      unseen,
      example: subscribers,
    }),
    netlist_subscription_delete: on("POST /network-list/v2/notifications/unsubscribe", {
      does: "Ends people's subscription to network lists.",
      effect: "destructive",
      guard: guards.unsubscription,
      unseen,
      example: subscribers,
    }),
  },
});
