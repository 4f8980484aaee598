/** Diagnostics that answer directly or are launched and polled: CDN membership, error statistics, error translation, URL debugging. */
import type { UpstreamAnswer } from "../../language/conduct.js";
import { empty, json, op, repeat } from "../../language/define.js";
import { z } from "../../language/z.js";
import {
  Cdn,
  cpCode,
  Debugged,
  errorCode,
  errors,
  ipAddress,
  Launched,
  note,
  requestId,
  Statistics,
  Translated,
  Url,
} from "./shapes.js";

const rules = ["diag-launch-check-result"] as const;
const readiness = {
  path: { requestId },
  returns: { 200: Launched, 303: [empty, json(z.unknown())] } as const,
  means: {
    200: "Not ready: poll again after retryAfter seconds.",
    303: "Ready: call the result tool of the same name.",
    ...errors,
  },
  rules,
};
const result = { path: { requestId }, rules: ["diag-result-not-ready"] as const, means: errors };
const PollDelay = z.looseObject({ retryAfter: z.number() });
const LaunchId = z.looseObject({ requestId });

/** A launch with its operations `NAME_status` and `NAME_result`; status 303 means that the result is ready. */
const launchPolledBy = <const T extends string>(name: T) => ({
  returns: { 202: Launched, 200: Launched },
  effect: "launch" as const,
  shownBy: `${name}_status` as const,
  awaits: {
    status: `${name}_status` as const,
    result: `${name}_result` as const,
    follow: ({ body }: UpstreamAnswer) => {
      const { data } = LaunchId.safeParse(body);
      return data && { requestId: data.requestId };
    },
    isReady: ({ status }: UpstreamAnswer) => status === 303,
    state: ({ status }: UpstreamAnswer) => (status === 303 ? "ready" : "launched"),
    pauseSeconds: ({ body }: UpstreamAnswer) => PollDelay.safeParse(body).data?.retryAfter,
  },
  rules,
  means: errors,
});

export const requestOperations = {
  diag_ip_cdn_check: op("GET /diagnostic-tools/v2/ip-addresses/{ipAddress}/is-cdn-ip", {
    does: "Checks whether an address belongs to the CDN.",
    path: { ipAddress },
    returns: { 200: Cdn },
    means: errors,
    note,
    example: { ipAddress: "192.0.2.20" },
  }),
  diag_ip_cdn_launch: op("POST /diagnostic-tools/v2/ip-addresses/{ipAddress}/is-cdn-ip", {
    does: "Launches a check of whether an address belongs to the CDN.",
    path: { ipAddress },
    ...launchPolledBy("diag_ip_cdn"),
    example: { ipAddress: "203.0.113.10" },
  }),
  diag_ip_cdn_status: op("GET /diagnostic-tools/v2/is-cdn-ip-requests/{requestId}", {
    does: "Reports whether a launched CDN check is ready.",
    ...readiness,
    example: { requestId: "Y2RuLTE" },
  }),
  diag_ip_cdn_result: op("GET /diagnostic-tools/v2/is-cdn-ip-requests/{requestId}/is-cdn-ip", {
    does: "Reads the result of a launched CDN check.",
    ...result,
    returns: { 200: Cdn },
    example: { requestId: "Y2RuLTE" },
  }),
  diag_url_statistic_get: op("GET /diagnostic-tools/v2/estats", {
    does: "Reads error statistics for a URL: edge and origin failures by status and address.",
    query: { url: Url },
    returns: { 200: Statistics },
    means: errors,
    note,
    example: { url: "http://api.shop.example/cart" },
  }),
  diag_url_statistic_launch: op("POST /diagnostic-tools/v2/estats", {
    does: "Launches error statistics for a URL.",
    body: json({ url: Url }),
    ...launchPolledBy("diag_statistic"),
    note,
    example: { body: { url: "http://api.shop.example/cart" } },
  }),
  diag_cpcode_statistic_get: op("GET /diagnostic-tools/v2/cpcodes/{cpCode}/estats", {
    does: "Reads error statistics for a CP code.",
    path: { cpCode },
    returns: { 200: Statistics },
    means: errors,
    note,
    example: { cpCode: 12346 },
  }),
  diag_cpcode_statistic_launch: op("POST /diagnostic-tools/v2/cpcodes/{cpCode}/estats", {
    does: "Launches error statistics for a CP code.",
    path: { cpCode },
    ...launchPolledBy("diag_statistic"),
    example: { cpCode: 12345 },
  }),
  diag_statistic_status: op("GET /diagnostic-tools/v2/estats-requests/{requestId}", {
    does: "Reports whether launched error statistics are ready.",
    ...readiness,
    example: { requestId: "ZXN0YXRzLTE" },
  }),
  diag_statistic_result: op("GET /diagnostic-tools/v2/estats-requests/{requestId}/estats", {
    does: "Reads launched error statistics.",
    ...result,
    returns: { 200: Statistics },
    example: { requestId: "ZXN0YXRzLTE" },
  }),
  diag_error_translation_get: op("GET /diagnostic-tools/v2/errors/{errorCode}/translated-error", {
    does: "Explains the reference code of an error page: cause, origin, log lines.",
    path: { errorCode },
    returns: { 200: Translated },
    means: errors,
    note,
    example: { errorCode: "9.c000020a.1779000000.692" },
  }),
  diag_error_translation_launch: op("POST /diagnostic-tools/v2/errors/{errorCode}/translate-error", {
    does: "Launches the explanation of a reference code.",
    path: { errorCode },
    ...launchPolledBy("diag_error_translation"),
    example: { errorCode: "9.c000020a.1779000000.692" },
  }),
  diag_error_translation_status: op("GET /diagnostic-tools/v2/translate-error-requests/{requestId}", {
    does: "Reports whether a launched explanation is ready.",
    ...readiness,
    example: { requestId: "ZXJyb3ItMQ" },
  }),
  diag_error_translation_result: op("GET /diagnostic-tools/v2/translate-error-requests/{requestId}/translated-error", {
    does: "Reads a launched explanation of a reference code.",
    ...result,
    returns: { 200: Translated },
    example: { requestId: "ZXJyb3ItMQ" },
  }),
  diag_url_debug_get: op("GET /diagnostic-tools/v2/url-debug", {
    does: "Debugs a URL: DNS, debug response headers, log lines.",
    query: {
      url: Url,
      edgeIp: ipAddress.optional().describe("Edge address to query"),
      header: repeat(z.array(z.string().min(1)).min(1).optional().describe("Request headers, as Name: value")),
    },
    returns: { 200: Debugged },
    means: errors,
    note,
    example: { url: "http://www.shop.example/sale", header: ["Accept-Language: de"] },
  }),
  diag_url_debug_launch: op("POST /diagnostic-tools/v2/url-debug", {
    does: "Launches a URL debug.",
    body: json({
      url: Url,
      edgeIp: ipAddress.optional(),
      headers: z.array(z.string().min(1)).optional().describe("As Name: value"),
    }),
    ...launchPolledBy("diag_url_debug"),
    note,
    example: { body: { url: "http://www.shop.example/sale" } },
  }),
  diag_url_debug_status: op("GET /diagnostic-tools/v2/url-debug-requests/{requestId}", {
    does: "Reports whether a launched URL debug is ready.",
    ...readiness,
    example: { requestId: "dXJsLTE" },
  }),
  diag_url_debug_result: op("GET /diagnostic-tools/v2/url-debug-requests/{requestId}/debugged-url", {
    does: "Reads the result of a launched URL debug.",
    ...result,
    returns: { 200: Debugged },
    example: { requestId: "dXJsLTE" },
  }),
};
