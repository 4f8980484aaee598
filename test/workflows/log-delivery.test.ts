/** Log delivery on the emulator: where logs go, and what a policy says of it; what its previews say is in the transcripts. */
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import { destinationsIn } from "../../src/language/destination.js";
import { noPolicy, refusedDestinations } from "../../src/policy/index.js";
import { argumentsSchema } from "../../src/schema/arguments.js";
import { logDelivery } from "../../src/tools/log-delivery/index.js";
import { type Args, callsIn } from "../lab/calls.js";

/** Today, because the checks before a call know only the real date; standing still, so that no day ends in between. */
const frozenAt = Date.now();
const world = createWorld({ frozenAt });
beforeEach(() => world.reset());

const day = (days: number) => new Date(frozenAt + days * 86_400_000).toISOString().slice(0, 10);

const shop = { logConfigurationId: "163842" };
const body = {
  startDate: day(-60),
  contactDetails: { contact: { id: "1-C30O" }, mailAddresses: ["operations@shop.example"] },
  logFormatDetails: { logFormat: { id: "2" }, logIdentifier: "shop" },
  messageSize: { id: "3" },
  aggregationDetails: { type: "byLogArrival", deliveryFrequency: { id: "1" } },
  encodingDetails: { encoding: { id: "1" } },
  deliveryDetails: {
    type: "ftp",
    machine: "logs.shop.example",
    login: "edge",
    password: "hunter2",
    directory: "/shop",
  },
};

it("knows every place that logs and news of them go to", () => {
  const schema = argumentsSchema(logDelivery.operations.log_configuration_create);
  const storage = { type: "httpsns4", domainPrefix: "elsewhere", cpcodeId: 7 };
  const found = (deliveryDetails: object) =>
    destinationsIn(schema, { logSourceType: "gtm", logSourceId: "1", body: { ...body, deliveryDetails } });
  const places = [body.deliveryDetails, storage, { type: "email", emailAddress: "x@elsewhere.example" }].flatMap(found);
  expect([...new Set(places.map(({ kind, value }) => `${kind} ${value}`))]).toEqual([
    "email operations@shop.example",
    "host logs.shop.example",
    "host elsewhere",
    "email x@elsewhere.example",
  ]);
  const egress = { emails: ["*@shop.example"], hosts: ["*.shop.example"] };
  expect(refusedDestinations(egress, places).map(({ value }) => value)).toEqual(["elsewhere", "x@elsewhere.example"]);
});

describe("where a configuration sends logs to, which the call does not name,", () => {
  const copy = { ...shop, body: { copyTarget: { logSource: { id: "12346-1", type: "cpcode-products" } } } };
  const redelivery = { body: { logConfiguration: { id: 163842 }, redeliveryDate: day(-2) } };
  const limitedTo = (egress: object) => callsIn(world, { policy: { ...noPolicy, egress } });
  it.each<[string, Args]>([
    ["log_configuration_copy", copy],
    ["log_configuration_resume", { logConfigurationId: "163844" }],
    ["log_redelivery_create", redelivery],
  ])("is checked against the policy's lists by %s", async (tool, args) => {
    const { code, fields } = await limitedTo({ hosts: ["*.elsewhere.example"] }).refused(tool, args);
    expect(code).toBe("not_allowed");
    expect(fields).toEqual([
      expect.stringMatching(/^deliveryDetails\.\w+ of log_configuration_get: one that the policy/),
    ]);
  });

  it("a log destination the call omits has to be on the allowed lists", async () => {
    const hosts = ["*.shop.example"];
    expect((await limitedTo({ hosts }).call("log_redelivery_create", redelivery)).kind).toBe("answer");
    expect((await limitedTo({ hosts, emails: [] }).refused("log_configuration_copy", copy)).fields).toEqual([
      expect.stringContaining("contactDetails.mailAddresses[0] of log_configuration_get"),
    ]);
    expect((await limitedTo({ hosts, emails: ["*@shop.example"] }).call("log_configuration_copy", copy)).kind).toBe(
      "answer",
    );
  });
});
