/** The responses of bulk jobs: each has its status, and an entry with its own status for each property. */
import { z } from "../../language/z.js";
import { members } from "../fields.js";

const problems = z
  .array(z.looseObject(members(z.string().optional(), "type", "title", "detail", "errorLocation", "messageId")))
  .optional();
const property = { propertyId: z.string(), propertyVersion: z.int() };

export const Search = z.looseObject({
  bulkSearchId: z.int(),
  searchTargetStatus: z.string().describe("PENDING, SUBMITTED, IN_PROGRESS, COMPLETE, ERROR"),
  searchSubmitDate: z.string(),
  searchUpdateDate: z.string().optional(),
  bulkSearchQuery: z.looseObject({ syntax: z.string(), match: z.string() }),
  results: z.array(
    z.looseObject({
      ...property,
      ...members(
        z.string().optional(),
        "propertyName",
        "includeId",
        "includeName",
        "stagingStatus",
        "productionStatus",
      ),
      includeVersion: z.int().optional(),
      ...members(z.boolean().optional(), "isLatest", "isLocked", "isSecure"),
      matchLocations: z.array(z.string()).optional(),
    }),
  ),
});

export const Versions = z.looseObject({
  bulkCreateId: z.int(),
  bulkCreateVersionsStatus: z.string().describe("PENDING, IN_PROGRESS, COMPLETE"),
  bulkCreateVersionSubmitDate: z.string(),
  bulkCreateVersionUpdateDate: z.string().nullable(),
  createPropertyVersions: z
    .array(
      z.looseObject({
        propertyId: z.string(),
        createFromVersion: z.int(),
        propertyVersion: z.int().optional(),
        createVersionStatus: z.string(),
        etag: z.string().nullable().optional(),
      }),
    )
    .optional(),
});

export const Patches = z.looseObject({
  bulkPatchId: z.int(),
  bulkPatchStatus: z.string().describe("PENDING, IN_PROGRESS, COMPLETE"),
  bulkPatchSubmitDate: z.string(),
  patchPropertyVersions: z.array(
    z.looseObject({
      patchPropertyId: z.string(),
      patchPropertyVersion: z.int(),
      ...members(z.string().optional(), "patchPropertyVersionStatus", "etag", "fatalError"),
      papiErrors: problems,
      papiWarnings: problems,
    }),
  ),
});

export const Activations = z.looseObject({
  bulkActivationId: z.int(),
  bulkActivationStatus: z.string().describe("PENDING, IN_PROGRESS, COMPLETE"),
  bulkActivationSubmitDate: z.string(),
  activatePropertyVersions: z
    .array(
      z.looseObject({
        ...property,
        ...members(z.string(), "network", "activationStatus", "propertyActivationLink"),
        ...members(z.string().optional(), "propertyName", "taskStatus", "fatalError"),
        activationErrors: problems,
        activationWarnings: problems,
      }),
    )
    .optional(),
});
