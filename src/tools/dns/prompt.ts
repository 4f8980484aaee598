/** A prompt for pointing a record to new values, with a short TTL before and a check after. */
import { type Prompt, personDecides, personSaysGo } from "../../language/reading.js";

const host = "[A-Za-z0-9_]([A-Za-z0-9_-]*)(\\.[A-Za-z0-9_]([A-Za-z0-9_-]*))*";

/** The tools that read the records of a zone, and that look up a name from the edge. */
interface Tools {
  readonly reads: string;
  readonly locations: string;
  readonly lookUp: (type: string) => string;
}

/** The steps, with the tools of a generation. */
function stepsWith(
  { reads, locations, lookUp }: Tools,
  { zone = "", name = "", type = "", value = "" }: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const record = `zone ${zone}, name ${name} and type ${type}`;
  return [
    `Call ${reads} with zone ${zone}. Note the values and the ttl of the record for an undo. If there is no such record, say so and stop.`,
    `Call dns_record_set with ${record} and ttl 60, without values, so that they stay. ${personDecides}`,
    `Resolvers keep the old record for its former ttl: tell the user until when. Check that the new address already serves the name. ${personSaysGo}`,
    `Call dns_record_set with ${record}, values ["${value}"] and ttl 60. ${personDecides}`,
    `Call ${locations} and choose a location.`,
    `Call ${lookUp(type)}, until the answer is the new value.`,
    `Call dns_record_set with ${record} and the former ttl, without values, when the user is satisfied. ${personDecides}`,
    "Report the old value, the new one, and since when it is returned.",
  ];
}

const ofDocuments: Tools = {
  reads: "dns_zone_get",
  locations: "diag_locations_list",
  lookUp: (type) => `diag_location_dig_run from there for the name with queryType ${type}`,
};
const ofToday: Tools = {
  reads: "dns_recordsets_list",
  locations: "edgediag_locations_list",
  lookUp: (type) => `edgediag_dig_run from there for the name with queryType ${type} and isGtmHostname false`,
};

export const moveRecord: Prompt = {
  name: "zone_record_move",
  title: "Move a zone record",
  description:
    "Points a name of a zone somewhere else: first a short TTL, then the new value, then a check from the edge; the user approves each change of the zone.",
  arguments: [
    { name: "zone", description: "The zone", form: { pattern: host, takes: "the name of a zone such as example.com" } },
    { name: "name", description: "The record's name, such as www; @ is the apex" },
    { name: "value", description: "Its new target, such as 203.0.113.99" },
    { name: "type", description: "The record's type", choices: ["A", "AAAA", "CNAME", "MX", "TXT"] },
  ],
  task: ({ zone = "", name = "", type = "", value = "" }) =>
    `Move the ${type} record ${name} of the zone ${zone} to this value: ${value}`,
  steps: (given) => stepsWith(ofDocuments, given),
};

/** The same with today's API, which lists record sets. */
export const moveRecordToday: Prompt = { ...moveRecord, steps: (given) => stepsWith(ofToday, given) };
