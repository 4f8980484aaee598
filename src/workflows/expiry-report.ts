/** Lists what ends soon, soonest first, each with what to do about it, and says which ends no API tells. */
import { isoText, readInstant } from "../api/instant.js";
import { z } from "../api/z.js";
import { workflow } from "../calls/workflow.js";
import { briefly } from "./brief-steps.js";
import { sources, withNothingDeployed } from "./expiry-sources.js";
import { startSteps } from "./steps.js";

const dayMs = 86_400_000;
const defaultDays = 60;
const maxShown = 15;

export const expiryReport = workflow({
  title: "What expires soon",
  does: "Lists certificates, credentials, policy rules, log deliveries and passwords that expire soon, with what to do next.",
  input: z.strictObject({
    days: z.int().min(1).max(730).optional().describe(`Default ${defaultDays}`),
    openIdentityId: z.string().min(1).optional().describe("For its credentials"),
  }),
  steps: [
    "Read the certificates on the networks, of the enrollments of all contracts.",
    "Read the credentials of the API client that is named.",
    "Read the rules of the active policy versions, the log deliveries, and the caller's profile.",
    "Sort what ends within the days, soonest first, with what has ended and is still in use.",
  ],
  example: { days: 90 },

  async run({ days = defaultDays, openIdentityId }, context) {
    const nowMs = Date.now();
    const untilMs = nowMs + days * dayMs;
    const steps = startSteps({ ...context, invoke: withNothingDeployed(context.invoke) });
    const told = await Promise.all(sources.map((source) => source(steps, openIdentityId)));
    const soon = told
      .flatMap(({ endings }) => endings)
      .flatMap(({ ends, ...one }) =>
        ends === null || ends === undefined ? [] : [{ endsMs: readInstant(ends), ...one }],
      )
      .filter(({ endsMs, isInUse }) => endsMs <= untilMs && (isInUse || endsMs >= nowMs))
      .sort((a, b) => a.endsMs - b.endsMs || a.what.localeCompare(b.what));
    const ended = soon.filter(({ endsMs }) => endsMs < nowMs).length;
    const ending = soon.length - ended;
    const findings = [
      `${ending} ${ending === 1 ? "thing ends" : "things end"} within ${days} days; ${ended} ${ended === 1 ? "has" : "have"} already ended.`,
    ];
    if (soon.length > maxShown) findings.push(`The ${maxShown} soonest are shown; fewer days show fewer.`);
    if (steps.record.some(({ outcome }) => outcome === "failed"))
      findings.push("A step failed, so something may be missing; steps says which.");
    return {
      until: isoText(untilMs),
      findings,
      expires: soon.slice(0, maxShown).map(({ endsMs, isInUse: _, ...one }) => ({
        ends: isoText(endsMs),
        daysLeft: Math.floor((endsMs - nowMs) / dayMs),
        ...one,
      })),
      untold: told.flatMap(({ untold = [] }) => untold),
      steps: briefly(steps),
    };
  },
});
