/** Every sample of live streaming in XML, served by a replaying upstream, comes through with its values unchanged. */
import { describe } from "vitest";
import { replaySamples, samplesIn, under } from "./replay.js";

const found = samplesIn("../shared/samples/C/live");

const type = "application/xml";
const domain = { domain: "live.shop.example" };
const stream = { ...domain, streamId: "12345" };
const event = { ...stream, eventName: "event1" };
const message = { type, value: { message: "text" } };
const unset = { "archive-end-time": "", "off-air-time": "", "delete-time": "" };
const at = "12/18/2019 12:34:56 AM";
const settings = {
  "dvr-settings": { dvr: "Enabled", "dvr-window": "30" },
  "encoder-settings": { password: "secret", "primary-encoder-ip": "192.0.2.10", "backup-encoder-ip": "192.0.2.11" },
  "notification-email": "ops@example.com",
  "primary-contact-name": "John Doe",
  "secondary-contact-name": "Jane Lane",
  "stream-name": "mystream",
  "stream-type": "Universal Streaming Live",
};
const provisioned = {
  "stream-id": "12345",
  "stream-name": "mystream",
  "stream-type": "Universal Streaming Live",
  status: "Provisioned",
  "encoder-settings": { username: "12345" },
  entrypoints: {
    entrypoint: [
      { type: "Primary", "domain-name": "p.ep12345.i.akamaientrypoint.net" },
      { type: "Backup", "domain-name": "b.ep12345.i.akamaientrypoint.net" },
    ],
  },
};
const read = "v1-stream-get-200.constructed-from-kaltura-parser.xml";
const error = "v1-error.constructed-from-kaltura-parser.xml";

describe("live streaming", () => {
  replaySamples({
    ...found,
    foreign: {
      "v2-": "another version of the service",
      "v1-streams-list-200.json-variant": "the document's service is in XML",
      "v1-utils-json-legacy": "several answers of a forerunner in one file",
    },
    rows: under(
      "",
      [
        "live_streams_list",
        domain,
        "v1-streams-list-200.constructed.xml",
        200,
        {
          type,
          value: {
            stream: [{ "stream-id": "12345", "stream-type": "Universal Streaming Live", "stream-name": "mystream" }],
          },
        },
      ],
      ["live_stream_get", stream, read, 200, { type, value: provisioned }],
      [
        "live_stream_create",
        { ...domain, body: settings },
        read,
        200,
        { type, value: provisioned, request: "v1-stream-create-request.from-kaltura.xml" },
      ],
      ["live_stream_update", { ...stream, body: settings }, "v1-response-message.xml", 200, message],
      [
        "live_events_list",
        stream,
        "v1-event-list-200.constructed-from-nxnznv-parser.xml",
        200,
        {
          type,
          value: {
            event: [
              {
                "event-name": "event1",
                "primary-event": { ...unset, "archive-start-time": at, "on-air-time": at },
                "backup-event": { ...unset, "archive-start-time": at, "on-air-time": "" },
              },
            ],
          },
        },
      ],
      [
        "live_event_update",
        { ...event, body: { "backup-event": { "delete-time": "2019-12-11T00:34:56Z" } } },
        "v1-response-message.xml",
        200,
        { ...message, request: "v1-event-put-request.from-nxnznv.xml" },
      ],
      ["live_stream_get", stream, error, 400, { type, value: { error: "text of the one error" } }],
    ),
  });
});
