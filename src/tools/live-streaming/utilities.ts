/** The lists of choices for configurations and streams: locations, contacts, countries, CP codes and formats. */
import { json, op, xml } from "../../language/define.js";
import { z } from "../../language/z.js";

const label = z.union([z.string(), z.int()]);
const Locations = z.looseObject({ repSetList: z.array(z.looseObject({ id: label, name: z.string() })) });
const Contacts = z.looseObject({ contactList: z.array(z.looseObject({ name: z.string(), pin: label })) });
const Countries = z.looseObject({
  geoCountryList: z.array(z.looseObject({ countryCode: z.string(), countryName: z.string() })),
});
const codes = z.looseObject({ "cpcode-list": z.array(z.looseObject({ cpcode: label, "cpcode-name": z.string() })) });
const CpCodes = z.looseObject({ "reporting-cpcode-list": codes, "netstorage-cpcode-list": codes });
const Format = z.looseObject({});

/** A list that the documents do not show, in either form. */
const listed = <S extends z.ZodType>(root: string, list: S) => ({
  returns: { 200: [xml(root, list), json(list)] as const },
  note: "The documents do not show this list. Its elements are those that public clients read, mostly in JSON and from a predecessor.",
});

export const utilityOperations = {
  live_archive_locations_list: op("GET /config-media-live/v1/api/live/utils/archivelocation", {
    does: "Lists the storage locations for archives.",
    ...listed("archivelocation", Locations),
    rules: ["live-archive-path"],
  }),
  live_contacts_list: op("GET /config-media-live/v1/live/utils/contacts", {
    does: "Lists the people who can be contacts of a stream.",
    ...listed("contacts", Contacts),
  }),
  live_countries_list: op("GET /config-media-live/v1/live/utils/countries", {
    does: "Lists the countries for geographic blocking.",
    ...listed("countries", Countries),
  }),
  live_cpcodes_list: op("GET /config-media-live/v1/live/utils/cpcode", {
    does: "Lists the CP codes for a new configuration: for reports, and unused ones for archives.",
    ...listed("cpcode", CpCodes),
    rules: ["live-archive-cpcode", "live-cpcode-each", "live-lists"],
  }),
  live_delivery_formats_list: op("GET /config-media-live/v1/live/utils/delivery/format", {
    does: "Lists the formats in which streams are delivered.",
    ...listed("format", Format),
  }),
  live_ingest_formats_list: op("GET /config-media-live/v1/live/utils/ingest/format", {
    does: "Lists the formats in which streams are ingested.",
    ...listed("format", Format),
  }),
};
