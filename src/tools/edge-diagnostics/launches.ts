/** Today's diagnostics that are launched: checks of a URL, log searches, translated errors, metadata traces. */
import { insistsOn, unlessInsisted } from "../../language/check.js";
import type { Arguments, UpstreamAnswer } from "../../language/conduct.js";
import { memberAt } from "../../language/member.js";
import { z } from "../../language/z.js";
import { ipAddress } from "../diagnostics/shapes.js";
import { explains, limitMembers, means, operationAt } from "./shapes.js";

const rules = ["edgediag-launch-result"] as const;

const State = z.looseObject({
  executionStatus: z.string(),
  requestId: z.int().optional(),
  retryAfter: z.number().optional(),
  errorResponse: z.looseObject({ title: z.string() }).optional(),
});
const stateOf = ({ body }: UpstreamAnswer) => State.safeParse(body).data;
/** GREP requests list no IN_PROGRESS in the definition: one that asks to be read again is still running. */
const isRunning = (state: z.output<typeof State> | undefined): boolean =>
  state === undefined || state.executionStatus === "IN_PROGRESS" || state.retryAfter !== undefined;

/** A launch whose state and result the operation `NAME_result` returns. */
const launching = <const T extends string>(name: T) => ({
  effect: "launch" as const,
  shownBy: `${name}_result` as const,
  awaits: {
    status: `${name}_result` as const,
    follow: (launch: UpstreamAnswer): Arguments | undefined => {
      const id = stateOf(launch)?.requestId;
      return id === undefined ? undefined : { requestId: id };
    },
    isReady: (status: UpstreamAnswer) => !isRunning(stateOf(status)),
    state: (status: UpstreamAnswer) =>
      isRunning(stateOf(status)) ? "running" : (stateOf(status)?.executionStatus ?? ""),
    failure: (status: UpstreamAnswer) => {
      const state = stateOf(status);
      return state?.executionStatus === "FAILURE"
        ? `The diagnostic failed${state.errorResponse ? `: ${state.errorResponse.title}` : ""}.`
        : undefined;
    },
    pauseSeconds: (answer: UpstreamAnswer) => stateOf(answer)?.retryAfter,
  },
  rules,
  means,
  explains,
});
const result = {
  rules,
  means: { 404: "There is no such request; results are kept for a limited time." },
} as const;

/** What a trace by POST may do at the origin, which only the origin's application knows. */
const sendsNothing = unlessInsisted({ post: "a POST can change something at the origin" }, ({ args }) =>
  memberAt(args, "body.httpMethod") !== "POST" || insistsOn(args, "post")
    ? []
    : [
        {
          field: "override",
          takes: '"post" in addition, if that is what the user wants: the origin handles this POST like any other',
        },
      ],
);
const url = "http://www.shop.example/sale";

export const launchedOperations = {
  edgediag_url_health_launch: operationAt("POST /edge-diagnostics/v1/url-health-check", {
    does: "Launches a health check of a URL: DNS, response, how the CDN reads it; routes and log lines with viewsAllowed.",
    ...launching("edgediag_url_health"),
    example: { body: { url: "http://api.shop.example/cart", viewsAllowed: ["CONNECTIVITY", "LOGS"] } },
  }),
  edgediag_url_health_result: operationAt("GET /edge-diagnostics/v1/url-health-check/requests/{requestId}", {
    does: "Reads the state and result of a URL health check.",
    ...result,
    example: { requestId: 1 },
  }),
  edgediag_content_problem_launch: operationAt("POST /edge-diagnostics/v1/content-problems", {
    does: "Launches checks for wrong or missing content: the edge's response to a URL, and its log lines.",
    ...launching("edgediag_content_problem"),
    example: { body: { url } },
  }),
  edgediag_content_problem_result: operationAt("GET /edge-diagnostics/v1/content-problems/requests/{requestId}", {
    does: "Reads the state and result of checks for content problems.",
    ...result,
    example: { requestId: 2 },
  }),
  edgediag_connectivity_problem_launch: operationAt("POST /edge-diagnostics/v1/connectivity-problems", {
    does: "Launches checks for slow or broken connections: response, log lines, routes to origin and visitor.",
    arguments: { clientIp: ipAddress.describe("The visitor's address") },
    ...launching("edgediag_connectivity_problem"),
    example: { body: { url, clientIp: "198.51.100.7" } },
  }),
  edgediag_connectivity_problem_result: operationAt(
    "GET /edge-diagnostics/v1/connectivity-problems/requests/{requestId}",
    {
      does: "Reads the state and result of checks for connection problems.",
      ...result,
      example: { requestId: 3 },
    },
  ),
  edgediag_error_translation_launch: operationAt("POST /edge-diagnostics/v1/error-translator", {
    does: "Launches the explanation of an error page's reference code: cause, origin, log lines.",
    ...launching("edgediag_error_translation"),
    note: "A code is explained only while its log lines are kept, which is 6 to 24 hours.",
    example: { body: { errorCode: "9.c000020a.1779000000.692" } },
  }),
  edgediag_error_translation_result: operationAt("GET /edge-diagnostics/v1/error-translator/requests/{requestId}", {
    does: "Reads the explanation of a reference code.",
    ...result,
    example: { requestId: 4 },
  }),
  edgediag_log_search_launch: operationAt("POST /edge-diagnostics/v1/grep", {
    does: "Launches a search in an edge server's log lines, by hostnames or CP codes and other filters.",
    needs: "Ten minutes are found fastest.",
    checks: [limitMembers(1, 2, "hostnames", "cpCodes")],
    ...launching("edgediag_log_search"),
    rules: ["edgediag-launch-result", "edgediag-log-subject", "edgediag-log-window"],
    example: {
      body: {
        edgeIp: "192.0.2.20",
        start: "{now-1h}",
        end: "{now}",
        logType: "BOTH",
        hostnames: ["www.shop.example"],
        httpStatusCodes: { comparison: "NOT_EQUALS", value: ["200"] },
      },
    },
  }),
  edgediag_log_search_result: operationAt("GET /edge-diagnostics/v1/grep/requests/{requestId}", {
    does: "Reads the log lines that a search found.",
    ...result,
    example: { requestId: 5 },
  }),
  edgediag_metadata_trace_launch: operationAt("POST /edge-diagnostics/v1/metadata-tracer", {
    does: "Launches a trace of a request: which lines of a property's metadata match at which stage.",
    checks: [limitMembers(0, 1, "mdtLocationId", "edgeIp"), sendsNothing],
    ...launching("edgediag_metadata_trace"),
    example: { body: { url, mdtLocationId: "tokyo-japan" } },
  }),
  edgediag_metadata_trace_result: operationAt("GET /edge-diagnostics/v1/metadata-tracer/requests/{requestId}", {
    does: "Reads the state and result of a metadata trace.",
    ...result,
    note: "The API can also return it as HTML, which is not asked for.",
    example: { requestId: 6 },
  }),
  edgediag_metadata_locations_list: operationAt("GET /edge-diagnostics/v1/metadata-tracer/locations", {
    does: "Lists the edge locations that can trace metadata, with the methods of each.",
  }),
};
