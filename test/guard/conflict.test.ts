/** The explanation of a refused change says only what the present state shows, and stays short. */
import { describe, expect, it } from "vitest";
import { explainConflict } from "../../src/guard/index.js";
import { refuseStale } from "../../src/guard/state.js";
import type { AnyOperation } from "../../src/language/define.js";
import { Failure } from "../../src/language/failure.js";
import { secret } from "../../src/language/marks.js";
import { z } from "../../src/language/z.js";
import { events } from "../../src/tools/events/index.js";
import { failureFrom } from "../lab/outcome.js";
import { writing } from "../lab/previewed.js";

const conflict = new Failure("conflict", "event_update was refused.", { next: "Read it again.", status: 409 });
const update = events.operations.event_update;

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

it.each([undefined, null, [], "a page", {}, { version: null }, { name: "m", version: 12 }])(
  "a state that is unread or has the sent stamp explains no conflict: %j",
  (present) => {
    expect(conflictOf(conflict, update, { name: "n", version: 12 }, present)).toBe(conflict);
  },
);

it("a conflict reports what differs besides the stamp", () => {
  const { detail } = conflictOf(conflict, update, { name: "n", version: 12 }, { name: "m", version: 13, more: 1 });
  expect(detail.changed).toEqual([{ at: "name", from: "m", to: "n" }]);
  expect(detail.why).toMatch(/^body\.version is 13 now, and 12 was sent: .* from the present state in name\.$/);
});

it("a conflict reports that a secret differs, without either value", () => {
  const login = z.strictObject({ name: z.string(), key: secret(z.string()) });
  const Body = z.object({ version: z.int(), logins: z.array(login), key: z.string() });
  const operation = writing(Body, {}, { lock: { field: "body.version", from: "thing_get" } });
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

it.each([
  [12, / in k0, .*k11\.$/],
  [13, / in k0, .*k11 and 1 more\.$/],
])("a conflict names twelve fields and counts the others: of %i", (count, expected) => {
  const zone = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
  expect(conflictOf(conflict, update, { version: 1, ...zone }, { version: 2 }).detail.why).toMatch(expected);
});

it("a conflict says that no stamp was sent, and what it is now", () => {
  const { detail } = conflictOf(conflict, update, { name: "n" }, { name: "m", version: 13 });
  expect(detail.why).toMatch(/^body\.version is 13 now, and none was sent\. The request differs .* in name\.$/);
});

it("a conflict says that nothing else differs, and what to do", () => {
  const [sent, there] = [12, 13].map((version) => ({ name: "n", version }));
  const { code, message, detail } = conflictOf(conflict, update, sent, there);
  expect([code, message, detail.status, detail.changed]).toEqual(["conflict", conflict.message, 409, []]);
  expect(detail.why).toMatch(/^body\.version is 13 now, and 12 was sent: .* The rest of the request matches /);
  expect(detail.next).toMatch(/^Read it again with event_get, .* with the new stamp\.$/);
});

describe("a call whose stamp", () => {
  const locked = (from: string) =>
    writing(
      z.object({ name: z.string() }),
      {},
      {
        query: { stamp: z.string().optional() },
        lock: { field: "stamp", from, at: "body.etag" },
      },
    );
  const check = (stamp: string | undefined, etag: unknown, operation = locked("thing_get")) =>
    refuseStale("x_update", operation, { stamp, body: { name: "n" } }, { body: { etag, name: "m" }, schemas: [] });

  it.each<[string, string | undefined, unknown]>([
    ["is the present one", "a", "a"],
    ["is the present one in quotes", '"abc"', "abc"],
    ["is the present one as a weak tag", "a", 'W/"a"'],
    ["matches any", "*", "a"],
    ["was left out", undefined, "a"],
    ["cannot be seen in the state", "a", undefined],
    ["is null in the state", "a", null],
  ])("%s goes on", (_, stamp, etag) => {
    expect(() => check(stamp, etag)).not.toThrow();
  });

  it("comes from another read than the one that shows the state goes on", () => {
    expect(() => check("a", "b", locked("thing_stamp_get"))).not.toThrow();
    const { lock: _, ...spec } = locked("thing_get").spec;
    expect(() => check("a", "b", { ...locked("thing_get"), spec } as AnyOperation)).not.toThrow();
  });

  it.each([
    ["a", "b"],
    ['a"', '"a"'],
    ['x"a"', "xa"],
    ['"a"x', "ax"],
  ])("is %j is refused before its approval if %j is the present one", async (stamp, etag) => {
    expect(await failureFrom(() => check(stamp, etag))).toMatchObject({
      code: "conflict",
      message: "x_update was not sent, because stamp is not the current stamp.",
      detail: { next: expect.stringContaining("thing_get"), changed: [{ at: "name", from: "m", to: "n" }] },
    });
  });
});
