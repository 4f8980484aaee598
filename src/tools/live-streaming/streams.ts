/** The operations on the streams of a configuration. */
import { empty, op, xml } from "../../language/define.js";
import { memberAt } from "../../language/member.js";
import { z } from "../../language/z.js";
import { domain, domainMissing, message } from "./domains.js";
import { Message, NewStream, Stream, StreamChange, Streams } from "./shapes.js";
import { besideStream, streamChange, streamCreation, streamDeletion } from "./stream-guards.js";

export const stream = {
  ...domain,
  streamId: z.string().regex(/^\d{1,12}$/, "the digits of a stream's id, as text"),
};
export const streamMissing = { 404: "There is no such stream: live_streams_list shows those of a configuration." };

export const streamOperations = {
  live_streams_list: op("GET /config-media-live/v1/live/{domain}/stream", {
    does: "Lists the streams of a configuration.",
    path: domain,
    returns: { 200: xml("streams", Streams) },
    rules: ["live-lists"],
    means: domainMissing,
    example: { domain: "live.shop.example" },
  }),
  live_stream_create: op("POST /config-media-live/v1/live/{domain}/stream", {
    does: "Creates a stream. It is pending until its entry points are provisioned.",
    path: domain,
    body: xml("stream", NewStream),
    // A client of public facts reads the stream from the answer; other writes of the document answer with a message.
    returns: { 200: xml("stream", z.union([Message, Stream])), 201: xml("stream", z.union([Message, Stream])) },
    effect: "create",
    guard: streamCreation,
    shownBy: "live_streams_list",
    rules: ["live-order", "live-provisioned"],
    means: { 400: "The stream was refused: live_ingest_formats_list shows the types.", ...domainMissing },
    example: {
      domain: "live.shop.example",
      body: {
        "stream-type": "Universal Streaming Live",
        "stream-name": "autumn-show",
        "primary-contact-name": "Maria Held",
        "notification-email": "operations@shop.example",
        "encoder-settings": { "primary-encoder-ip": "203.0.113.40", password: "correct horse battery" },
        "dvr-settings": { dvr: "Enabled", "dvr-window": "30" },
      },
    },
  }),
  live_stream_get: op("GET /config-media-live/v1/live/{domain}/stream/{streamId}", {
    does: "Reads a stream: its settings, its status and its entry points.",
    path: stream,
    returns: { 200: xml("stream", Stream) },
    awaits: {
      state: ({ body }) => String(memberAt(body, "status")),
      isReady: ({ body }) => memberAt(body, "status") === "Provisioned",
    },
    rules: ["live-text", "live-provisioned"],
    means: streamMissing,
    example: { domain: "live.shop.example", streamId: "201044" },
  }),
  live_stream_update: op("PUT /config-media-live/v1/live/{domain}/stream/{streamId}", {
    does: "Replaces the settings of a stream, at once.",
    needs: "Change what live_stream_get returned.",
    path: stream,
    body: xml("stream", StreamChange),
    returns: { 200: message, 204: empty },
    effect: "update",
    // It is live at once: another encoder address or password stops the stream, and another recipient gets its mail.
    guard: streamChange,
    shownBy: "live_stream_get",
    rules: ["live-order"],
    means: streamMissing,
    note: "No source says whether what the body leaves out is removed. It is shown as removed; the emulator keeps the password alone.",
    example: {
      domain: "live.shop.example",
      streamId: "201044",
      body: {
        "stream-type": "Universal Streaming Live",
        "stream-name": "shop-show",
        "primary-contact-name": "Maria Held",
        "secondary-contact-name": "Jonas Brandt",
        "notification-email": "operations@shop.example",
        "encoder-settings": { "primary-encoder-ip": "203.0.113.41", "backup-encoder-ip": "203.0.113.42" },
        "dvr-settings": { dvr: "Enabled", "dvr-window": "60" },
      },
    },
  }),
  live_stream_delete: op("DELETE /config-media-live/v1/live/{domain}/stream/{streamId}", {
    does: "Deletes a stream.",
    path: stream,
    returns: { 200: message, 204: empty },
    guard: streamDeletion,
    shownBy: "live_stream_get",
    shownBeside: besideStream,
    means: streamMissing,
    example: { domain: "live.shop.example", streamId: "201045" },
  }),
};
