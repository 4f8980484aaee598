/** Live streaming (document C): configurations with versions, their streams and events, in XML. */
import { introduction, type Prompt } from "../../language/reading.js";
import { service } from "../../language/service.js";
import { domainOperations } from "./domains.js";
import { eventOperations } from "./events.js";
import { Domains } from "./shapes.js";
import { streamOperations } from "./streams.js";
import { utilityOperations } from "./utilities.js";
import { versionOperations } from "./versions.js";

const Hostnames = Domains.transform(({ domain }) =>
  domain.map(({ "configuration-details": details }) => details.hostname),
).catch([]);

const watchStream: Prompt = {
  name: "stream_watch",
  title: "Watch a live stream",
  description:
    "Says of a live streaming configuration which streams there are, what is on the air, and how many viewers each has now compared with before. Changes nothing.",
  arguments: [
    {
      name: "domain",
      description: "The live streaming configuration",
      form: { pattern: "[A-Za-z0-9][\\w-]*(\\.[A-Za-z0-9][\\w-]*)+", takes: "a domain such as live.shop.example" },
      values: { tool: "live_domains_list", of: Hostnames },
    },
    { name: "stream", description: "Name of the stream" },
  ],
  task: ({ domain = "", stream = "" }) => `Watch the live stream ${stream} of ${domain}, and change nothing.`,
  steps: ({ domain = "", stream = "" }) => [
    `Call live_streams_list with domain ${domain} and find the stream-id of ${stream}. Where there is none of that name, name those that there are, and stop.`,
    "Call live_events_list for the stream. Say what is on the air now, and what comes next.",
    "Call media_report_packs_list with family audience-analytics and take the report pack.",
    `Call media_data_get for the pack with the dimensions Time and Stream and the metric Plays, for the last hours. Compare ${stream} with the hours before and with the other streams.`,
    "Call alert_active_firings_list. Say which alerts fire for it.",
    "Report the viewers by hour as a small table, what is on the air, and whether anything is out of the ordinary. The newest hour is not complete: say so. Look again when the person asks.",
  ],
};

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
  prompts: [watchStream],
  // A success whose body has an `error` element is a failure (public facts C, 6).
  envelope: { at: "error", isEmptyOne: true },
  ids: { versionId: "live_domain_get" },
  rules: {
    "live-order": "The elements of a request stand in the order of the document, whatever the order in a call.",
    "live-text": "Values are text: numbers keep their leading zeros.",
    "live-lists": "Repeated elements are lists, also where there is one or none.",
    "live-error": "An `error` element is a failure, whatever the status.",
    "live-hostname": "A configuration is named by its hostname.",
    "live-first-version": "A configuration begins with version 1.",
    "live-next-version": "A new version has the number after the highest.",
    "live-archive-cpcode": "A configuration needs a network-storage CP code that is dedicated to live streaming.",
    "live-cpcode-each": "There can be as many configurations as there are such CP codes.",
    "live-archive-path": "The list of archive locations has a path of its own, under /api.",
    "live-provisioned": "A new stream is Pending, and then Provisioned.",
    "live-event-types": "Streams that are taken in as HLS have no events.",
    "live-event-times": "Times of events are `MM/dd/yyyy hh:mm:ss AM` in UTC, and empty while unset.",
    "live-event-deletion": "delete-time sets when a recording of an event is deleted.",
    "live-activation": "An activation puts a version in the place of the one that is active in its environment.",
  },
  introduction: introduction`Live streaming: changes to a stream are live at once, those of a version after ${"live_version_activate"}.`,
  operations: {
    ...domainOperations,
    ...streamOperations,
    ...eventOperations,
    ...versionOperations,
    ...utilityOperations,
  },
});
