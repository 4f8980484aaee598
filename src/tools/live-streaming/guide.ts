/** The text of the guide to live streaming. */
import type { Guide } from "../../language/guide.js";
import type { liveStreaming as service } from "./index.js";

export const liveStreaming = {
  purpose:
    "Use it to ingest and deliver a live stream. A configuration, named by its hostname, has versions and streams; a version is activated in an environment, and a stream is ingested at entry points as soon as it is provisioned. Broadcasts become events, whose recordings are kept until their `delete-time`.",
  objects: {
    domain: "A live configuration, by its hostname.",
    version: "One state of a configuration; the first exists from the beginning.",
    stream: "What an encoder sends, with the settings for it.",
    event: "A broadcast of a stream, with its recording.",
    activation: "The state of a version in each environment.",
  },
  lives: [
    {
      of: "a stream",
      shown: { by: "live_stream_get", at: "status" },
      moves: [
        { to: "Pending", by: "live_stream_create" },
        { from: "Pending", to: "Provisioned", when: "it can be ingested" },
        { from: "Pending", by: "live_stream_delete" },
        { from: "Provisioned", by: "live_stream_delete" },
      ],
    },
    {
      of: "a version in an environment",
      shown: { by: "live_activation_get", at: "production-deployment-status" },
      moves: [
        { to: "Pending", by: "live_version_activate" },
        { from: "Pending", to: "Activated", when: "it is deployed in the environment" },
        { from: "Activated", to: "Deactivated", when: "another version is active" },
      ],
    },
  ],
} satisfies Guide<typeof service>;
