import type { startRaw } from "../lab/raw.js";

/** With the header in which calls of properties of today say whether ids have prefixes. */
export function asToday(raw: ReturnType<typeof startRaw>): ReturnType<typeof startRaw> {
  const ask: typeof raw.ask = ({ headers, ...request }) =>
    raw.ask({ ...request, headers: { ...headers, "papi-use-prefixes": "true" } });
  const headers = { "content-type": "application/json" };
  const send: typeof raw.send = (method, target, value) =>
    ask({ method, target, headers, body: JSON.stringify(value) });
  return { ...raw, ask, send, get: (target) => ask({ target }) };
}
