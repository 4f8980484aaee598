/** The shapes of network lists and their activations, and which texts can be elements. */
import { openObject } from "../../language/open-object.js";
import { z } from "../../language/z.js";
import { destination } from "../../schema/destination.js";
import { marked } from "../../schema/marks.js";
import { asRead } from "../../schema/read-only.js";
import { members, Timestamp } from "../fields.js";

export const environments = ["STAGING", "PRODUCTION"] as const;
export const Environment = z.enum(environments);
export const Type = z.enum(["IP", "GEO"]);
const status = z.string().optional();
const Status = z.enum(["INACTIVE", "ACTIVE", "MODIFIED", "PENDING_ACTIVATION", "FAILED", "PENDING_DEACTIVATION"]);

/** The statuses in which a network has a version of the list, or is about to have one. */
export const inForce: ReadonlySet<unknown> = new Set(["ACTIVE", "MODIFIED", "PENDING_ACTIVATION"]);

export const details = {
  name: z.string().min(1).max(100),
  description: z.string().min(1).max(255).optional(),
};
export const Elements = z.array(z.string().min(1)).describe("Addresses, CIDR blocks or country codes");

export const NetworkList = z.looseObject({
  ...members(z.string(), "uniqueId", "name"),
  type: Type,
  syncPoint: z.int().describe("The version, which an update sends back"),
  ...{ list: z.array(z.string()).optional(), elementCount: z.int().optional() },
  ...members(status, "description", "contractId", "accessControlGroup", "networkListType", "createdBy", "updatedBy"),
  groupId: z.number().optional(),
  ...members(z.boolean().optional(), "readOnly", "shared"),
  ...members(Timestamp.optional(), "createDate", "updateDate"),
  ...members(status, "stagingActivationStatus", "productionActivationStatus"),
  ...members(status, "expeditedStagingActivationStatus", "expeditedProductionActivationStatus"),
  links: marked(z.looseObject({}).optional(), { link: true }),
});

export const ActivationStatus = z.looseObject({
  activationId: z.int().optional(),
  activationStatus: Status,
  syncPoint: z.int().describe("The version that is active"),
  uniqueId: z.string(),
  ...{ activationComments: status, dispatchCount: z.int().optional(), fast: z.boolean().optional() },
});

export const Activation = z.looseObject({
  ...{ activationId: z.int(), createDate: Timestamp, createdBy: z.string(), environment: Environment },
  estimate: status.describe("The remaining time, as an ISO 8601 duration"),
  initial: z.boolean().optional(),
  status,
  networkList: ActivationStatus,
});

/** A list as it is written whole: what was read is accepted. */
const syncPoint = z.int().min(0);
export const Replacement = openObject(asRead({ ...details, type: Type, list: Elements, syncPoint }, NetworkList));
const Emails = z.array(destination("email", z.email())).min(1);
export const Recipients = openObject({ recipients: Emails, uniqueIds: z.array(z.string().min(3)).min(1) });
export const ActivationRequest = openObject({
  comments: z.string().optional(),
  notificationRecipients: Emails.optional().describe("Console users who consent"),
  siebelTicketId: z.string().optional(),
});

/** What an element of each type is; a block may have bits behind its prefix. */
export const fits = {
  IP: z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]),
  GEO: z.string().regex(/^[A-Z]{2}$/),
} as const;
