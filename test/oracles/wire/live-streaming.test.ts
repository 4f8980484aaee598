/** What live streaming does on the wire beyond the golden exchanges: errors inside a success, and XML that is refused. */
import { expect, it } from "vitest";
import type { AnyOperation } from "../../../src/language/define.js";
import { mediaList } from "../../../src/language/media.js";
import { z } from "../../../src/language/z.js";
import { liveStreaming } from "../../../src/tools/live-streaming/index.js";
import { rule } from "../../lab/rules.js";
import { exchange } from "../../wire/exchange.js";

const operations = liveStreaming.operations as Readonly<Record<string, AnyOperation>>;
const operationOf = (tool: string): AnyOperation => {
  const found = operations[tool];
  if (!found) throw new Error(`no operation ${tool}`);
  return found;
};
const domain = { domain: "live.shop.example" };
const answer = (body: string, status = 200) => ({ status, headers: { "content-type": "application/xml" }, body });
const call = (tool: string, args: Record<string, unknown>, body: string, status = 200) =>
  exchange(operationOf(tool), args, answer(body, status));

/** The elements of a configuration in the order of document C's table. */
const domainOrder = [
  "configuration-details",
  "archive-configuration",
  "advanced-configuration",
  "fms-backup-option",
  "domain-versions",
];
const body = {
  "fms-backup-option": "Enabled",
  "advanced-configuration": "Disabled",
  "domain-versions": { "domain-version": [{}] },
  "archive-configuration": { "archive-cpcode": "1" },
  "configuration-details": { hostname: "a.example", "configuration-name": "a", "reporting-cpcode": "1" },
};

rule("live-order", "writes the elements in the document's order for every order of a call", async () => {
  const message = "<response-message><message>done</message></response-message>";
  for (const names of [Object.keys(body), Object.keys(body).reverse(), [...domainOrder]]) {
    const given = Object.fromEntries(names.map((name) => [name, body[name as keyof typeof body]]));
    const { body: sent = "" } = await call("live_domain_create", { body: given }, message);
    const places = domainOrder.map((name) => sent.indexOf(`<${name}`));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  }
});

rule("live-text", "reads every value as text, whatever it looks like", async () => {
  const looks = ["007", "1e5", "true", "9007199254740993", " a "];
  const streams = looks.map((one) => `<stream><stream-id>${one}</stream-id></stream>`).join("");
  const { reply } = await call("live_streams_list", domain, `<streams>${streams}</streams>`);
  expect(reply.body).toEqual({ stream: looks.map((one) => ({ "stream-id": one })) });
  const isText = (schema: z.ZodType): boolean => {
    if (schema instanceof z.ZodObject) return Object.values(schema.shape).every((one) => isText(one as z.ZodType));
    if (schema instanceof z.ZodArray) return isText(schema.element as z.ZodType);
    if (schema instanceof z.ZodOptional) return isText(schema.unwrap() as z.ZodType);
    return schema instanceof z.ZodString || schema instanceof z.ZodUnknown;
  };
  const own = ["live_domain_get", "live_stream_get", "live_event_get", "live_version_get", "live_activation_get"];
  for (const tool of own) {
    const schemas = mediaList(operationOf(tool).spec.returns[200]).map(({ schema }) => schema);
    expect([tool, schemas.map(isText)]).toEqual([tool, [true]]);
  }
});

rule("live-lists", "repeated, single and missing elements are all read as lists", async () => {
  const one = (name: string) =>
    `<domain><configuration-details><hostname>${name}</hostname></configuration-details></domain>`;
  for (const names of [[], ["a.example"], ["a.example", "b.example"]]) {
    const { reply } = await call("live_domains_list", {}, `<domains>${names.map(one).join("")}</domains>`);
    const { domain: list } = reply.body as { domain: object[] };
    expect(list).toHaveLength(names.length);
    for (const item of list) expect(item).toHaveProperty("configuration-details");
  }
});

const text = "Configuration is locked by <b>";
const escaped = "Configuration is locked by &lt;b&gt;";
rule("live-error", "an error element is a failure with its text, whatever the status", async () => {
  const failing = [
    ["live_domains_list", {}],
    ["live_domain_create", { body }],
    ["live_stream_delete", { ...domain, streamId: "1" }],
    ["live_stream_create", { ...domain, body: { "stream-type": "a", "stream-name": "a" } }],
    ["live_version_activate", { ...domain, versionId: 1, environment: "Production" }],
    ["live_contacts_list", {}],
  ] as const;
  for (const [tool, args] of failing) {
    for (const document of [
      `<errors><error>${escaped}</error></errors>`,
      `<stream><stream-id>1</stream-id><error>${escaped}</error></stream>`,
      `<?xml version="1.0"?>\n<error>${escaped}</error>`,
    ])
      await expect(call(tool, args, document), tool).rejects.toMatchObject({
        code: "rejected",
        detail: { status: 200, upstream: text },
      });
    for (const document of ["<errors><error/></errors>", "<errors><error></error></errors>"])
      await expect(call(tool, args, document), tool).rejects.toMatchObject({ code: "rejected" });
    const refused = call(tool, args, `<errors><error>${escaped}</error></errors>`, 400);
    await expect(refused, tool).rejects.toMatchObject({
      code: "rejected",
      detail: { status: 400, upstream: { error: text } },
    });
  }
  for (const [tool, { service }] of Object.entries<AnyOperation>(operations))
    expect([tool, service?.envelope?.at]).toEqual([tool, "error"]);
});

it.each([
  [
    "a document type",
    '<!DOCTYPE streams [<!ENTITY a SYSTEM "file:///etc/passwd">]><streams><stream>&a;</stream></streams>',
  ],
  ["what is not well-formed", "<streams><stream></streams>"],
  ["two documents", "<streams/><streams/>"],
])("refuses an answer with %s", async (_, document) => {
  await expect(call("live_streams_list", domain, document)).rejects.toMatchObject({ code: "bad_reply" });
  // A change was made all the same: calling that a failure would invite a second one.
  const { reply } = await call("live_stream_delete", { ...domain, streamId: "1" }, document);
  expect(reply.notes).toEqual([expect.stringContaining("The change was made")]);
});

it("reads an error that is no XML, or declares a document type, as text", async () => {
  for (const document of ["<errors><error>", "<!DOCTYPE errors><errors><error>a</error></errors>"])
    await expect(call("live_streams_list", domain, document, 400)).rejects.toMatchObject({
      detail: { upstream: document },
    });
});

it("tells which recordings are going to be deleted, and of no others", async () => {
  const event = (time: string) =>
    `<event><event-name>e</event-name><primary-event><delete-time>${time}</delete-time></primary-event></event>`;
  const notesOf = async (time: string) =>
    (await call("live_events_list", { ...domain, streamId: "1" }, `<event-list>${event(time)}</event-list>`)).reply
      .notes;
  expect(await notesOf("06/01/2026 12:00:00 PM")).toEqual([
    'The primary recording of "e" is deleted at "06/01/2026 12:00:00 PM" (month first, UTC).',
  ]);
  expect(await notesOf("")).toEqual([]);
});
