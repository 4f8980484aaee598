/** The small world behind the diagnostics: edge locations, hosts with their origins, and what requests to them meet. */
import { STATUS_CODES } from "node:http";
import { Refusal, type Wording } from "../problem.js";
import { instant } from "../values.js";
import type { World } from "../world.js";
import { incident } from "./report-series.js";

export interface Location {
  readonly id: string;
  readonly value: string;
  readonly city: string;
  readonly countryCode: string;
  readonly continent: string;
  readonly timeZone: string;
  readonly latitude: number;
  readonly longitude: number;
  /** The address of the edge server there; in the range that documentation may use. */
  readonly edgeIp: string;
  readonly region: number;
  /** To an origin in Frankfurt, in milliseconds. */
  readonly toOriginMs: number;
}

const at = (
  id: string,
  value: string,
  [countryCode, continent, timeZone]: readonly [string, string, string],
  [latitude, longitude]: readonly [number, number],
  last: number,
  toOriginMs: number,
): Location => ({
  id,
  value,
  city: (id.split("-")[0] ?? "").toUpperCase(),
  countryCode,
  continent,
  timeZone,
  latitude,
  longitude,
  edgeIp: `192.0.2.${last}`,
  region: 4_000 + last,
  toOriginMs,
});

export const locations: readonly Location[] = [
  at("frankfurt-germany", "Frankfurt, Germany", ["DE", "EU", "GMT+1"], [50.11, 8.68], 10, 2),
  at("tokyo-japan", "Tokyo, Japan", ["JP", "AS", "GMT+9"], [35.69, 139.69], 20, 228),
  at("saopaulo-brazil", "Sao Paulo, Brazil", ["BR", "SA", "GMT-3"], [-23.55, -46.63], 30, 204),
  at("sanjose-ca-unitedstates", "San Jose, CA, United States", ["US", "NA", "PST"], [37.33, -121.89], 40, 151),
  at("sydney-australia", "Sydney, Australia", ["AU", "OC", "GMT+10"], [-33.87, 151.21], 50, 281),
  at("zurich-switzerland", "Zurich, Switzerland", ["CH", "EU", "GMT+1"], [47.38, 8.54], 60, 7),
];

export interface Host {
  readonly name: string;
  readonly cpCode: number;
  readonly originName: string;
  readonly originIp: string;
  readonly serialNumber: number;
  readonly ttl: string;
}

/** The hosts on the CDN. The origin of the shop's API refuses connections at any time. */
export const hosts: readonly Host[] = [
  {
    name: "www.shop.example",
    cpCode: 12345,
    originName: "origin.shop.example",
    originIp: "203.0.113.10",
    serialNumber: 1682,
    ttl: "3600",
  },
  {
    name: "api.shop.example",
    cpCode: 12346,
    originName: "origin-api.shop.example",
    originIp: "203.0.113.66",
    serialNumber: 1683,
    ttl: "0",
  },
  {
    name: "images.shop.example",
    cpCode: 67890,
    originName: "origin.shop.example",
    originIp: "203.0.113.10",
    serialNumber: 1684,
    ttl: "Infinite",
  },
];
const failingOrigin = "203.0.113.66";

/** The diagnostics' own shape of failures, whose members are all required (public facts A, 0.2). */
export const diagnosticWording: Wording = ({ status, detail, more: { field } }, { method, url }, world) => {
  const title = STATUS_CODES[status] ?? "";
  const type = `https://problems.luna.${world.vendor}apis.net/diagnostic-tools/${title.toLowerCase().replaceAll(" ", "-")}`;
  const requestTime = instant(world.now());
  const errors = field === undefined ? [] : [{ fieldName: field, error: detail }];
  return { body: { type, title, status, detail, instance: url.href, method, requestTime, errors } };
};
export const refusal = (status: 400 | 404, detail: string, field: string): Refusal =>
  new Refusal(status, STATUS_CODES[status] ?? "", detail, { field });

/** A location by its id. */
export function locationOf(locationId: string): Location {
  const found = locations.find(({ id }) => id === locationId);
  if (!found) throw refusal(404, `There is no location ${locationId}`, "locationId");
  return found;
}

/** The location of an edge address; refuses an address that is not on the edge. */
export function edgeOf(ipAddress: string): Location {
  const found = locations.find(({ edgeIp }) => edgeIp === ipAddress);
  if (!found) throw refusal(400, `${ipAddress} is not an edge address`, "ipAddress");
  return found;
}

export const isEdgeIp = (ipAddress: string): boolean => ipAddress.startsWith("192.0.2.");

/** The host of a URL on the CDN. */
export function hostOf(url: string): Host {
  const name = URL.canParse(url) ? new URL(url).hostname : "";
  const found = hosts.find((host) => host.name === name);
  if (!found) throw refusal(400, "The URL is not served by the CDN", "url");
  return found;
}

/** What a request for a host meets at an instant. */
export interface Outcome {
  readonly status: number;
  /** As the log writes it; a dash when there is none. */
  readonly error: string;
  readonly reason: string;
}
const fine: Outcome = { status: 200, error: "-", reason: "The request was served." };
/** What an error page with a reference code stands for. */
export const failed: Outcome = {
  status: 503,
  error: "ERR_CONNECT_FAIL|113",
  reason: "The edge server could not connect to the origin server.",
};

/** Requests fail while the origin refuses connections, and most of those of the shop did in the reports' incident. */
export function outcomeOf(world: World, host: Host, atMs: number, serial: number): Outcome {
  const { start, end } = incident(world);
  const isInIncident = host.cpCode === 12_345 && atMs >= start && atMs < end;
  const isFailing = host.originIp === failingOrigin || (isInIncident && world.noise("failing", atMs, serial) < 0.6);
  return isFailing ? failed : fine;
}

/** The instant in the reference code of an error page, in milliseconds since 1970. */
export const instantOf = (errorCode: string): number => Number(errorCode.split(".")[2]) * 1000;

/** The reference code of an error page: its third part is the instant in seconds, its last names the host. */
export function referenceOf(location: Location, host: Host, atMs: number): string {
  const address = location.edgeIp.split(".").map((part) => Number(part).toString(16).padStart(2, "0"));
  return `9.${address.join("")}.${Math.floor(atMs / 1000)}.${host.serialNumber.toString(16)}`;
}

/** The edge location and the host that a reference code stands for. */
export function referenced(errorCode: string): { readonly location: Location; readonly host: Host } {
  const [, address = "", , serial = ""] = errorCode.toLowerCase().split(".");
  const edgeIp = (address.match(/../g) ?? []).map((part) => Number.parseInt(part, 16)).join(".");
  const [location = locationOf("frankfurt-germany")] = locations.filter((one) => one.edgeIp === edgeIp);
  const host = hosts.find(({ serialNumber }) => serialNumber.toString(16) === serial) ?? hosts[1];
  if (!host) throw refusal(404, "No log lines are left of this error", "errorCode");
  return { location, host };
}
