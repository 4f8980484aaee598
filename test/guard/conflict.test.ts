/** The explanation of a refused change says only what the present state shows, and stays short. */
import { expect, it } from "vitest";
import { type AnyOperation, json, op } from "../../src/api/define.js";
import { Failure } from "../../src/api/failure.js";
import { secret } from "../../src/api/secret.js";
import { z } from "../../src/api/z.js";
import { explainConflict } from "../../src/guard/index.js";
import { dns } from "../../src/tools/dns/index.js";
import { events } from "../../src/tools/events.js";

const conflict = new Failure("conflict", "event_update was refused.", { next: "Read it again.", status: 409 });
const update = events.operations.event_update;
const write = dns.operations.dns_zone_write;

function conflictOf(
  refusal: Failure,
  operation: AnyOperation,
  body: unknown,
  present: unknown,
  schemas: readonly z.ZodType[] = [],
): Failure {
  const { lock } = operation.spec;
  if (!lock) throw new Error("no lock is declared");
  return explainConflict(refusal, operation, lock, { body }, { body: present, schemas });
}

it.each([undefined, null, [], "a page", {}, { version: null }])(
  "says nothing of a state that was not read: %j",
  (present) => {
    expect(conflictOf(conflict, update, { name: "n", version: 12 }, present)).toBe(conflict);
  },
);

it("reports no conflicting change when the stamp is the one that was sent", () => {
  expect(conflictOf(conflict, update, { name: "n", version: 12 }, { name: "m", version: 12 })).toBe(conflict);
});

it("reports what differs besides the stamp, from the current state to what was sent", () => {
  const { detail } = conflictOf(conflict, update, { name: "n", version: 12 }, { name: "m", version: 13, more: 1 });
  expect(detail.changed).toEqual([{ at: "name", from: "m", to: "n" }]);
  expect(detail.why).toMatch(/^body\.version is 13 now, and 12 was sent: .* from the present state in name\.$/);
});

it("names some of very many differences", () => {
  const zone = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`record-${index}`, index]));
  const { detail } = conflictOf(conflict, write, { token: "a", zone: {} }, { token: "b", zone });
  expect(detail.why?.length).toBeLessThan(1_000);
  expect(detail.why).toContain("zone.record-0, ");
  expect(detail.why).toMatch(/ and \d+ more\.$/);
});

it("reports that a secret differs, without its old or new value", () => {
  const login = z.strictObject({ name: z.string(), key: secret(z.string()) });
  const operation = op("PUT /x", {
    does: "Writes.",
    effect: "update",
    shownBy: "x_get",
    body: json({ version: z.int(), logins: z.array(login), key: z.string() }),
    returns: { 204: json(z.unknown()) },
    lock: { field: "body.version", from: "x_get" },
    example: {},
  });
  const sent = { version: 1, key: "the-first-key", logins: [{ name: "n", key: "hunter2-1" }] };
  const there = { version: 2, key: "the-other-key", logins: [{ name: "n", key: "hunter2-2" }] };
  // The stored key is secret by the answer's schema alone, and the one in the list by the request's.
  const { message, detail } = conflictOf(conflict, operation, sent, there, [
    z.looseObject({ key: secret(z.string()) }),
  ]);
  const mask = "[secret, 9 characters]";
  expect(detail.changed).toEqual([
    { at: "key", from: "[secret, 13 characters]", to: "[secret, 13 characters]" },
    {
      at: "logins",
      addedCount: 1,
      removedCount: 1,
      added: [{ name: "n", key: mask }],
      removed: [{ name: "n", key: mask }],
    },
  ]);
  expect(JSON.stringify([message, detail])).not.toMatch(/hunter2|the-(first|other)-key/);
});
