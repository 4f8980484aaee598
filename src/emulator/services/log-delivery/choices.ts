/** What log configurations are made of: the account's log sources as they are now, and the parameters to choose from. */
import type { z } from "../../../language/z.js";
import type { DeliveryType, LogSourceType } from "../../../tools/log-delivery/shapes.js";
import { foundIn } from "../../primitives/store.js";
import type { World } from "../../world.js";
import { resolvers, trafficProperties } from "../account.js";
import { zoneNames, zoneOf } from "../dns/zones.js";
import { ownCpCodes } from "../properties/served.js";
import { ownConfiguration } from "../threat-protection/store.js";

export type SourceType = z.output<typeof LogSourceType>;
export type Delivery = z.output<typeof DeliveryType>;

interface Choice {
  readonly id: string;
  readonly value: string;
}
/** Hours from one delivery to the next. */
const frequencies = [24, 12, 6, 3, 1].map((hours, at) => ({
  id: String(at + 1),
  value: hours === 1 ? "Every hour" : `Every ${hours} hours`,
  hours,
}));
/** How much of a day's logs is waited for, and how many hours after the day that takes. */
const thresholds = [
  { id: "1", value: "99% completion", hours: 12 },
  { id: "2", value: "95% completion", hours: 8 },
  { id: "3", value: "90% completion", hours: 6 },
  { id: "4", value: "80% completion", hours: 4 },
] as const;
// Of the ids, 1, 2 and 3 stand in samples and 4 is GPG (public facts C, 4); the others are made up.
const encodings: readonly (Choice & { readonly deliveries: readonly Delivery[] })[] = [
  { id: "1", value: "GZIP", deliveries: ["ftp", "httpsns4"] },
  { id: "2", value: "GZIP with UUENCODE", deliveries: ["email"] },
  { id: "3", value: "MIME with BASE64", deliveries: ["email"] },
  { id: "4", value: "GPG", deliveries: ["email", "ftp", "httpsns4"] },
];
export const gpgId = "4";
const onlyGpg: readonly SourceType[] = ["answerx", "etp"];

const sizes = [1, 5, 25, 50].map((megabytes, at) => ({
  id: String(at + 1),
  value: `${megabytes} MB (approx. ${megabytes * 6} MB uncompressed logs)`,
}));
const contacts: readonly Choice[] = [
  { id: "1-C30O", value: "Operations desk - phone: 030 5550100" },
  { id: "1-C31P", value: "M. Held - phone: 030 5550101" },
];
const formats: readonly (Choice & { readonly type: SourceType; readonly products?: readonly string[] })[] = [
  { id: "1", value: "common", type: "cpcode-products" },
  { id: "2", value: "combined", type: "cpcode-products" },
  { id: "3", value: "W3C", type: "cpcode-products" },
  { id: "4", value: "Combined + Web App Firewall", type: "cpcode-products", products: ["Site delivery"] },
  { id: "11", value: "DNS queries", type: "edns" },
  { id: "12", value: "Traffic management decisions", type: "gtm" },
  { id: "13", value: "Resolver queries", type: "answerx" },
  { id: "14", value: "Threat events", type: "etp" },
];

export const encodingsFor = (delivery: Delivery | undefined, type: SourceType | undefined) =>
  encodings.filter(
    ({ id, deliveries }) =>
      (delivery === undefined || deliveries.includes(delivery)) &&
      (type === undefined || id === gpgId || !onlyGpg.includes(type)),
  );
/** The formats of a type, or of a source of it with these products. */
export const formatsFor = (type: SourceType, products?: readonly string[]) =>
  formats.filter(
    (one) =>
      one.type === type &&
      (products === undefined || one.products === undefined || one.products.some((name) => products.includes(name))),
  );

/** Every kind of parameter by the last word of its path, with the name that links have for its list. */
export const kinds = {
  "delivery-frequencies": { rel: "deliveryFrequencies", choices: frequencies },
  "delivery-thresholds": { rel: "deliveryThresholds", choices: thresholds },
  "log-formats": { rel: "logFormats", choices: formats },
  encodings: { rel: "encodings", choices: encodings },
  "message-sizes": { rel: "messageSizes", choices: sizes },
  contacts: { rel: "contacts", choices: contacts },
} as const;
type Kind = keyof typeof kinds;

const root = "/lds-api/v3";
const parameters = `${root}/log-configuration-parameters`;
const bodyOf = (kind: Kind, { id, value }: Choice) => ({
  id,
  value,
  links: [
    { rel: "self", href: `${parameters}/${kind}/${id}` },
    { rel: kinds[kind].rel, href: `${parameters}/${kind}` },
  ],
});
export const parameterBodies = (kind: Kind, choices: readonly Choice[] = kinds[kind].choices) =>
  choices.map((one) => bodyOf(kind, one));

/** One parameter by its id, of all or of those that are allowed; refuses with 404. */
export const parameterBody = (kind: Kind, id: string, choices: readonly Choice[] = kinds[kind].choices) =>
  bodyOf(kind, foundIn(choices, { id }, `There is no ${kinds[kind].rel} ${id}`));

/** The hours between deliveries by a frequency's id, or after the day by a threshold's. */
export const hoursOf = (kind: "delivery-frequencies" | "delivery-thresholds", id: string): number =>
  (kind === "delivery-frequencies" ? frequencies : thresholds).find((one) => one.id === id)?.hours ?? 24;

export interface Source {
  readonly id: string;
  readonly type: SourceType;
  readonly cpCode?: string;
  readonly products?: readonly string[];
  readonly zoneName?: string;
  readonly propertyName?: string;
  readonly name?: string;
}
/** Days for which the logs of every source are kept. */
export const retentionDays = 30;

/** All log sources; a CP code or a zone that was just created is one of them. */
export const sourcesOf = (world: World): readonly Source[] => [
  ...ownCpCodes(world).map(({ id, name, product }) => {
    const products = [product.name];
    return { id: `${id}-1`, type: "cpcode-products", cpCode: `${id} - ${name}`, products } as const;
  }),
  ...zoneNames(world).map((zoneName) => {
    const id = String(zoneOf(world, zoneName)?.zone.id);
    return { id, type: "edns", zoneName } as const;
  }),
  ...trafficProperties.map(({ property, domain }, at) => {
    const propertyName = `${property}.${domain}`;
    return { id: String(5501 + at), type: "gtm", propertyName } as const;
  }),
  ...resolvers.map(({ id, name }): Source => ({ id, type: "answerx", name })),
  // No source shows one: that its id is the configuration's is likely, and its name is made up.
  { id: String(ownConfiguration(world).id), type: "etp", name: `Threat protection ${ownConfiguration(world).id}` },
];

const sources = `${root}/log-sources`;
/** A source as a configuration contains it. */
export const sourceReference = ({ id, type, cpCode, products, zoneName, propertyName, name }: Source) => ({
  id,
  type,
  cpCode,
  products: products && [...products],
  zoneName,
  propertyName,
  name,
  links: [
    { rel: "self", href: `${sources}/${type}/${id}` },
    { rel: type, href: `${sources}/${type}` },
    { rel: "log-sources", href: sources },
  ],
});
export const sourceBody = (source: Source) => ({ ...sourceReference(source), logRetentionDays: retentionDays });

/** One source; refuses with 404, because what is gone is no source any more. */
export const sourceAt = (world: World, type: SourceType, id: string): Source =>
  foundIn(sourcesOf(world), { type, id }, `There is no log source ${type} ${id}`);
