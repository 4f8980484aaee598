/** Today's operations on active hostnames: of an account, of a property, and of one that keeps them in a bucket. */
import type { Check } from "../../language/check.js";
import type { Arguments, Guard, JobPolling, UpstreamAnswer } from "../../language/conduct.js";
import { act, guardsOf, memberClauses } from "../../language/guards.js";
import { defined, listAt, memberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { calling, naming } from "../../language/sentence.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";
import { IdInBody, requiredPlace } from "./ids.js";
import { objectOf, propertyKind } from "./states.js";
import { entriesIn } from "./v1-guards.js";
import { operationAt } from "./v1-overlay.js";

const Activations = z.looseObject({ items: z.array(z.looseObject({ network: z.string(), status: z.string() })) });
/** One activation, which the definition and its sample have under different names. */
const activationIn = (body: unknown) =>
  Activations.safeParse(memberAt(body, "hostnameActivations") ?? memberAt(body, "activations")).data?.items[0];
const statusOf = ({ body }: UpstreamAnswer): string => activationIn(body)?.status ?? "";

const activeIn = (present: unknown, on: unknown) => {
  const side = on === "STAGING" ? "staging" : "production";
  return listAt(present, "hostnames.items").flatMap((hostname) => {
    const edgeHostnameId = memberAt(hostname, `${side}EdgeHostnameId`);
    const cnameFrom = memberAt(hostname, "cnameFrom");
    if (typeof cnameFrom !== "string" || typeof edgeHostnameId !== "string") return [];
    return [
      { cnameFrom, edgeHostnameId, certProvisioningType: memberAt(hostname, `${side}CertType`) ?? "CPS_MANAGED" },
    ];
  });
};

/** The call that adds what this one removes, and removes what it adds. */
function reversed(args: Arguments, before: unknown): Arguments {
  const active = activeIn(before, memberAt(args, "body.network"));
  const removed = listAt(args, "body.remove");
  const addedNames = entriesIn(memberAt(args, "body.add")).map(({ cnameFrom }) => cnameFrom);
  const again = active.filter(({ cnameFrom }) => removed.includes(cnameFrom) || addedNames.includes(cnameFrom));
  const add = again.map((one) => ({ ...one, cnameType: "EDGE_HOSTNAME" }));
  const remove = addedNames.filter((name) => !active.some(({ cnameFrom }) => cnameFrom === name));
  const change = defined({
    network: memberAt(args, "body.network"),
    notifyEmails: memberAt(args, "body.notifyEmails"),
  });
  return {
    ...objectOf(propertyKind)(args),
    body: { ...change, ...(add.length > 0 && { add }), ...(remove.length > 0 && { remove }) },
  };
}

const nameIn = ({ cnameFrom }: { readonly cnameFrom: string }): string => cnameFrom;
const bucketGuard: Guard = {
  ...guardsOf(
    "hostnames",
    (args) => `the hostnames of property ${String(args["propertyId"])} on ${String(memberAt(args, "body.network"))}`,
  )("CHANGE", {
    kind: "activate",
    network: "body.network",
    results: ({ body }) => {
      const lost = listAt(body, "remove");
      return [
        ...memberClauses({ lost, gained: entriesIn(memberAt(body, "add")).map(nameIn) }, "nothing changes"),
        lost.length > 0 && "what it loses is no longer served there",
        "it is live at once, without a new version",
      ];
    },
    warns: ({ body }, present) => {
      const active = activeIn(present, memberAt(body, "network")).map(nameIn);
      const unknown = listAt(body, "remove").filter((name) => !active.includes(String(name)));
      const replaced = entriesIn(memberAt(body, "add")).filter((one) => active.includes(nameIn(one)));
      const again = listInWords(replaced, (one) => plainOrQuoted(nameIn(one)));
      return [
        unknown.length > 0 && `Not among the active hostnames that were read: ${listInWords(unknown, plainOrQuoted)}.`,
        again !== "" && `Active already, so that only its edge hostname or certificate changes: ${again}.`,
      ];
    },
  }),
  undo: {
    by: ({ given, before }) => {
      const cancel = "While it is PENDING, cancel it with property_hostname_activation_cancel.";
      if (before === undefined)
        return `${cancel} Once it is ACTIVE, call property_active_hostnames_update with what is added here to remove, and the reverse.`;
      const call = { tool: "property_active_hostnames_update", arguments: reversed(given, before) };
      return { says: naming`${cancel} Once it is ACTIVE, ${calling(call)}.`, call };
    },
  },
};

const awaits: JobPolling<"property_hostname_activation_get"> = {
  status: "property_hostname_activation_get",
  follow: ({ body }, { propertyId, contractId, groupId }) => {
    const link = String(memberAt(body, "activationLink"));
    const id = memberAt(body, "activationId");
    const query = new URLSearchParams(link.split("?")[1]);
    const at = { contractId: contractId ?? query.get("contractId"), groupId: groupId ?? query.get("groupId") };
    return typeof id === "string" && at.contractId && at.groupId
      ? { propertyId, hostnameActivationId: id, ...at }
      : undefined;
  },
  isReady: (status) => /^(ACTIVE|DEACTIVATED)$/.test(statusOf(status)),
  state: statusOf,
  failure: (status) => {
    const now = statusOf(status);
    if (now === "FAILED") return "The network did not accept the hostnames.";
    return now === "ABORTED" ? "The activation was cancelled." : undefined;
  },
};

const addsOrRemoves: Check = ({ args }) =>
  listAt(args, "body.add").length + listAt(args, "body.remove").length === 0
    ? [{ field: "body.add", takes: "hostnames here or in body.remove" }]
    : [];

/** A hostname activation that is over cannot be cancelled. */
const isPending: Check = async ({ args, present }) => {
  const status = activationIn(await present())?.status;
  if (status === undefined || status === "PENDING") return [];
  const takes = `a hostname activation that is PENDING, and this one is ${plainOrQuoted(status)}: change the hostnames with property_active_hostnames_update`;
  return [{ field: "hostnameActivationId", given: String(args["hostnameActivationId"]), takes }];
};

const cancelGuard: Guard = {
  kind: "cancel",
  thing: "hostname activation",
  undo: {
    by: "A cancelled activation cannot be resumed: call property_active_hostnames_update for its hostnames again.",
  },
  says: ({ hostnameActivationId, propertyId }, present) => {
    const activation = activationIn(present);
    const where = activation === undefined ? "" : ` on ${plainOrQuoted(activation.network)}`;
    return act`CANCEL hostname activation ${String(hostnameActivationId)} of property ${String(propertyId)}${where}: its hostnames do not change there`;
  },
};

const inPlace = { contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" };
const unreviewed = "it could change what is live without having been reviewed";
const bucketOnly = "Only a property that was created with useHostnameBucket has one.";

export const hostnameOperations = {
  property_account_hostnames_list: operationAt("GET /papi/v1/hostnames", {
    does: "Lists the account's active hostnames, with the property of each.",
    example: { hostname: "*.shop.example", network: "PRODUCTION" },
  }),
  property_active_hostnames_list: operationAt("GET /papi/v1/properties/{propertyId}/hostnames", {
    does: "Lists a property's active hostnames, with their edge hostnames on each network.",
    example: { propertyId: "prp_175780" },
  }),
  property_hostname_differences_list: operationAt("GET /papi/v1/properties/{propertyId}/hostnames/diff", {
    does: "Lists a property's hostnames that differ between staging and production.",
    example: { propertyId: "prp_175783" },
  }),
  property_active_hostnames_update: operationAt("PATCH /papi/v1/properties/{propertyId}/hostnames", {
    does: "Adds or removes hostnames in a property's hostname bucket on one network, live within minutes, without a new version.",
    arguments: {
      add: z
        .array(
          closedObject(unreviewed, {
            cnameFrom: z.string().min(1).max(253),
            edgeHostnameId: IdInBody,
            cnameType: z.enum(["EDGE_HOSTNAME"]),
            certProvisioningType: z.enum(["CPS_MANAGED", "DEFAULT"]),
          }),
        )
        .max(1_000),
    },
    whyClosed: unreviewed,
    effect: "destructive",
    checks: [addsOrRemoves],
    guard: bucketGuard,
    shownBy: { by: "property_active_hostnames_list", args: ({ body }) => ({ network: memberAt(body, "network") }) },
    awaits,
    rules: ["property-bucket-one-change"],
    means: { 403: bucketOnly, 409: "An activation is under way: property_hostname_activations_list shows it." },
    example: {
      propertyId: "prp_175783",
      body: {
        network: "STAGING",
        add: [
          {
            cnameType: "EDGE_HOSTNAME",
            cnameFrom: "new.shop.example",
            edgeHostnameId: "ehn_1682",
            certProvisioningType: "CPS_MANAGED",
          },
        ],
      },
    },
  }),
  property_hostname_activations_list: operationAt("GET /papi/v1/properties/{propertyId}/hostname-activations", {
    does: "Lists the activations of a property's hostname bucket, newest first.",
    means: { 403: bucketOnly },
    example: { propertyId: "prp_175783" },
  }),
  property_hostname_activation_get: operationAt(
    "GET /papi/v1/properties/{propertyId}/hostname-activations/{hostnameActivationId}",
    {
      does: "Reads the progress of one hostname activation.",
      arguments: requiredPlace,
      example: { propertyId: "prp_175783", hostnameActivationId: "atv_5101", ...inPlace },
    },
  ),
  property_hostname_activation_cancel: operationAt(
    "DELETE /papi/v1/properties/{propertyId}/hostname-activations/{hostnameActivationId}",
    {
      does: "Cancels a hostname activation that is still PENDING.",
      arguments: requiredPlace,
      checks: [isPending],
      guard: cancelGuard,
      shownBy: "property_hostname_activation_get",
      means: { 422: "It is no longer PENDING, so it cannot be cancelled." },
      example: { propertyId: "prp_175783", hostnameActivationId: "atv_5101", ...inPlace },
    },
  ),
} as const;
