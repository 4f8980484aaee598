/** One upstream that hangs, one that breaks and one that lies, against the built server; test/system/faults has the others. */
import { expect, it } from "vitest";
import { scripted } from "../scripted.js";
import { json } from "../upstream.js";

const queue = { supportId: "s", httpStatus: 200, detail: "d", queueLength: 3 };
const event = { body: { name: "x", start: 1_790_000_000_000, end: 1_790_000_100_000 } };
const { upstream, against } = await scripted(["--first-byte-timeout-ms", "400"]);

it("a change that gets no answer is sent once, and its outcome is unknown", async () => {
  const { call } = await against(() => undefined);
  const { structuredContent } = await call("event_create", event);
  expect(structuredContent).toMatchObject({
    error: "outcome_unknown",
    next: expect.stringContaining("events_list"),
  });
  expect(upstream.received).toHaveLength(1);
});

it("a read whose connection breaks is tried three times, signed anew", async () => {
  const { call } = await against((response, _, count) =>
    count < 2 ? void response.socket?.destroy() : json(response, 200, queue),
  );
  const { structuredContent } = await call("purge_queue_get", { queueName: "default" });
  expect(structuredContent).toMatchObject({ status: 200, data: queue });
  const signatures = upstream.received.map(({ headers }) => headers.authorization);
  expect(new Set(signatures).size).toBe(3);
  for (const signature of signatures) expect(signature).toMatch(/^EG1-HMAC-SHA256 client_token=/);
});

it("a change whose answer is cut off was made, with a note", async () => {
  const { call } = await against(
    (response) => void response.writeHead(201, { "content-type": "application/json" }).end('{"id":"1'),
  );
  const { isError, structuredContent } = await call("event_create", event);
  expect(isError).toBeFalsy();
  expect(structuredContent).toMatchObject({
    status: 201,
    notes: expect.arrayContaining([expect.stringContaining("events_list")]),
  });
});
