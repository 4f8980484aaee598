/** Secure provisioning (document B): requests that provision certificates and secure edge hostnames, as forms. */
import type { Guard } from "../../language/conduct.js";
import { contractArgument, groupArgument } from "../../language/defaults.js";
import { formNested, json, op } from "../../language/define.js";
import { destination } from "../../language/destination.js";
import { quoteValue } from "../../language/failure.js";
import { act } from "../../language/guards.js";
import { memberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { isInstant } from "../../time/instant.js";
import { members } from "../fields.js";

// The document says number; clients send the ids with their prefixes (public facts B, 2).
const contractId = z.union([z.int().positive(), z.string().regex(/^(ctr_)?[A-Z0-9]+(-[A-Z0-9.]+)?$/, "a contract id")]);
const groupId = z.union([z.int().positive(), z.string().regex(/^(grp_)?\d+$/, "a group id")]);
const groups = "property_groups_list";
const owner = { contractId: contractArgument(contractId, groups), groupId: groupArgument(groupId, groups) };
const selection = {
  ...owner,
  after: z
    .string()
    .refine(
      (text) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text) && isInstant(text),
      "a UTC time to the second such as 2026-05-01T00:00:00Z",
    )
    .optional()
    .describe("Only requests created after this time"),
  information: z.boolean().optional().describe("true: includes the posted parameters"),
};

const text = z.string().min(1).optional();
/** Why the objects of a request take no unknown members: a request reaches production without staging. */
const reachesProduction = "the request reaches production without further confirmation";
const person = closedObject(reachesProduction, {
  ...members(text, "first-name", "last-name", "phone"),
  email: destination("email", z.string().min(1)).optional(),
}).optional();
const create = formNested(
  ".",
  closedObject(reachesProduction, {
    cnameHostname: z.string().min(1).describe("The secure edge hostname is created for this name"),
    createType: z.enum(["single", "wildcard", "san", "modSan"]),
    jobId: z.string().optional().describe("modSan: job of the earlier request"),
    csr: closedObject(reachesProduction, {
      ...members(text, "cn", "c", "st", "l", "o", "ou"),
      sans: z.array(z.string().min(1)).optional(),
    }).optional(),
    add: closedObject(reachesProduction, { sans: z.array(z.string().min(1)).min(1) })
      .optional()
      .describe("modSan: names to add"),
    "organization-information": closedObject(reachesProduction, {
      ...members(text, "organization-name", "address-line-one", "city", "region", "postal-code", "country", "phone"),
    }).optional(),
    "admin-contact": person,
    "technical-contact": person,
    "slot-deployment": closedObject(reachesProduction, { klass: text }).optional(),
    ...members(text, "issuer", "ipVersion", "product", "validationType"),
    contractId: contractId.optional(),
    groupId: groupId.optional(),
  }),
);
const edgeHost = formNested(".", {
  cnameHostname: z.string().min(1),
  enrollmentId: z.int().positive(),
  ...members(text, "ipVersion", "product"),
});

const Job = z.looseObject({
  ...members(z.unknown().optional(), "data", "code"),
  ...members(z.string().nullish(), "text", "message"),
  results: z
    .looseObject({ jobID: z.int().optional(), enrollmentId: z.int().nullish(), type: z.string().optional() })
    .nullish(),
});
const accepted = {
  202: json(
    z.looseObject({
      spsId: z.int(),
      resourceLocation: z.string(),
      Results: z.looseObject({ size: z.int(), data: z.array(Job) }),
    }),
  ),
} as const;
const requests = {
  200: json(
    z.looseObject({
      requestList: z.array(
        z.looseObject({
          status: z.string(),
          spsId: z.int(),
          ...members(z.int().nullish(), "jobId", "enrollmentId"),
          workflowProgress: z.string().nullish(),
          ...members(z.string().optional(), "resourceUrl", "lastStatusChange"),
          parameters: z.array(z.looseObject({ name: z.string(), value: z.string().nullish() })).optional(),
        }),
      ),
    }),
  ),
} as const;
/** Names of a request in a sentence, each once. */
const named = (...names: readonly unknown[]): string =>
  [...new Set(names.filter(Boolean).flat().map(quoteValue))].join(", ");

/**
 * A request goes to production on its own: neither staging nor an acknowledgement stops it. With modSan it changes a
 * certificate that is in use, which takes an approval in the certificate service, too.
 */
const requestGuard: Guard = {
  kind: "activate",
  thing: "provisioning request",
  target: (args) => String(memberAt(args, "body.cnameHostname")),
  says: (args) => {
    const [type, job] = [memberAt(args, "body.createType"), memberAt(args, "body.jobId")];
    const host = named(memberAt(args, "body.cnameHostname"));
    if (type === "modSan")
      return act`ADD ${named(memberAt(args, "body.add.sans")) || "nothing"} to the certificate of job ${quoteValue(job ?? "?")}, which serves ${host}: it is reissued and replaced on PRODUCTION`;
    const names = named(memberAt(args, "body.csr.cn"), memberAt(args, "body.csr.sans"));
    return act`ORDER a certificate (${quoteValue(type)}) for ${names || host}: it goes to PRODUCTION without further confirmation, with a secure edge hostname for ${host}`;
  },
  undo: {
    by: "Call cert_change_cancel while the change to the certificate is pending. Afterwards, remove the names with cert_enrollment_update.",
  },
};

const means = { 202: "Accepted, not done: sps_request_get with the spsId shows its progress." };
const memberNotes = [
  {
    each: "Results.data",
    when: "results.jobID",
    says: "Job {results.jobID} was accepted ({results.type}), for enrollment {results.enrollmentId}.",
  },
];
const errors = {
  400: "The request was refused: validationDescription in the response says why.",
  404: "There is no such request: sps_requests_list lists them.",
};

export const secureProvisioning = service("sps", {
  name: "secure-provisioning",
  document: "B",
  title: "Secure provisioning",
  about: "Requests certificates together with secure edge hostnames, and lists such requests.",
  standing: {
    state: "retired",
    since: "2023-01-03",
    successor: "certificate enrollments (/cps/v2) and edge hostnames of properties (/papi/v1)",
  },
  ids: {
    spsId: "sps_requests_list",
    contractId: "property_contracts_list",
    groupId: "property_groups_list",
    enrollmentId: "cert_enrollments_list",
  },
  rules: {
    "sps-owner": "Every call takes the contract and the group.",
    "sps-dotted-form": "A request is a form: nested names are joined by dots, csr.sans is repeated.",
    "sps-accepted": "A creation returns 202 with the request's id, its URL and its jobs.",
    "sps-after": "after lists only requests created after that UTC time.",
    "sps-information": "information=true adds the posted parameters.",
  },
  operations: {
    sps_requests_list: op("GET /config-secure-provisioning-service/v1/sps-requests", {
      does: "Lists provisioning requests and their progress.",
      query: selection,
      returns: requests,
      rules: ["sps-owner", "sps-after", "sps-information"],
      example: { contractId: "C-1FRYVV3", groupId: "11111" },
    }),
    sps_request_create: op("POST /config-secure-provisioning-service/v1/sps-requests", {
      does: "Requests a certificate and a secure edge hostname, or adds names to a certificate (modSan).",
      query: owner,
      body: create,
      returns: accepted,
      memberNotes,
      effect: "create",
      guard: requestGuard,
      // The progress of other requests changes on its own.
      shownBy: { by: "sps_requests_list", isBound: false },
      rules: ["sps-owner", "sps-dotted-form", "sps-accepted"],
      means: { ...means, 400: errors[400] },
      note: "The document does not say which fields are mandatory; according to an old vendor page, all are, except those of another createType.",
      example: {
        contractId: "C-1FRYVV3",
        groupId: "11111",
        body: {
          cnameHostname: "secure.shop.example",
          createType: "san",
          csr: { cn: "secure.shop.example", c: "DE", o: "Example Shops", sans: ["pay.shop.example"] },
          issuer: "symantec",
          validationType: "ov",
        },
      },
    }),
    sps_request_get: op("GET /config-secure-provisioning-service/v1/sps-request/{spsId}", {
      does: "Reads one provisioning request, as a list of one.",
      path: { spsId: z.int().positive() },
      query: selection,
      returns: requests,
      rules: ["sps-owner", "sps-information"],
      means: { 404: errors[404] },
      note: "Responses and clients use the path sps-requests/{spsId}; the document has sps-request.",
      example: { contractId: "C-1FRYVV3", groupId: "11111", spsId: 1001 },
    }),
    sps_edge_host_create: op("POST /config-secure-provisioning-service/v1/secure-edge-hosts", {
      does: "Requests a secure edge hostname for a name on an enrolled certificate.",
      needs: "An enrollment from cert_enrollments_list.",
      query: owner,
      body: edgeHost,
      returns: accepted,
      memberNotes,
      effect: "create",
      shownBy: "sps_requests_list",
      rules: ["sps-owner", "sps-accepted"],
      means: { ...means, 400: errors[400] },
      note: "The document shows neither the fields nor the response; both are taken from public clients.",
      example: {
        contractId: "C-1FRYVV3",
        groupId: "11111",
        body: { cnameHostname: "www.shop.example", enrollmentId: 10001, ipVersion: "ipv4" },
      },
    }),
  },
});
