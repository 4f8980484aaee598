/** Rate limits: counts requests per minute, and reports the remaining number in every answer of a limited service. */
import type { World } from "./world.js";

interface Allowance {
  readonly headers: Readonly<Record<string, string>>;
  /** Whether this request exceeds the limit. */
  readonly isExceeded: boolean;
}

const minuteOf = (ms: number): number => Math.floor(ms / 60_000);

/** Creates the function that counts a request against its service's limit per minute. */
export function createLimiter(world: World, wallNow: () => number): (service: string, limit?: number) => Allowance {
  return (service, limit) => {
    if (limit === undefined) return { headers: {}, isExceeded: false };
    // When the world's clock is frozen, only the real clock reaches the next minute.
    const minute = `${minuteOf(world.now())} ${minuteOf(wallNow())}`;
    const state = world.state(`requests to ${service}`, () => ({ minute, count: 0 }));
    if (state.minute !== minute) Object.assign(state, { minute, count: 0 });
    state.count += 1;
    const left = Math.max(0, limit - state.count);
    return {
      headers: { "x-ratelimit-limit": String(limit), "x-ratelimit-remaining": String(left) },
      isExceeded: state.count > limit,
    };
  };
}
