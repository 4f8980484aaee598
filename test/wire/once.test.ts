/** Whatever fails, an operation that is not a read puts exactly one request on the wire. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AnyOperation } from "../../src/language/define.js";
import { isRead } from "../../src/language/effect.js";
import { Failure } from "../../src/language/failure.js";
import { SendFailure, type SendFailureReason, type WireResponse } from "../../src/language/wire.js";
import { resolvedExample } from "../../src/pages/example.js";
import { allServices } from "../../src/tools/index.js";
import { holdsForEach } from "../lab/laws.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { promise } from "../lab/rules.js";
import { passing } from "../lab/time.js";
import { callOver, responseOf } from "./exchange.js";

const operations = (await allServices()).flatMap(({ operations: own }) => Object.entries<AnyOperation>(own));

async function* breaking(reason: SendFailureReason): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode("{");
  throw new SendFailure(reason, true);
}

const reasons: Readonly<Record<SendFailureReason, boolean>> = {
  ...{ connect: false, name: false, proxy: false, tls: false },
  ...{ first_byte: true, idle: true, overdue: true, reset: true, aborted: true },
};
const refusals = [400, 401, 403, 404, 405, 409, 410, 412, 422, 425, 428, 429, 507];
const others = [102, 299, 300, 301, 302, 303, 304, 307, 308, 406, 408, 418, 499, 500, 502, 503, 504, 520, 599];

/** What happens to a request of an operation that succeeds with a status, and whether the outcome of a change is unknown. */
type Fault = readonly [name: string, isUnknown: boolean, happen: (success: number) => WireResponse];
const headers = { location: "/elsewhere", "retry-after": "0" };
const told = (status: number): Fault => [
  String(status),
  others.includes(status),
  () => responseOf({ status, headers }),
];
const failing = ([reason, isSent]: [string, boolean]): Fault => {
  const happen = () => {
    throw new SendFailure(reason as SendFailureReason, isSent);
  };
  return [reason, isSent, happen];
};
const faults: readonly Fault[] = [
  ...[...refusals, ...others].map(told),
  ...Object.entries(reasons).map(failing),
  ...(["reset", "idle", "overdue"] as const).map((reason): Fault => {
    return [`${reason} inside the answer`, true, (status) => ({ ...responseOf({ status }), body: breaking(reason) })];
  }),
  ["an answer that is too long", true, (status) => responseOf({ status, body: `"${"x".repeat(2_000)}"` })],
  [
    "a page of a proxy",
    true,
    (status) => responseOf({ status, headers: { "content-type": "text/html" }, body: "<html>" }),
  ],
  ["an answer that is damaged", false, (status) => responseOf({ status, headers: { "content-type": "" }, body: "{" })],
];

/** How many requests leave for an example under a fault, and how the call ends. */
async function under(operation: AnyOperation, [, , happen]: Fault) {
  const [success = "200"] = Object.keys(operation.spec.returns);
  const send = vi.fn(async () => happen(Number(success)));
  const args = resolvedExample(operation.spec.example, Date.now()) as Record<string, unknown>;
  const ended = callOver(send, operation, args, { maxResponseBytes: 1_000 }).then(
    () => "answered",
    (error: unknown) => (error instanceof Failure ? error.code : error),
  );
  const end = await passing(ended, 100);
  return { count: send.mock.calls.length, end };
}

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 4, 20) }));
afterEach(() => void vi.useRealTimers());

it(promise("change-sent-once", "a change is sent once whatever fails, and reports unknown outcomes"), () => {
  // Whether a request is repeated is decided by the effect, and what an answer means by its media.
  const ofSending = /^(method|effect|request|answer|errors)/;
  const changes = sampled(
    operations.filter(([, operation]) => !isRead(operation)),
    ([, operation]) => mechanismsOf(operation).filter((word) => ofSending.test(word)),
  );
  expect(changes.length).toBeGreaterThan(5);
  return holdsForEach(changes, async (_, change) => {
    for (const fault of faults) {
      const [name, isUnknown] = fault;
      const { count, end } = await under(change, fault);
      expect([name, count, end === "outcome_unknown"]).toEqual([name, 1, isUnknown]);
    }
  });
});
