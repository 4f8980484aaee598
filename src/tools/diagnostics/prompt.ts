/** A prompt for finding the cause of an outage, from its symptoms to recent changes. */
import type { Prompt } from "../../language/reading.js";

/** The prompt, whose last check of the URL depends on the diagnostics that are offered. */
const investigation = (check: (url: string) => string): Prompt => ({
  name: "outage_investigate",
  title: "Investigate an outage",
  description:
    "Finds out why a URL fails: observations from edge locations, active alerts, recent changes, and how the CDN handled the request. Changes nothing.",
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
    `Call diagnosis_run with url ${url}. Its findings show whether DNS, the edge or the origin fails, and from where. A failed step is a gap to report, not a finding.`,
    "Call alert_active_firings_list. Report which alerts are firing and since when.",
    `Call change_timeline with period ${since}. Look for changes shortly before the failures began; a change close in time is a suspect and not yet the cause.`,
    check(url),
    "Report the cause as far as the evidence goes: each finding with the call that shows it, evidence against it, and what was not examined.",
    "Propose the smallest remedy, and do not carry it out: a purge, an activation or a DNS change is a separate task with separate approvals.",
  ],
});

export const investigateOutage = investigation(
  (url) => `Call diag_url_debug_get with url ${url} for the edge's handling of one request.`,
);

/** The same with today's diagnostics, which launch the check of one request. */
export const investigateOutageToday = investigation(
  (url) =>
    `Call edgediag_url_health_launch with body.url ${url}, body.viewsAllowed LOGS and wait true for the edge's handling of one request.`,
);
