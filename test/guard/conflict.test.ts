/** The explanation of a refused change says only what the present state shows, and stays short. */
import { expect, it } from "vitest";
import type { Lock } from "../../src/api/conduct.js";
import { Failure } from "../../src/api/failure.js";
import { explainConflict } from "../../src/guard/index.js";
import { dns } from "../../src/tools/dns.js";
import { events } from "../../src/tools/events.js";

const conflict = new Failure("conflict", "event_update was refused.", { next: "Read it again.", status: 409 });
const update = events.operations.event_update.spec.lock;
const write = dns.operations.dns_zone_write.spec.lock;

function explained(refusal: Failure, lock: Lock | undefined, body: unknown, present: unknown): Failure {
  if (!lock) throw new Error("no lock is declared");
  return explainConflict(refusal, lock, { body }, { status: 200, body: present, headers: {} });
}

it.each([undefined, null, [], "a page", {}, { version: null }])(
  "says nothing of a state that was not read: %j",
  (present) => {
    expect(explained(conflict, update, { name: "n", version: 12 }, present)).toBe(conflict);
  },
);

it("blames nobody when the stamp is the one that was sent", () => {
  expect(explained(conflict, update, { name: "n", version: 12 }, { name: "m", version: 12 })).toBe(conflict);
});

it("tells what differs beside the stamp, from what is there to what was sent", () => {
  const { detail } = explained(conflict, update, { name: "n", version: 12 }, { name: "m", version: 13, more: 1 });
  expect(detail.changed).toEqual([{ at: "name", from: "m", to: "n" }]);
  expect(detail.why).toMatch(/^body\.version is 13 now, and 12 was sent: .* from the present state in name\.$/);
});

it("names some of very many differences", () => {
  const zone = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`record-${index}`, index]));
  const { detail } = explained(conflict, write, { token: "a", zone: {} }, { token: "b", zone });
  expect(detail.why?.length).toBeLessThan(1_000);
  expect(detail.why).toContain("zone.record-0, ");
  expect(detail.why).toMatch(/ and \d+ more\.$/);
});
