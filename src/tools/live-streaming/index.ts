/** Live streaming (document C): configurations with versions, their streams and events, in XML. */
import { introduction } from "../../language/reading.js";
import { service } from "../../language/service.js";
import { domainOperations } from "./domains.js";
import { eventOperations } from "./events.js";
import { streamOperations } from "./streams.js";
import { utilityOperations } from "./utilities.js";
import { versionOperations } from "./versions.js";

export const liveStreaming = service("live", {
  name: "live-streaming",
  document: "C",
  title: "Live streaming",
  about: "Configures live streaming: configurations with versions, streams, events and their recordings.",
  frontLine: ["live_domains_list"],
  standing: {
    state: "retired",
    since: "2022-05",
    successor: "live-streaming configuration v2 (/config-media-live/v2), in JSON",
  },
  // A success whose body has an `error` element is a failure (public facts C, 6).
  envelope: { at: "error" },
  ids: { versionId: "live_domain_get" },
  rules: {
    "live-order": "The elements of a request are in the order of the document, whatever the order in a call.",
    "live-text": "Values are text: numbers keep their leading zeros.",
    "live-lists": "Repeated elements are lists, even if there is only one or none.",
    "live-error": "An `error` element is a failure, whatever the status.",
    "live-hostname": "A configuration is named by its hostname.",
    "live-first-version": "A configuration begins with version 1.",
    "live-next-version": "A new version has the number after the highest.",
    "live-archive-cpcode": "A configuration needs a network-storage CP code that is dedicated to live streaming.",
    "live-cpcode-each": "The number of configurations is limited by that of such CP codes.",
    "live-archive-path": "The list of archive locations has a separate path, under /api.",
    "live-provisioned": "A new stream is Pending, and then Provisioned.",
    "live-event-types": "Streams that are ingested as HLS have no events.",
    "live-event-times": "Times of events are `MM/dd/yyyy hh:mm:ss AM` in UTC, and empty while unset.",
    "live-event-deletion": "delete-time sets when a recording of an event is deleted.",
    "live-activation": "An activation replaces the version that is active in its environment.",
  },
  introduction: introduction`Live streaming: changes to a stream are live immediately, those of a version after ${"live_version_activate"}.`,
  operations: {
    ...domainOperations,
    ...streamOperations,
    ...eventOperations,
    ...versionOperations,
    ...utilityOperations,
  },
});
