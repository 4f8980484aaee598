/** Lists changes of the account over time, from every API that reports them, and names those that do not. */
import { workflow } from "../calls/workflow.js";
import { z } from "../language/z.js";
import { isoText, readInstant } from "../time/instant.js";
import { type ChangeSources, type ReportedChange, sourcesOfDocuments, sourcesOfToday } from "./change-sources.js";
import { incompleteNotes, startSteps, stepsInBrief } from "./steps.js";
import { pastPeriod, spanOf, spanText } from "./two-periods.js";

const reachesNow = /^(?:today|this_month|last_\d+[hd])$/;
const defaultPeriod = "last_30d";
const maxShown = 15;

/** A change with its time as an instant; a change without a readable time is left out. */
const changesAtInstants = (kind: string, { when, ...change }: ReportedChange) => {
  const atMs = when === null || when === undefined ? Number.NaN : readInstant(when);
  return Number.isNaN(atMs) ? [] : [{ kind, atMs, ...change }];
};

const timelineOf = (
  { sources, neverReported }: ChangeSources,
  read: { readonly others: string; readonly zones: string },
) =>
  workflow({
    title: "Timeline of changes",
    does: "Lists what was changed when and by whom: activations, deployments, policies, alerts, events, credentials, zones.",
    input: z.strictObject({
      ...pastPeriod(defaultPeriod),
      openIdentityId: z.string().min(1).optional(),
      zones: z.array(z.string().min(1)).optional(),
    }),
    steps: [
      "Read the activations of the properties of all groups.",
      `Read the policies, load balancers, ${read.others}alert definitions and planned events.`,
      `Read the credentials of the API client, and ${read.zones} of the zones, if they are named.`,
      "Sort the changes in the period, newest first; report what could not be read and what is not covered.",
    ],
    example: { period: "last_7d" },

    async run({ openIdentityId, zones, ...periodInput }, context) {
      const nowMs = Date.now();
      const span = spanOf("change_timeline", periodInput, defaultPeriod, nowMs);
      // A relative period ends with the last full hour, but the changes since then matter most.
      const { period: named = periodInput.end === undefined ? defaultPeriod : "" } = periodInput;
      const period = { ...span, end: reachesNow.test(named) ? nowMs + 1 : span.end };
      const steps = startSteps(context);
      const sourceResults = await Promise.all(
        Object.entries(sources).map(async ([kind, source]) => ({
          kind,
          ...(await source(steps, { openIdentityId, zones })),
        })),
      );
      const all = sourceResults
        .flatMap(({ kind, changes }) => changes.flatMap((change) => changesAtInstants(kind, change)))
        .filter(({ atMs }) => atMs >= period.start && atMs < period.end)
        .sort((a, b) => b.atMs - a.atMs || a.what.localeCompare(b.what));
      const counts: Record<string, number> = {};
      for (const { kind } of all) counts[kind] = (counts[kind] ?? 0) + 1;
      const findings = [`${all.length} ${all.length === 1 ? "change is" : "changes are"} known of this period.`];
      if (all.length > maxShown)
        findings.push(`The ${maxShown} newest are shown; a period that ends earlier shows the others.`);
      findings.push(...incompleteNotes(steps, "changes may be missing"));
      return {
        period: spanText({ ...period, end: Math.min(period.end, nowMs) }),
        findings,
        counts,
        changes: all.slice(0, maxShown).map(({ atMs, who, what, readMore }) => ({
          when: isoText(atMs),
          who: who ?? "not covered",
          what,
          readMore,
        })),
        notCovered: [...sourceResults.flatMap(({ notCovered = [] }) => notCovered), neverReported],
        steps: stepsInBrief(steps),
      };
    },
  });

export const changeTimeline = timelineOf(sourcesOfDocuments, {
  others: "threat protection deployments, ",
  zones: "the serials",
});
/** The same with today's APIs. */
export const changeTimelineToday = timelineOf(sourcesOfToday, { others: "", zones: "the last changes" });
