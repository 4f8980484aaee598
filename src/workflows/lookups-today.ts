/** Lookups of a host by today's diagnostics. */
import { z } from "../language/z.js";
import { edgeLocationId } from "../tools/edge-diagnostics/shapes.js";
import { addressesIn, type Lookups, Records } from "./lookups.js";

const Locations = z.looseObject({ edgeLocations: z.array(z.unknown()) });
const Location = z.looseObject({ id: edgeLocationId });
const DigAnswer = z.looseObject({ result: z.looseObject({ answerSection: Records.default([]) }) });

export const lookupsToday: Lookups = {
  async locations(steps) {
    const listed = await steps.call("choose locations", "edgediag_locations_list", {}, Locations);
    return listed?.edgeLocations.flatMap((entry) => Location.safeParse(entry).data?.id ?? []);
  },
  async addresses(steps, from, hostname) {
    const body = { hostname, queryType: "A", isGtmHostname: false, edgeLocationId: from };
    const dig = await steps.call(`dig ${hostname} from ${from}`, "edgediag_dig_run", { body }, DigAnswer);
    return dig && addressesIn(dig.result.answerSection);
  },
};
