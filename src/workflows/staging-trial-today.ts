/** The test on staging by today's diagnostics, which look up staging; a request there is a separate call. */
import { quoteValue } from "../language/failure.js";
import { NextCall } from "../language/next-call.js";
import { lookupsToday } from "./lookups-today.js";
import type { Probes } from "./staging-trial.js";

const tool = "edgediag_curl_run";

export const probesToday: Probes = {
  ...lookupsToday,
  // A preview only reads, and today's request to an edge server counts as a launch.
  request: async (_, url, edgeIp) => ({
    warnings: [
      `Staging serves ${quoteValue(url)} at ${edgeIp}, and it was not requested: ${tool} requests it with body.url and body.spoofEdgeIp ${edgeIp}.`,
    ],
    requests: [new NextCall(tool, { body: { url, spoofEdgeIp: edgeIp } })],
  }),
};
