/** The operations on the streams of a configuration, and previews of changing and deleting them. */
import { type Arguments, type Guard, pickArguments } from "../../language/conduct.js";
import { empty, op, xml } from "../../language/define.js";
import { quoteValue } from "../../language/failure.js";
import { guardsOf } from "../../language/guards.js";
import { listAt, memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";
import { messageMedium, ofDomain, ofStream, streamName } from "./domains.js";
import { isOnAir } from "./events.js";
import { Message, NewStream, Stream, StreamChange, Streams } from "./shapes.js";

/** A field of the request and of the present state, if the two differ. */
function changed(args: Arguments, present: unknown, path: readonly string[]) {
  const [from, to] = [memberAt(present, path), memberAt(args, ["body", ...path])];
  return present === undefined || from === to ? undefined : { from, to };
}
const orNone = (value: unknown): string => (value === undefined ? "none" : plainOrQuoted(value));

const streamCreation: Guard = {
  kind: "create",
  thing: "stream {body.stream-name}",
  // A new stream replaces nothing and has no viewers: the notified address has to be reviewed.
  when: "sending",
  target: ({ body }) => String(memberAt(body, ["stream-name"])),
  undo: { by: "Delete the stream with live_stream_delete. Its id is in live_streams_list." },
};

/** No source says whether a PUT merges, so what it leaves out is shown as removed. */
const streamChange = guardsOf(
  "stream",
  (args, present) => `the settings of stream ${streamName(args, present)}`,
  streamName,
)("REPLACE", {
  kind: "overwrite",
  replaces: "body",
  undo: "rewrite",
  network: "PRODUCTION",
  results: (args, present) => {
    const name = changed(args, present, ["stream-name"]);
    return [name && `it is called ${orNone(name.to)}`, "it is live immediately"];
  },
  warns: (args, present) => {
    const addresses = ["primary", "backup"].map((which) => {
      const change = changed(args, present, ["encoder-settings", `${which}-encoder-ip`]);
      const address = `The ${which} encoder's address`;
      if (change?.to === undefined)
        return change && `${address} ${orNone(change.from)} is removed: an encoder there can no longer send.`;
      return `${address} changes from ${orNone(change.from)} to ${plainOrQuoted(change.to)}: one that sends from another address is refused immediately.`;
    });
    const type = changed(args, present, ["stream-type"]);
    const mail = changed(args, present, ["notification-email"]);
    const isPasswordGiven = memberAt(args, ["body", "encoder-settings", "password"]) !== undefined;
    return [
      ...addresses,
      isPasswordGiven
        ? "The encoders' password is replaced: they cannot send until they have the new one."
        : "The encoders' password is left out, and it is not documented whether the present one stays.",
      mail && `Notifications would go to ${orNone(mail.to)} and no longer to ${orNone(mail.from)}.`,
      type && `The type changes from ${quoteValue(type.from)} to ${quoteValue(type.to)}: encoders have to send it.`,
    ];
  },
});

const streamDeletion = guardsOf(
  "stream",
  (args, present) => {
    const known = ["stream-type", "status"].map((name) => memberAt(present, [name]));
    const is = known.filter((one) => typeof one === "string").map(plainOrQuoted);
    return `stream ${streamName(args, present)}${is.length === 0 ? "" : ` (${is.join(", ")})`}`;
  },
  streamName,
)("DELETE", {
  kind: "delete",
  warns: (_given, _present, { events }) =>
    listAt(events, "event")
      .filter(isOnAir)
      .map((one) => `Event ${plainOrQuoted(memberAt(one, ["event-name"]))} is on air now: its viewers lose it.`),
  undo: { never: "A deleted stream cannot be restored, and a new one by live_stream_create has other entry points." },
  results: (_, __, { events }) => {
    const names = listAt(events, "event").map((one) => plainOrQuoted(memberAt(one, ["event-name"])));
    return [
      names.length > 0 && `it has the ${names.length === 1 ? "event" : "events"} ${listInWords(names)}`,
      "encoders can no longer send it and viewers lose it",
    ];
  },
});

export const streamOperations = {
  live_streams_list: op("GET /config-media-live/v1/live/{domain}/stream", {
    does: "Lists the streams of a configuration.",
    ...ofDomain,
    returns: { 200: xml("streams", Streams) },
    rules: ["live-lists"],
    example: { domain: "live.shop.example" },
  }),
  live_stream_create: op("POST /config-media-live/v1/live/{domain}/stream", {
    does: "Creates a stream. It is pending until its entry points are provisioned.",
    path: ofDomain.path,
    body: xml("stream", NewStream),
    // A client of public facts reads the stream from the response; other writes of the document respond with a message.
    returns: { 200: xml("stream", z.union([Message, Stream])), 201: xml("stream", z.union([Message, Stream])) },
    effect: "create",
    guard: streamCreation,
    shownBy: "live_streams_list",
    rules: ["live-order", "live-provisioned"],
    means: { 400: "The stream was refused: live_ingest_formats_list shows the types.", ...ofDomain.means },
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
    ...ofStream,
    returns: { 200: xml("stream", Stream) },
    awaits: {
      state: ({ body }) => String(memberAt(body, "status")),
      isReady: ({ body }) => memberAt(body, "status") === "Provisioned",
    },
    rules: ["live-text", "live-provisioned"],
    example: { domain: "live.shop.example", streamId: "201044" },
  }),
  live_stream_update: op("PUT /config-media-live/v1/live/{domain}/stream/{streamId}", {
    does: "Replaces the settings of a stream, immediately.",
    needs: "Change the response of live_stream_get.",
    ...ofStream,
    body: xml("stream", StreamChange),
    returns: { 200: messageMedium, 204: empty },
    effect: "update",
    // It is live immediately: another encoder address or password stops the stream, and another recipient gets its
    // mail.
    guard: streamChange,
    shownBy: "live_stream_get",
    rules: ["live-order"],
    note: "It is not documented whether omitted settings are removed. They are shown as removed; the emulator keeps only the password.",
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
    ...ofStream,
    returns: { 200: messageMedium, 204: empty },
    guard: streamDeletion,
    shownBy: "live_stream_get",
    // Its events, whose recordings may be deleted with it.
    relatedReads: { events: { by: "live_events_list", args: pickArguments("domain", "streamId"), isBound: true } },
    example: { domain: "live.shop.example", streamId: "201045" },
  }),
};
