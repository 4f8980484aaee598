/** Lookups of a host from edge locations, which each generation of diagnostics does by its own calls. */
import { z } from "../language/z.js";
import { locationId } from "../tools/diagnostics/shapes.js";
import type { Steps } from "./steps.js";

/** Each is undefined if its step failed. */
export interface Lookups {
  /** The ids of the locations. */
  readonly locations: (steps: Steps) => Promise<readonly string[] | undefined>;
  /** The addresses of a host, as a location resolves it. */
  readonly addresses: (steps: Steps, from: string, hostName: string) => Promise<readonly string[] | undefined>;
}

/** The records of an answer to a lookup. */
export const Records = z.array(z.looseObject({ recordType: z.string(), value: z.string() }));
export const addressesIn = (records: z.output<typeof Records>): readonly string[] =>
  records.filter(({ recordType }) => /^A(AAA)?$/.test(recordType)).map(({ value }) => value);

const Locations = z.looseObject({ locations: z.array(z.unknown()) });
const Location = z.looseObject({ id: locationId });
const DigAnswer = z.looseObject({ digInfo: z.looseObject({ answerSection: Records }) });

/** By the diagnostics of the documents. */
export const lookups: Lookups = {
  async locations(steps) {
    const listed = await steps.call("choose locations", "diag_locations_list", {}, Locations);
    return listed?.locations.flatMap((entry) => Location.safeParse(entry).data?.id ?? []);
  },
  async addresses(steps, from, hostName) {
    const args = { locationId: from, hostName };
    const dig = await steps.call(`dig ${hostName} from ${from}`, "diag_location_dig_run", args, DigAnswer);
    return dig && addressesIn(dig.digInfo.answerSection);
  },
};
