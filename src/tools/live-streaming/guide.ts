/** The written part of the guide to live streaming. */
import type { Guide } from "../../language/guide.js";
import type { liveStreaming as service } from "./index.js";

export const liveStreaming = {
  purpose:
    "Use it to take in a live stream and to deliver it. A configuration, named by its hostname, has versions and streams; a version is activated in an environment, and a stream is taken in at entry points as soon as it is provisioned. What is broadcast becomes events, whose recordings are kept until their `delete-time`.",
  objects: {
    domain: "A live configuration, by its hostname.",
    version: "One state of a configuration; the first is there from the beginning.",
    stream: "What an encoder sends, with the settings for it.",
    event: "A broadcast of a stream, with its recording.",
    activation: "Where a version stands in each environment.",
  },
  lives: [
    {
      of: "a stream",
      shown: { by: "live_stream_get", at: "status" },
      moves: [
        { to: "Pending", by: "live_stream_create" },
        { from: "Pending", to: "Provisioned", when: "it can be taken in" },
        { from: "Pending", by: "live_stream_delete" },
        { from: "Provisioned", by: "live_stream_delete" },
      ],
    },
    {
      of: "a version in an environment",
      shown: { by: "live_activation_get", at: "production-deployment-status" },
      moves: [
        { to: "Pending", by: "live_version_activate" },
        { from: "Pending", to: "Activated", when: "the environment has it" },
        { from: "Activated", to: "Deactivated", when: "another version is active" },
      ],
    },
  ],
} satisfies Guide<typeof service>;
