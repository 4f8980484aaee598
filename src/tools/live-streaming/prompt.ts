/** A prompt that guides the watch over a live stream: what is on the air, and whether its viewers are well. */
import type { Prompt } from "../../language/reading.js";
import { Domains } from "./shapes.js";

const Hostnames = Domains.transform(({ domain }) =>
  domain.map(({ "configuration-details": details }) => details.hostname),
).catch([]);

export const watchStream: Prompt = {
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
