/** Plans whose approvals are counted: how many wait for a person, and how all others have ended. */
import type { OperatorPlans } from "../guard/index.js";
import type { Meters } from "../telemetry/meters.js";

/** The channel of a decision that names none, such as a refusal by a program. */
const elsewhere = "other";

/** How many expiries are remembered; there are never more open plans. */
const maxNoted = 2_000;

/**
 * The same plans, counted. An approval counts when its plan is redeemed, which happens in a server however it was given,
 * a refusal where it was made, and an expiry in the process that opened the plan.
 */
export function withPlanCounts(plans: OperatorPlans, meters: Meters, now: () => number): OperatorPlans {
  const count = meters.counter("edgewise_approvals_total", "Approvals that were asked for, by how they ended.", [
    "outcome",
    "channel",
  ]);
  const expiries = new Map<string, number>();
  /** Counts the plans that have expired since the last call. */
  const countExpired = async (): Promise<void> => {
    for (const [id, atMs] of expiries) {
      if (atMs > now()) continue;
      expiries.delete(id);
      const record = await plans.find(id).catch(() => undefined);
      if (record?.status === "expired") count("expired", elsewhere);
    }
  };
  meters.gauge("edgewise_approvals_waiting", "Plans that wait for a person.", async () => {
    await countExpired();
    const { count: waiting } = await plans.waitingForPerson(0);
    return waiting;
  });
  /** Counts a refusal, which can be repeated. */
  const countRefusal = async (
    id: string,
    channel: string | undefined,
    refuse: () => Promise<boolean>,
  ): Promise<boolean> => {
    const was = await plans.find(id);
    const isRefused = await refuse();
    if (isRefused && was?.status !== "refused") count("refused", channel ?? elsewhere);
    return isRefused;
  };
  return {
    ...plans,
    async open(...parameters) {
      const plan = await plans.open(...parameters);
      await countExpired();
      if (expiries.size < maxNoted) expiries.set(plan.id, plan.expiresAtMs);
      return plan;
    },
    async redeemable(id, ...parameters) {
      const { plan, redeem } = await plans.redeemable(id, ...parameters);
      return {
        plan,
        async redeem(transaction) {
          const approvals = await redeem(transaction);
          expiries.delete(id);
          count("approved", approvals.at(-1)?.channel ?? elsewhere);
          return approvals;
        },
      };
    },
    refuse: (id, channel, ...parameters) => countRefusal(id, channel, () => plans.refuse(id, channel, ...parameters)),
    refuseOwn: (id, whose, channel, ...parameters) =>
      countRefusal(id, channel, () => plans.refuseOwn(id, whose, channel, ...parameters)),
  };
}
