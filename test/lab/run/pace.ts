/** How slow this machine is at present, so that time limits catch what hangs and nothing else. */
import { createHash } from "node:crypto";

/** The milliseconds that the work below takes on a quiet core of the usual machine. */
const usualMs = 60;
const slowest = 10;

function workMs(): number {
  const begun = performance.now();
  const text = JSON.stringify(Array.from({ length: 100_000 }, (_, at) => ({ at, name: `name ${at}` })));
  createHash("sha256")
    .update(JSON.stringify(JSON.parse(text)))
    .digest();
  return performance.now() - begun;
}

/** The factor for time limits: 1 on a quiet machine, at most 10. The slowest of three tries counts. */
export const pace = Math.min(slowest, Math.max(1, ...[workMs(), workMs(), workMs()].map((ms) => ms / usualMs)));
