/** A prompt that guides the search for the cause of an outage, from what visitors see to what was changed. */
import type { Prompt } from "../../language/reading.js";

export const investigateOutage: Prompt = {
  name: "outage_investigate",
  title: "Investigate an outage",
  description:
    "Finds out why a URL fails: what edge locations see, which alerts fire, what was changed shortly before, and how the CDN handled the request. Changes nothing.",
  arguments: [
    {
      name: "url",
      description: "The URL that fails",
      form: { pattern: "https?://[^\\s/]+\\S*", takes: "a URL that begins with http:// or https://" },
    },
    {
      name: "since",
      description: "How far back to look for changes",
      choices: ["last_24h", "last_3d", "last_7d", "last_30d"],
    },
  ],
  task: ({ url = "" }) => `Find out why this URL fails, and change nothing: ${url}`,
  steps: ({ url = "", since = "" }) => [
    `Call diagnosis_run with url ${url}. Its findings say whether DNS, the edge or the origin fails, and from where. A step that failed is a gap to name and no finding.`,
    "Call alert_active_firings_list. Say which alerts fire and since when.",
    `Call change_timeline with period ${since}. Look for what was changed shortly before the failures began; a change near in time is a suspect and not yet the cause.`,
    `Call diag_url_debug_get with url ${url} for what the edge did with one request.`,
    "Report the cause as far as the evidence goes: each finding with the call that shows it, what speaks against it, and what was not looked at.",
    "Propose the smallest remedy, and do not carry it out: a purge, an activation or a DNS change is another task with approvals of its own.",
  ],
};
