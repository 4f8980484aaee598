/** The lists from which configurations and streams are made in the emulated account. */
import type { Behaviours } from "../../../api/behaviour.js";
import type { liveStreaming } from "../../../tools/live-streaming/index.js";
import type { utilityOperations } from "../../../tools/live-streaming/utilities.js";
import type { World } from "../../world.js";
import { locations } from "../account.js";
import { ownCpCodes } from "../properties/served.js";
import { contacts, streamTypes, unusedCpCodes } from "./store.js";

const english = new Intl.DisplayNames("en", { type: "region" });

/** The places of the network, as storage locations are called. */
export const archiveLocations = locations.map(({ value }, at) => ({
  id: String(at + 1),
  name: value.split(",")[0] ?? value,
}));

const cpCodeItems = (codes: readonly { readonly id: string; readonly name: string }[]) => ({
  "cpcode-list": codes.map(({ id, name }) => ({ cpcode: id, "cpcode-name": name })),
});

export const utilityBehaviours: Pick<Behaviours<typeof liveStreaming, World>, keyof typeof utilityOperations> = {
  live_archive_locations_list: () => ({ status: 200, body: { repSetList: archiveLocations } }),
  live_contacts_list: () => ({ status: 200, body: { contactList: [...contacts] } }),
  live_countries_list: () => ({
    status: 200,
    body: {
      geoCountryList: [...new Set(locations.map(({ countryCode }) => countryCode))].map((countryCode) => ({
        countryCode,
        countryName: english.of(countryCode) ?? countryCode,
      })),
    },
  }),
  live_cpcodes_list: (_, world) => ({
    status: 200,
    body: {
      "reporting-cpcode-list": cpCodeItems(ownCpCodes(world)),
      "netstorage-cpcode-list": cpCodeItems(unusedCpCodes(world)),
    },
  }),
  live_delivery_formats_list: () => ({
    status: 200,
    body: { "hd-flash-1.0": "Enabled", "adobe-hds": "Enabled", "apple-hls": "Enabled" },
  }),
  live_ingest_formats_list: () => ({ status: 200, body: { "stream-type": [...streamTypes] } }),
};
