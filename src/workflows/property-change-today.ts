/** The rollout of a property change with today's diagnostics, which look up staging; a request there is a separate call. */
import { shown } from "../language/failure.js";
import { z } from "../language/z.js";
import { type Probes, rollingOut } from "./property-change.js";

const Locations = z.looseObject({ edgeLocations: z.array(z.looseObject({ id: z.string() })).min(1) });
const Dig = z.looseObject({
  result: z.looseObject({
    answerSection: z.array(z.looseObject({ recordType: z.string(), value: z.string() })).default([]),
  }),
});

const probes: Probes = {
  location: async (steps) =>
    (await steps.call("choose a location", "edgediag_locations_list", {}, Locations))?.edgeLocations[0]?.id,
  async addressOf(steps, edgeLocationId, hostname) {
    const body = { hostname, queryType: "A", isGtmHostname: false, edgeLocationId };
    const dig = await steps.call(hostname, "edgediag_dig_run", { body }, Dig);
    return dig && (dig.result.answerSection.find(({ recordType }) => /^A(AAA)?$/.test(recordType))?.value ?? null);
  },
  // A preview only reads, and today's request to an edge server counts as a launch.
  request: async (_, url, edgeIp) => ({
    notes: [],
    warnings: [
      `Staging serves ${shown(url)} at ${edgeIp}, and it was not requested: edgediag_curl_run requests it with body.url and body.spoofEdgeIp ${edgeIp}.`,
    ],
  }),
};

export const propertyChangeToday = rollingOut(
  probes,
  "look up its hostnames there by diagnostics, and name the calls that request them",
);
