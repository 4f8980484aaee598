/** What is read of the responses about includes: like those about properties, with an include in place of the property. */
import { z } from "../../language/z.js";
import { members } from "../fields.js";
import { Activations, ownerMembers, Properties, RuleTree, Versions } from "../properties/shapes.js";
import type { VersionedKind } from "../properties/states.js";

const id = z.string();
const items = <S extends z.ZodType>(item: S) => z.looseObject({ items: z.array(item) });
const named = { ...members(z.string().optional(), "includeId", "includeName", "includeType"), assetId: id.optional() };

const Property = Properties.shape.properties.shape.items.element;
/** More parents than this are read only in part, which a preview then says. */
export const maxParents = 500;
/** The active properties that use an include. */
export const Parents = z.looseObject({ properties: items(Property.extend({ propertyType: z.string().optional() })) });

const Version = Versions.shape.versions.shape.items.element;
export const IncludeVersions = z.looseObject({
  ...ownerMembers,
  ...named,
  versions: items(Version.omit({ propertyVersion: true }).extend({ includeVersion: z.int() })),
});

const Activation = Activations.shape.activations.shape.items.element
  .omit({ activationId: true, propertyId: true, propertyName: true, propertyVersion: true })
  .extend({
    ...members(z.string(), "includeActivationId", "includeId", "includeName"),
    includeVersion: z.int().optional(),
  });
export const IncludeActivations = z.looseObject({ activations: items(Activation) });

export const includeKind: VersionedKind<"include"> = {
  noun: "include",
  list: "includes",
  title: "include ",
  activationLink: /\/activations\/([\w-]+)(?:\?|$)/,
  activationsIn: (body) =>
    (IncludeActivations.safeParse(body).data?.activations.items ?? []).map((activation) => ({
      ...activation,
      id: activation.includeActivationId,
      version: activation.includeVersion,
      name: activation.includeName,
    })),
};

export const IncludeTree = RuleTree.omit({ propertyId: true, propertyVersion: true, etag: true }).extend({
  ...named,
  etag: z.string().optional(),
  includeVersion: z.int().optional(),
});
