/** Plans that are checked and redeemed at once, as by a call that nothing comes between. */
import {
  type ApprovalRecord,
  type ApprovalRoute,
  type GuardedCall,
  type Plans,
  prepareRedemption,
} from "../../src/guard/index.js";

/** Checks that a plan is valid for a call, and redeems it. */
export async function redeemed(
  plans: Plans,
  ...checked: Parameters<Plans["redeemable"]>
): Promise<readonly ApprovalRecord[]> {
  const { redeem } = await plans.redeemable(...checked);
  return redeem();
}

/** The same for a guarded call, whose state is read again. */
export async function redeemedFor(
  plans: Plans,
  id: string,
  call: GuardedCall,
  through: ApprovalRoute,
): Promise<readonly ApprovalRecord[]> {
  const { redeem } = await prepareRedemption(plans, id, call, through);
  return redeem();
}
