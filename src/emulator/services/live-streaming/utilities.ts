/** The lists from which configurations and streams are made in the emulated account. */
import type { utilityOperations } from "../../../tools/live-streaming/utilities.js";
import { ok } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
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

export const utilityBehaviours: BehavioursOf<typeof utilityOperations> = {
  live_archive_locations_list: () => ok({ repSetList: archiveLocations }),
  live_contacts_list: () => ok({ contactList: [...contacts] }),
  live_countries_list: () =>
    ok({
      geoCountryList: [...new Set(locations.map(({ countryCode }) => countryCode))].map((countryCode) => ({
        countryCode,
        countryName: english.of(countryCode) ?? countryCode,
      })),
    }),
  live_cpcodes_list: (_, world) =>
    ok({
      "reporting-cpcode-list": cpCodeItems(ownCpCodes(world)),
      "netstorage-cpcode-list": cpCodeItems(unusedCpCodes(world)),
    }),
  live_delivery_formats_list: () => ok({ "hd-flash-1.0": "Enabled", "adobe-hds": "Enabled", "apple-hls": "Enabled" }),
  live_ingest_formats_list: () => ok({ "stream-type": [...streamTypes] }),
};
