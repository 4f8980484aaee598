/** The account's log sources: its CP codes, zones, traffic-management properties, resolvers and threat protection as they are now. */
import { notFound } from "../../reply.js";
import type { World } from "../../world.js";
import { resolvers, trafficProperties } from "../account.js";
import { zoneNames, zoneOf } from "../dns/zones.js";
import { ownCpCodes } from "../properties/served.js";
import { ownConfiguration } from "../threat-protection/store.js";
import type { SourceType } from "./parameters.js";

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
  ...ownCpCodes(world).map(
    ({ id, name, product }): Source => ({
      id: `${id}-1`,
      type: "cpcode-products",
      cpCode: `${id} - ${name}`,
      products: [product.name],
    }),
  ),
  ...zoneNames(world).map(
    (zoneName): Source => ({ id: String(zoneOf(world, zoneName)?.zone.id), type: "edns", zoneName }),
  ),
  ...trafficProperties.map(
    ({ property, domain }, at): Source => ({
      id: String(5501 + at),
      type: "gtm",
      propertyName: `${property}.${domain}`,
    }),
  ),
  ...resolvers.map(({ id, name }): Source => ({ id, type: "answerx", name })),
  // No source shows one: that its id is the configuration's is likely, and its name is made up.
  { id: String(ownConfiguration(world).id), type: "etp", name: `Threat protection ${ownConfiguration(world).id}` },
];

const root = "/lds-api/v3/log-sources";
/** A source as it stands in a configuration. */
export const sourceReference = ({ id, type, cpCode, products, zoneName, propertyName, name }: Source) => ({
  id,
  type,
  cpCode,
  products: products && [...products],
  zoneName,
  propertyName,
  name,
  links: [
    { rel: "self", href: `${root}/${type}/${id}` },
    { rel: type, href: `${root}/${type}` },
    { rel: "log-sources", href: root },
  ],
});
export const sourceBody = (source: Source) => ({ ...sourceReference(source), logRetentionDays: retentionDays });

/** One source; refuses with 404, because what is gone is no source any more. */
export function sourceAt(world: World, type: SourceType, id: string): Source {
  const found = sourcesOf(world).find((one) => one.type === type && one.id === id);
  if (!found) throw notFound(`There is no log source ${type} ${id}`);
  return found;
}
