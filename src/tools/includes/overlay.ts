/** Includes by the vendor's definition, with the ids and bounds that all of their tools share. */
import definition from "../../definitions/box/property_v1.json" with { type: "json" };
import { overlay } from "../../definitions/overlay.js";
import { z } from "../../language/z.js";
import { EntityTag } from "../fields.js";
import { IdInBody, IncludeId, NotifyEmails, PropertyId, PropertyVersion, place } from "../properties/ids.js";

const stamp = z.string().min(1).max(200);

/** Declares a tool by its route. */
export const operationAt = overlay(definition, {
  arguments: {
    ...place,
    papiUsePrefixes: z.literal("true"),
    ifMatch: EntityTag.optional(),
    includeId: IncludeId,
    propertyId: PropertyId,
    propertyVersion: PropertyVersion,
    activationId: z
      .string()
      .max(80)
      .regex(/^[\w-]+$/, "the id in an activationLink"),
    modifiedSince: z.string().max(40),
    offset: z.int().min(0),
    limit: z.int().min(0),
    includeName: z.string().min(1).max(85),
    includeType: true,
    productId: IdInBody,
    ruleFormat: z.string().max(20).nullable(),
    cloneFrom: true,
    cloneFromVersionEtag: stamp.nullable(),
    createFromVersionEtag: stamp,
    includeVersion: PropertyVersion,
    network: true,
    notifyEmails: NotifyEmails,
    activationType: true,
    note: z.string().max(2_000),
    acknowledgeWarnings: z.array(z.string().min(1).max(80)),
    acknowledgeAllWarnings: true,
    delayValidations: true,
    ignoreHttpErrors: true,
  },
  optional: ["note"],
});
