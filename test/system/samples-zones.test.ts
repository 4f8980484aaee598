/** Every sample of DNS and of SaaS registration, served by a replaying upstream, comes through unchanged. */
import { describe } from "vitest";
import { replaySamples, samplesIn, under } from "./replay.js";

const zones = samplesIn("../shared/samples/B/dns-v1");
const registrations = samplesIn("../shared/samples/B/saas-registration");

describe("DNS", () => {
  const created = "synthetic-zone-post-request-new.json";
  replaySamples({
    ...zones,
    foreign: {},
    rows: under(
      "",
      ["dns_zone_get", { zone: "example.com" }, "zone-get-200-minimal.json", 200],
      ["dns_zone_write", { zone: "example.com" }, undefined, 204, { request: created }],
    ),
  });
});

describe("SaaS registration", () => {
  const contract = { contractId: "C-1FRYVV3" };
  replaySamples({
    ...registrations,
    foreign: {},
    rows: under(
      "synthetic-",
      ["saas_applications_list", contract, "applications-list-200.json", 200],
      ["saas_customer_get", { ...contract, surrogateId: 9101 }, "customer-get-200.json", 200],
      ["saas_pair_get", { ...contract, surrogateId: 9201 }, "pair-get-200.json", 200],
    ),
  });
});
