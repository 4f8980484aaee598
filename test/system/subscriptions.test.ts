/** Subscriptions to what moves in the emulator: an activation, and the change of a certificate. */
import { afterAll, expect, it } from "vitest";
import { type Kind, kinds } from "../lab/session.js";
import { approved, connectListener, ears, type Listener, read } from "./listener.js";

const followers = kinds.filter((kind) => kind.startsWith("v2"));
// One of each kind for both tests, which wait for the API most of the time.
const listeners = new Map<Kind, Promise<Listener>>();
afterAll(async () => {
  await Promise.all([...listeners.values()].map(async (listener) => (await listener).close()));
});
function clientOf(kind: Kind): Promise<Listener> {
  const listener = listeners.get(kind) ?? connectListener(kind, { flags: ["--emulator"] });
  listeners.set(kind, listener);
  return listener;
}

it.concurrent.each(followers)("%s hears of an activation until it is over", async (kind) => {
  const own = await clientOf(kind);
  const body = { network: "staging" };
  const uri = await approved(own, "edgelogic_policy_version_activate", { policyId: 1001, version: 2, body });
  expect(uri).toBe("live://edgelogic_policy_version_activate?policyId=1001&version=2&body.network=staging");
  const { listen, until } = ears(own, kind, uri);
  await listen();
  await until(1);
  const states = (await read(own, uri)) as unknown as {
    policyInfo: { version: number; status: string };
    network: string;
  }[];
  const mine = states.filter(({ network, policyInfo }) => network === "staging" && policyInfo.version === 2);
  expect(mine.map(({ policyInfo }) => policyInfo.status)).toContain("active");
});

it.concurrent.each(followers)("%s hears of a change of a certificate that goes on", async (kind) => {
  const own = await clientOf(kind);
  const uri = "live://cert_change_get?enrollmentId=10003&changeId=20003";
  const { listen, until } = ears(own, kind, uri);
  await listen();
  expect(await read(own, uri)).toMatchObject({ statusInfo: { state: "awaiting-input" } });
  await approved(own, "cert_change_cancel", { enrollmentId: 10003, changeId: 20003 });
  await until(1);
  expect(await read(own, uri)).toMatchObject({ statusInfo: { state: "cancelled" } });
});
