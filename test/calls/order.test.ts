/** A change to an ordered list tells how the list stood before and stands after it, and is never lost to that telling. */
import { expect, it } from "vitest";
import { SendFailure } from "../../src/language/wire.js";
import { caller, start, type Upstream } from "../lab/made-up.js";
import { answerOf } from "../lab/outcome.js";

const part = (label: string | null, number = 0) => ({ part: `p${number}`, label });

/** An upstream whose thing has parts, to which a creation adds one at a place. */
function thingWith(parts: readonly unknown[], place: number, added: unknown = part("new")) {
  let now = parts;
  const upstream: Upstream = ({ method }) => {
    if (method === "GET") return { body: { id: 1, name: "n", version: 1, parts: now } };
    now = now.toSpliced(place, 0, added);
    return { status: 201, body: {} };
  };
  return upstream;
}
async function notesOf(upstream: Upstream) {
  const { calls, sent } = start(upstream);
  const { notes } = answerOf(await calls.call("thing_part_create", { id: 1 }, caller));
  return { notes, sent };
}

it("list orders quote the first member that names each item", async () => {
  const { notes, sent } = await notesOf(thingWith([part("a"), part(null, 2), {}], 1));
  expect(notes).toEqual([
    'Order of parts before: 0 "a", 1 "p2", 2 (without a name).',
    'Order of parts after: 0 "a", 1 "new", 2 "p2", 3 (without a name).',
  ]);
  expect(sent).toEqual(["GET /things/1", "POST /things/1/parts", "GET /things/1"]);
});

it("shows of a long list the part around the change, and counts the rest", async () => {
  const parts = Array.from({ length: 40 }, (_, at) => part(`n${at}`));
  const { notes } = await notesOf(thingWith(parts, 20));
  expect(notes[1]).toMatch(/after: \(16 before\), 16 "n16", .* 20 "new", 21 "n20", .*27 "n26", \(13 after\)\.$/);
  expect(notes[0]).not.toContain("new");
  expect((await notesOf(thingWith(parts, 40))).notes[1]).toMatch(/\(36 before\), 36 "n36", .*, 40 "new"\.$/);
});

it("shows an empty list as none", async () => {
  expect((await notesOf(thingWith([], 0))).notes).toEqual([
    "Order of parts before: none.",
    'Order of parts after: 0 "new".',
  ]);
});

it.each<[string, Upstream]>([
  ["is refused", ({ method }) => (method === "GET" ? { status: 404 } : { status: 201 })],
  ["breaks off", ({ method }) => (method === "GET" ? new SendFailure("idle", true) : { status: 201 })],
  ["shows no list", ({ method }) => (method === "GET" ? { body: { id: 1, name: "n", version: 1 } } : { status: 201 })],
])("the change is made and its order unknown when the read %s", async (_, upstream) => {
  const { notes, sent } = await notesOf(upstream);
  expect(notes).toContain("The order of parts could not be read.");
  expect(sent.filter((line) => line.startsWith("POST"))).toEqual(["POST /things/1/parts"]);
});

it("fails as the change fails, without reading again", async () => {
  const { calls, sent } = start(({ method }) => (method === "GET" ? { body: { parts: [] } } : { status: 400 }));
  expect((await calls.call("thing_part_create", { id: 1 }, caller)).kind).toBe("failure");
  expect(sent).toEqual(["GET /things/1", "POST /things/1/parts"]);
});
