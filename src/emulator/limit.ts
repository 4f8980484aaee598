/** Rate limits: requests are counted by the minute, and every answer of a limited service tells how many are left. */
import type { World } from "./world.js";

interface Allowance {
  readonly headers: Readonly<Record<string, string>>;
  /** Whether this request is one too many. */
  readonly isExceeded: boolean;
}

const minuteOf = (ms: number): number => Math.floor(ms / 60_000);

/** Makes the function that counts a request of a service that has a limit a minute. */
export function createLimiter(world: World, wallNow: () => number): (service: string, limit?: number) => Allowance {
  return (service, limit) => {
    if (limit === undefined) return { headers: {}, isExceeded: false };
    // In a world that stands still only the real clock comes to another minute.
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
