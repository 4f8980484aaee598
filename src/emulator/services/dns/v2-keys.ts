/** Keys for zone transfers, and what is known of transfers and of DNSSEC. */
import type { keys as declared } from "../../../tools/dns/v2-keys.js";
import type { Call } from "../../behaviour.js";
import { badRequest, noContent, ok, orNotFound } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { isChosen, presentZoneOf } from "./changed.js";
import { addVersion, everyZone, type ZoneVersion } from "./zones.js";

type Key = Call<(typeof declared)["dns_zone_key_replace"]>["body"];
const keyOf = ({ settings }: ZoneVersion): Key | undefined => settings["tsigKey"] as Key | undefined;

/** The names of the zones that use a key. */
const usersOf = (world: World, { name }: Key): string[] =>
  everyZone(world)
    .filter((zone) => keyOf(zone)?.name === name)
    .map(({ zone }) => zone.name);

const keyIn = (world: World, zone: string): Key =>
  orNotFound(keyOf(presentZoneOf(world, zone)), `${zone} has no TSIG key`);
const counted = (world: World, key: Key) => ({ ...key, zonesCount: usersOf(world, key).length });

export const keys: BehavioursOf<typeof declared> = {
  dns_keys_list: ({ query: { search = "", contractIds = [] } }, world) => {
    const used = everyZone(world)
      .filter(({ settings }) => isChosen(contractIds, settings.contractId))
      .flatMap((zone) => keyOf(zone) ?? []);
    const found = [...new Map(used.map((key) => [key.name, key])).values()].filter(
      ({ name, algorithm }) => name.includes(search) || algorithm.includes(search),
    );
    return ok({ metadata: { totalElements: found.length }, keys: found.map((key) => counted(world, key)) });
  },

  dns_zone_key_get: ({ path: { zone } }, world) => ok(counted(world, keyIn(world, zone))),

  dns_zone_key_replace: ({ path: { zone }, body }, world) => {
    const present = presentZoneOf(world, zone);
    if (present.settings.type !== "SECONDARY") throw badRequest(`${zone} is no secondary zone`);
    addVersion(world, { ...present, settings: { ...present.settings, tsigKey: body } });
    return noContent();
  },

  dns_zone_key_delete: ({ path: { zone } }, world) => {
    const present = presentZoneOf(world, zone);
    const { tsigKey: _, ...settings } = present.settings;
    if (keyOf(present)) addVersion(world, { ...present, settings });
    return noContent();
  },

  dns_zone_key_zones_list: ({ path: { zone } }, world) => ok({ zones: usersOf(world, keyIn(world, zone)) }),

  dns_zone_dnssec_status: ({ body }, world) => {
    const signed = body.zones.map((name) => presentZoneOf(world, name)).filter(({ settings }) => settings.signAndServe);
    const dnsSecStatuses = signed.map(({ zone: { name }, at }) => ({
      zone: name,
      alerts: ["PARENT_DS_MISSING" as const],
      currentRecords: {
        dnskeyRecord: `${name}. 7200 IN DNSKEY 257 3 13 bWFkZS11cC1wdWJsaWMta2V5`,
        dsRecord: `${name}. 86400 IN DS 47539 13 2 6D6164652D75702D646967657374`,
        expectedTtl: 3_600,
        lastModifiedDate: instant(at),
      },
    }));
    return ok({ dnsSecStatuses });
  },

  dns_zone_transfer_status: ({ body }, world) => {
    const zones = body.zones
      .map((name) => presentZoneOf(world, name))
      .filter(({ settings }) => settings.type === "SECONDARY");
    return ok({
      zones: zones.map(({ zone: { name, soa }, settings, at }) => ({
        zone: name,
        metadata: { lastSuccessSerial: soa.serial, lastSuccessTimestamp: instant(at) },
        masters: ((settings["masters"] ?? []) as readonly string[]).map((masterIP) => ({
          masterIP,
          zoneTransferAgents: [
            {
              agentIP: "203.0.113.200",
              actions: [{ actionType: "XFR", lastSuccessSerial: soa.serial, lastSuccessTimestamp: instant(at) }],
            },
          ],
        })),
      })),
    });
  },
};
