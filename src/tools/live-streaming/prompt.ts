/** A prompt for watching a live stream: what is on air, and its audience. */
import type { Prompt } from "../../language/reading.js";
import { Domains } from "./shapes.js";

const Hostnames = Domains.transform(({ domain }) =>
  domain.map(({ "configuration-details": details }) => details.hostname),
).catch([]);

export const watchStream: Prompt = {
  name: "stream_watch",
  title: "Watch a live stream",
  description:
    "Reports for a live-streaming configuration its streams, what is on air, and how many viewers each has now compared with before. Changes nothing.",
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
    `Call live_streams_list with domain ${domain} and find the stream-id of ${stream}. If there is none of that name, list the existing ones, and stop.`,
    "Call live_events_list for the stream. Report what is on air now, and what comes next.",
    "Call media_report_packs_list with family audience-analytics and take the report pack.",
    `Call media_data_get for the pack with the dimensions Time and Stream and the metric Plays, for the last hours. Compare ${stream} with the hours before and with the other streams.`,
    "Call alert_active_firings_list. Report which of its alerts are firing.",
    "Report the viewers by hour as a small table, what is on air, and anything unusual. The newest hour is not complete: say so. Check again when the user asks.",
  ],
};
