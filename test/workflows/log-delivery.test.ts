/** Log delivery on the emulator: what a person reads before it changes, what is refused unsent, and the guided creation. */
import { beforeEach, describe, expect, it } from "vitest";
import { argumentsSchema } from "../../src/arguments/index.js";
import { createWorld } from "../../src/emulator/world.js";
import { noPolicy, refusedDestinations } from "../../src/policy/index.js";
import { destinationsIn } from "../../src/schema/destination.js";
import { logDelivery } from "../../src/tools/log-delivery/index.js";
import { type Args, callsIn } from "../lab/calls.js";

/** Today, because the checks before a call know only the real date; standing still, so that no day ends in between. */
const frozenAt = Date.now();
const world = createWorld({ frozenAt });
const { call, previewed, approved, refused, answer, worked } = callsIn(world);
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

describe("a replacement", () => {
  it("a log replacement names another host, and changed recipients", async () => {
    const deliveryDetails = { ...body.deliveryDetails, machine: "logs.elsewhere.example" };
    const contactDetails = { contact: { id: "1-C31P" }, mailAddresses: ["new@elsewhere.example"] };
    const { summary } = await previewed("log_configuration_replace", {
      ...shop,
      body: { ...body, deliveryDetails, contactDetails },
    });
    expect(summary).toContain(
      'the FTP host logs.elsewhere.example instead of the FTP host logs.shop.example; "new@elsewhere.example", contact 1-C31P would be notified of deliveries; "operations@shop.example", contact 1-C30O would no longer be notified.',
    );
  });

  it("takes a configuration as it was read, with another host", async () => {
    const { body: read } = await answer("log_configuration_get", shop);
    const { deliveryDetails } = read as { readonly deliveryDetails: object };
    const written = { ...(read as object), deliveryDetails: { ...deliveryDetails, machine: "new.shop.example" } };
    const { summary, warnings, text } = await previewed("log_configuration_replace", { ...shop, body: written });
    expect(summary).toContain("logs go to the FTP host new.shop.example instead of the FTP host logs.shop.example");
    expect(warnings).toEqual([expect.stringMatching(/^deliveryDetails\.password is left out/)]);
    expect(text).toContain("Changes: 1 changed\n");
    expect((await approved("log_configuration_replace", { ...shop, body: written })).kind).toBe("answer");
    expect((await answer("log_configuration_get", shop)).body).toMatchObject(written);
    const mistyped = { ...written, endDat: day(9) };
    expect((await refused("log_configuration_replace", { ...shop, body: mistyped })).fields).toEqual([
      expect.stringContaining("body.endDat"),
    ]);
  });

  it("says that nobody else gets anything where that is so", async () => {
    const args = { ...shop, body: { ...body, messageSize: { id: "4" } } };
    expect((await previewed("log_configuration_replace", args)).summary).toContain(
      "logs still go to the FTP host logs.shop.example, directory /shop, as edge, and the same people are notified",
    );
  });

  it("says that logs would no longer be encrypted", async () => {
    const images = { logConfigurationId: "163844" };
    const { body: read } = await answer("log_configuration_get", images);
    const written = { ...(read as object), encodingDetails: { encoding: { id: "1" } } };
    const { summary } = await previewed("log_configuration_replace", { ...images, body: written });
    expect(summary).toContain(": logs are no longer encrypted.");
    const same = await previewed("log_configuration_replace", { ...images, body: read });
    expect(same.summary).not.toContain("encrypted");
  });

  it("a log replacement warns: suspended, password missing, other source", async () => {
    const { password: _, ...without } = body.deliveryDetails;
    const start = { ...body, startDate: day(2) };
    const { warnings } = await previewed("log_configuration_replace", {
      logConfigurationId: "163844",
      body: { ...start, deliveryDetails: without, logSource: { id: "12346-1", type: "cpcode-products" } },
    });
    expect(warnings).toEqual([
      expect.stringContaining("suspended"),
      expect.stringMatching(/^deliveryDetails\.password is left out/),
      expect.stringMatching(/source 12346-1, .* 67890-1/),
    ]);
  });
});

it("says which redeliveries a deletion ends, and shows no links", async () => {
  const { text, warnings } = await previewed("log_configuration_delete", shop);
  expect(warnings).toEqual([`A redelivery of ${day(-3)}, still under way, may fail.`]);
  expect(text).not.toMatch(/links|href/);
  expect(JSON.stringify((await answer("log_configuration_get", shop)).body)).toContain('"href"');
});

describe("what is known to fail is refused before it is sent", () => {
  const source = { logSourceType: "cpcode-products", logSourceId: "12346-1" };
  const create = { ...source, body: { ...body, startDate: day(2) } };
  const starting = (startDate: string, more: object = {}) => ({ body: { ...body, startDate, ...more } });
  const again = (more: object) => ({ body: { logConfiguration: { id: "163842" }, redeliveryDate: day(-3), ...more } });
  const taken = { copyTarget: { logSource: { id: "67890-1", type: "cpcode-products" } } };
  it.each<[string, string, Args, string]>([
    [
      "a source that has one",
      "configuration_create",
      { ...create, logSourceId: "12345-1" },
      "logSourceId: a log source",
    ],
    ["a copy to one that has", "configuration_copy", { ...shop, body: taken }, "body.copyTarget.logSource.id: a log"],
    ["no start ahead", "configuration_create", { ...source, ...starting(day(0)) }, `UTC date from ${day(1)} on`],
    [
      "an end before",
      "configuration_create",
      { ...source, ...starting(day(2), { endDate: day(1) }) },
      "body.endDate: ",
    ],
    ["another old start", "configuration_replace", { ...shop, ...starting(day(-59)) }, `or "${day(-60)}"`],
    ["no hours", "redelivery_create", again({ beginTime: 4, endTime: 4 }), "body.endTime: an hour after beginTime, 4"],
    ["by a suspended one", "redelivery_create", again({ logConfiguration: { id: "163844" } }), "this one is suspended"],
    [
      "the resumption of what delivers",
      "configuration_resume",
      shop,
      "logConfigurationId: a log configuration that is",
    ],
    ["what is over", "configuration_suspend", { logConfigurationId: "163843" }, "that is active; this one is expired"],
    ["a day no longer kept", "redelivery_create", again({ redeliveryDate: day(-31) }), `not before ${day(-30)}`],
    ["a day that lies ahead", "redelivery_create", again({ redeliveryDate: day(1) }), "whose delivery is complete"],
  ])("%s", async (_, tool, args, takes) => {
    expect(await refused(`log_${tool}`, args)).toMatchObject({
      code: "invalid_input",
      fields: [expect.stringContaining(takes)],
    });
  });

  it("hours of a calendar day", async () => {
    const byDay = { logConfigurationId: "163844" };
    expect((await approved("log_configuration_resume", byDay)).kind).toBe("answer");
    const hours = again({ logConfiguration: { id: "163844" }, beginTime: 0, endTime: 4 });
    expect((await refused("log_redelivery_create", hours)).fields).toEqual([
      expect.stringContaining("body.endTime: no value, because this configuration aggregates by calendar day"),
    ]);
  });

  it("unless the caller insists on a date, which the API then decides", async () => {
    const insisting = { ...again({ redeliveryDate: day(-31) }), override: ["clock"] };
    expect(await refused("log_redelivery_create", insisting)).toMatchObject({ code: "rejected" });
  });
});

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
  ])("is held against the policy's lists by %s", async (tool, args) => {
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

describe("log_delivery_create", () => {
  const tool = "log_delivery_create";
  const offered = async (args: Args) => {
    const { choices } = await worked<{ choices: Readonly<Record<string, readonly { id: string }[]>> }>(tool, args);
    return { choices, open: Object.keys(choices) };
  };
  const delivery = { type: "ftp", machine: "logs.shop.example", login: "edge", password: "hunter2" };
  const whole = {
    logSource: "12346",
    logFormat: "Combined",
    logIdentifier: "api",
    deliveryDetails: delivery,
    encoding: "GZIP",
    deliveryFrequency: "every 3 hours",
    messageSize: "3",
    contact: "1-C30O",
    mailAddresses: ["operations@shop.example"],
    startDate: day(2),
  };

  it("log_delivery_create offers free sources, then fitting formats", async () => {
    const first = await offered({});
    expect(first.choices["logSource"]?.slice(0, 3).map(({ id }) => id)).toEqual(["12346-1", "67891-1", "67892-1"]);
    expect(first.open.slice(0, 3)).toEqual(["logSource", "deliveryDetails", "deliveryFrequency"]);
    const second = await offered({
      logSource: "12346-1",
      deliveryDetails: { type: "email", emailAddress: "l@shop.example" },
    });
    expect(second.choices["logFormat"]?.map(({ id }) => id)).toEqual(["1", "2", "3"]);
    expect(second.choices["encoding"]?.map(({ id }) => id)).toEqual(["2", "3", "4"]);
    const resolver = await offered({ ...whole, logSource: "Office resolvers", logFormat: "13", encoding: undefined });
    expect(resolver.choices).toEqual({ encoding: [{ id: "4", value: "GPG" }] });
    expect((await offered({ ...whole, encoding: "gpg" })).open).toEqual(["encodingKey"]);
    expect((await offered({ logSourceType: "etp" })).choices["logSource"]).toEqual([
      { type: "etp", id: "1100", name: "Threat protection 1100" },
    ]);
  });

  it.each<[string, Args, string]>([
    ["a source that has a configuration", { logSource: "12345-1" }, "logSource: a log source without a configuration"],
    ["a source that is none", { logSource: "cookies" }, "logSource: the id or the name of a log source"],
    ["a format of another product", { logFormat: "4" }, 'logFormat: one of "1" ("common"), "2" ("combined"), "3" ('],
    ["an encoding for mail", { encoding: "2" }, 'encoding: one of "1" ("GZIP"), "4" ("GPG")'],
    ["a key without GPG", { encodingKey: "KEY" }, "encodingKey: nothing with"],
    ["both aggregations", { deliveryThreshold: "1" }, "deliveryThreshold: nothing together with deliveryFrequency"],
    ["late logs as they arrive", { deliverResidualData: true }, "deliverResidualData: nothing with deliveryFrequency"],
    ["a size that there is not", { messageSize: "9" }, "messageSize: one of"],
    ["a contact that there is not", { contact: "nobody" }, "contact: one of"],
    ["a start that is over", { startDate: day(0) }, "body.startDate: a UTC date from"],
  ])("refuses %s", async (_, wrong, takes) => {
    expect((await refused(tool, { ...whole, ...wrong })).fields).toEqual([expect.stringContaining(takes)]);
  });

  it("previews the POST, and makes it when it is approved, once", async () => {
    const { text, plan, request } = await previewed(tool, whole);
    expect(request).toEqual({
      method: "POST",
      path: "/lds-api/v3/log-sources/cpcode-products/12346-1/log-configurations",
    });
    expect(text.match(/^CREATE/gm)).toHaveLength(1);
    expect(await call(tool, { ...whole, confirm: plan.id })).toMatchObject({
      reply: { status: 201, location: expect.stringMatching(/log-configurations\/\d+$/) },
    });
    const made = await answer("log_source_configurations_list", {
      logSourceType: "cpcode-products",
      logSourceId: "12346-1",
    });
    expect(made.body).toMatchObject([
      { startDate: day(2), aggregationDetails: { deliveryFrequency: { value: "Every 3 hours" } } },
    ]);
    expect(await refused(tool, { ...whole, confirm: plan.id })).toMatchObject({ code: "invalid_input" });
  });

  it("creates by calendar day with a threshold and late logs", async () => {
    const byDay = {
      ...whole,
      deliveryFrequency: undefined,
      deliveryThreshold: "95% completion",
      deliverResidualData: true,
    };
    expect((await approved(tool, byDay)).kind).toBe("answer");
    const made = await answer("log_type_configurations_list", { logSourceType: "cpcode-products" });
    expect(made.body).toContainEqual(
      expect.objectContaining({
        aggregationDetails: expect.objectContaining({ type: "byHitTime", deliverResidualData: true }),
      }),
    );
  });
});
