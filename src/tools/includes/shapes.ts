/** The responses about includes: like those about properties, with an include in place of the property. */
import { z } from "../../language/z.js";
import { members } from "../fields.js";
import { Activations, Properties, RuleTree, Versions } from "../properties/shapes.js";

const id = z.string();
const owner = members(id.optional(), "accountId", "contractId", "groupId");
const items = <S extends z.ZodType>(item: S) => z.looseObject({ items: z.array(item) });
const named = { ...members(z.string().optional(), "includeId", "includeName", "includeType"), assetId: id.optional() };

const Property = Properties.shape.properties.shape.items.element;
export const Includes = z.looseObject({
  includes: items(
    Property.omit({ propertyId: true, propertyName: true }).extend({
      ...named,
      propertyType: z.string().optional(),
      note: z.string().nullable().optional(),
    }),
  ),
});
/** The active properties that use an include. */
export const Parents = z.looseObject({ properties: items(Property.extend({ propertyType: z.string().optional() })) });

const Version = Versions.shape.versions.shape.items.element;
export const IncludeVersions = z.looseObject({
  ...owner,
  ...named,
  versions: items(Version.omit({ propertyVersion: true }).extend({ includeVersion: z.int() })),
});

const Activation = Activations.shape.activations.shape.items.element
  .omit({ activationId: true, propertyId: true, propertyName: true, propertyVersion: true })
  .extend({
    ...members(z.string(), "includeActivationId", "includeId", "includeName"),
    includeVersion: z.int().optional(),
  });
export type Activation = z.output<typeof Activation>;
const Validation = z.looseObject({
  ...members(z.boolean(), "hasValidationError", "hasValidationWarning"),
  ...members(z.string(), "propertyName", "validationResultsLink"),
  ...members(z.int(), "versionId", "versionNumber"),
});
export const IncludeActivations = z.looseObject({
  ...owner,
  activations: items(Activation),
  validations: z
    .looseObject({
      network: z.string(),
      validationSummary: z.looseObject({ messageState: z.string().optional() }),
      validationErrorItemList: items(Validation),
    })
    .optional(),
});

export const IncludeTree = RuleTree.omit({ propertyId: true, propertyVersion: true, etag: true }).extend({
  ...named,
  etag: z.string().optional(),
  includeVersion: z.int().optional(),
});

export const Available = items(z.looseObject({ name: z.string(), schemaLink: z.string() }));

export const ValidationResult = z.looseObject({
  result: z.string(),
  messages: z
    .array(
      z.looseObject({
        ...members(z.string(), "id", "messageId", "severity", "source"),
        ...members(z.boolean(), "autoIgnored", "userHidden", "userSignedOff"),
        messageParams: z.array(z.looseObject({})),
      }),
    )
    .optional(),
  stats: z.looseObject({}).optional(),
});
