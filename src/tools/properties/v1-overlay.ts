/** Properties by the vendor's definition, with the ids and bounds that the tools share which the documents do not have. */
import definition from "../../definitions/box/property_v1.json" with { type: "json" };
import { overlay } from "../../definitions/overlay.js";
import { z } from "../../language/z.js";
import { EntityTag } from "../fields.js";
import { ActivationId, NotifyEmails, ProductId, PropertyId, PropertyVersion, place } from "./ids.js";

const pattern = z.string().min(1).max(255).describe("* matches any text");

/** Declares a tool by its route. */
export const operationAt = overlay(definition, {
  arguments: {
    ...place,
    papiUsePrefixes: z.literal("true"),
    ifMatch: EntityTag.optional(),
    productId: ProductId,
    propertyId: PropertyId,
    propertyVersion: PropertyVersion,
    hostnameActivationId: ActivationId,
    offset: "Page from 0",
    hostname: pattern,
    cnameTo: pattern,
    network: true,
    add: true,
    remove: z.array(z.string().min(1).max(253)).max(1_000),
    notifyEmails: NotifyEmails,
    note: z.string().max(2_000),
  },
  optional: [
    // The last page has no next one.
    "nextLink",
    // A hostname that is on one network has nothing of the other.
    "stagingCertType",
    "stagingCnameTo",
    "stagingCnameType",
    "stagingEdgeHostnameId",
    "productionCertType",
    "productionCnameTo",
    "productionCnameType",
    "productionEdgeHostnameId",
  ],
});
