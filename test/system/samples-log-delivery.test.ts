/** Every sample of log delivery, served by a replaying upstream, comes through unchanged. */
import { describe } from "vitest";
import { replaySamples, samplesIn, under } from "./replay.js";

const found = samplesIn("../shared/samples/C/lds");

const root = "/lds-api/v3";
const source = { logSourceType: "cpcode-products", logSourceId: "200957-1" };
const created = { [`${root}/log-sources/cpcode-products/200957-1/log-configurations`]: () => "[]" };
// The samples are of a day that is over, by any clock.
const past = { override: ["clock"] };

describe("log delivery", () => {
  const configuration = {
    [`${root}/log-configurations/163842`]: () => found.textOf("log-configuration-get-200.merged.json"),
  };
  replaySamples({
    ...found,
    foreign: { "deliveryDetails-email.constructed.json": "a part of a request, which the goldens and rules send" },
    rows: under(
      "log-",
      ["log_sources_list", {}, "sources-200.constructed.json", 200],
      ["log_type_sources_list", { logSourceType: "etp" }, "sources-200.constructed.json", 200],
      ["log_configuration_get", { logConfigurationId: 163_842 }, "configuration-get-200.merged.json", 200],
      [
        "log_configuration_create",
        { ...source, ...past },
        undefined,
        201,
        { request: "configuration-create-request.constructed-byLogArrival-httpsns4.json", also: created },
      ],
      [
        "log_configuration_create",
        { ...source, ...past },
        undefined,
        201,
        { request: "configuration-create-request.constructed-byHitTime-ftp-gpg.json", also: created },
      ],
      [
        "log_configuration_replace",
        { logConfigurationId: "163842", ...past },
        undefined,
        200,
        { request: "configuration-create-request.constructed-byHitTime-ftp-gpg.json", also: configuration },
      ],
      ["log_redelivery_get", { redeliveryId: "1" }, "redelivery-get-200.constructed.json", 200],
      [
        "log_redelivery_create",
        past,
        undefined,
        201,
        { request: "redelivery-create-request.json", also: configuration },
      ],
    ),
  });
});
