/** What log configurations are made of: the account's log sources as they are now, and the parameters to choose from. */
import type { z } from "../../../language/z.js";
import type { DeliveryType, LogSource, LogSourceType } from "../../../tools/log-delivery/shapes.js";
import { findIn } from "../../primitives/store.js";
import type { World } from "../../world.js";
import { resolvers, trafficProperties } from "../account.js";
import { zoneNames, zoneOf } from "../dns/zones.js";
import { currentCpCodes } from "../properties/served.js";
import { accountConfiguration } from "../threat-protection/store.js";
// Of the encodings' ids, 1, 2 and 3 stand in samples and 4 is GPG (public facts C, 4); the others are made up. A frequency
// has the hours between deliveries, a threshold those that it takes after the day.
import choices from "./parameters.json" with { type: "json" };

export type SourceType = z.output<typeof LogSourceType>;

export const root = "/lds-api/v3";
export const gpgId = "4";

interface Choice {
  readonly id: string;
  readonly value: string;
}
/** The kinds of parameters by the last word of their paths, with the names that links have for their lists. */
const kinds = {
  "delivery-frequencies": "deliveryFrequencies",
  "delivery-thresholds": "deliveryThresholds",
  "log-formats": "logFormats",
  encodings: "encodings",
  "message-sizes": "messageSizes",
  contacts: "contacts",
} as const;
type Kind = keyof typeof kinds;

/** The encodings for a kind of delivery and of source; resolvers and threat protection have only GPG. */
export const encodingsFor = (delivery: z.output<typeof DeliveryType> | undefined, type: SourceType | undefined) =>
  choices.encodings.filter(
    ({ id, deliveries }) =>
      (delivery === undefined || deliveries.includes(delivery)) &&
      (id === gpgId || (type !== "answerx" && type !== "etp")),
  );
/** The formats of a type, or of a source of it with these products. */
export const formatsFor = (type: SourceType, products?: readonly string[]) =>
  choices["log-formats"].filter(
    (one) => one.type === type && (!products || one.product === undefined || products.includes(one.product)),
  );
export const choicesOf = (kind: Kind): readonly Choice[] => choices[kind];

const bodyOf = (kind: Kind, { id, value }: Choice) => {
  const list = `${root}/log-configuration-parameters/${kind}`;
  const links = [
    { rel: "self", href: `${list}/${id}` },
    { rel: kinds[kind], href: list },
  ];
  return { id, value, links };
};
export const parameterBodies = (kind: Kind, among = choicesOf(kind)) => among.map((one) => bodyOf(kind, one));
/** One parameter by its id, of all or of those that are allowed; refuses with 404. */
export const parameterBody = (kind: Kind, id: string, among = choicesOf(kind)) =>
  bodyOf(kind, findIn(among, { id }, `There is no ${kinds[kind]} ${id}`));

/** The hours between deliveries by a frequency's id, or after the day by a threshold's. */
export const hoursOf = (kind: "delivery-frequencies" | "delivery-thresholds", id: string): number =>
  choices[kind].find((one) => one.id === id)?.hours ?? 24;

export type TypedLogSource = z.output<typeof LogSource> & { readonly type: SourceType };
/** Days for which the logs of every source are kept. */
export const retentionDays = 30;

/** All log sources; a CP code or a zone that was just created is one of them. */
export const sourcesOf = (world: World): readonly TypedLogSource[] => [
  ...currentCpCodes(world).map(({ id, name, product }): TypedLogSource => {
    return { id: `${id}-1`, type: "cpcode-products", cpCode: `${id} - ${name}`, products: [product.name] };
  }),
  ...zoneNames(world).map((zoneName): TypedLogSource => {
    return { id: String(zoneOf(world, zoneName)?.zone.id), type: "edns", zoneName };
  }),
  ...trafficProperties.map(({ property, domain }, at): TypedLogSource => {
    return { id: String(5501 + at), type: "gtm", propertyName: `${property}.${domain}` };
  }),
  ...resolvers.map(({ id, name }): TypedLogSource => ({ id, type: "answerx", name })),
  // No source shows one: that its id is the configuration's is likely, and its name is made up.
  {
    id: String(accountConfiguration(world).id),
    type: "etp",
    name: `Threat protection ${accountConfiguration(world).id}`,
  },
];

const sources = `${root}/log-sources`;
/** A source as a configuration contains it. */
export const sourceReference = (source: TypedLogSource) => ({
  ...source,
  links: [
    { rel: "self", href: `${sources}/${source.type}/${source.id}` },
    { rel: source.type, href: `${sources}/${source.type}` },
    { rel: "log-sources", href: sources },
  ],
});
export const sourceBody = (source: TypedLogSource) => ({ ...sourceReference(source), logRetentionDays: retentionDays });

/** One source; refuses with 404, because what is gone is no source any more. */
export const sourceAt = (world: World, type: SourceType, id: string): TypedLogSource =>
  findIn(sourcesOf(world), { type, id }, `There is no log source ${type} ${id}`);
