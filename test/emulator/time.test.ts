/**
 * Laws of time over all operations: no time of a past event lies ahead of the clock, and what is created is created now.
 */
import { expect, it, onTestFinished, vi } from "vitest";
import { readerOf } from "../../src/language/effect.js";
import { memberAt } from "../../src/language/member.js";
import { holdsForEach } from "../lab/laws.js";
import { startRaw } from "../lab/raw.js";
import { type Answered, begin, exampleOf, isRead, operationOf, operations } from "./examples.js";
import { treeOf } from "./xml.js";

const tools = [...operations.keys()];
const reads = tools.filter((tool) => isRead(operationOf(tool)));

/** Members that may lie ahead: a planned period, an expiry, a planned deletion, and when to ask again. */
const isAhead = (member: string): boolean =>
  /^((start|end)(Date)?|expiry|expiryTime|expiresOn|expirationDate|maxAllowedExpiry|passwordExpiryDate|suggestedRetryTime|delete-time)$/.test(
    member,
  );

/** The instants in a text, in milliseconds since 1970. */
function* instantsIn(text: string): Generator<number> {
  for (const [found] of text.matchAll(/\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:?00))?/g))
    yield Date.parse(found);
  for (const [found] of text.matchAll(/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g)) yield Date.parse(found);
  for (const [found] of text.matchAll(/[A-Z][a-z]+ \d{1,2}, \d{4} \d\d:\d\d [AP]M/g)) yield Date.parse(`${found} UTC`);
  for (const [found] of text.matchAll(/\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d [AP]M/g)) yield Date.parse(`${found} UTC`);
  for (const [, seconds] of text.matchAll(/\t(\d{10}\.\d{3})\t/g)) yield Number(seconds) * 1000;
}

/** The instants of an answer with the member that each is in. */
function* instantsOf(value: unknown, member = ""): Generator<readonly [member: string, ms: number]> {
  if (typeof value === "string") for (const ms of instantsIn(value)) yield [member, ms];
  if (typeof value === "number" && /date|time/i.test(member)) yield [member, value < 1e11 ? value * 1000 : value];
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* instantsOf(inner, Array.isArray(value) ? member : name);
}

/** The value of an answer, in JSON or in XML; a zone file is its own text. */
const valueIn = ({ text, headers }: Answered): unknown => {
  if (text === "") return undefined;
  if (headers["content-type"]?.startsWith("text/dns")) return text;
  return text.startsWith("<") ? treeOf(text) : (JSON.parse(text) as unknown);
};

/** Calls each tool's example at an instant, and throws for a past time in its answer that lies ahead. @returns how many times were seen. */
async function timesSeen(some: readonly string[], atMs: number, worldOf: () => ReturnType<typeof begin>) {
  let count = 0;
  await holdsForEach(some, async (tool) => {
    const answer = await worldOf().call(tool, exampleOf(tool, atMs));
    expect(answer.status, answer.text).toBeLessThan(400);
    for (const [member, ms] of instantsOf(valueIn(answer))) {
      count += 1;
      if (!isAhead(member)) expect([member, ms]).toEqual([member, Math.min(ms, atMs)]);
    }
  });
  return count;
}

it.each(["2026-05-20T12:10:00Z", "2026-06-01T00:00:00Z", "2026-12-31T23:59:59Z"])(
  "no read at %s returns a past time that lies ahead",
  async (instant) => {
    const world = begin(Date.parse(instant));
    expect(await timesSeen(reads, Date.parse(instant), () => world)).toBeGreaterThan(100);
  },
);

it("no write returns a past time that lies ahead", async () => {
  const writes = tools.filter((tool) => !reads.includes(tool));
  const endOfYear = Date.UTC(2026, 11, 31, 23, 59, 59);
  expect(await timesSeen(writes, endOfYear, () => begin(endOfYear))).toBeGreaterThan(20);
});

it("reads depend only on clock and seed, not on earlier requests", async () => {
  const [asked, fresh] = [begin(), begin()];
  const answers = async ({ call }: typeof asked, order: readonly string[]) => {
    const texts = new Map<string, string>();
    for (const tool of order) {
      // The purge service numbers its answers.
      texts.set(tool, (await call(tool, exampleOf(tool))).text.replace(/"supportId":"[^"]+"/, ""));
    }
    return texts;
  };
  await answers(asked, reads);
  for (const { world } of [asked, fresh]) world.advance(25 * 3_600_000);
  const again = await answers(asked, reads);
  expect([...(await answers(fresh, reads.toReversed()))].toReversed()).toEqual([...again]);
});

const creating = tools.filter((tool) => operationOf(tool).spec.effect === "create" || tool === "credential_create");
/** A visitor opens a link some seconds after it was made, and only then is it listed. */
const listedAfterMs: Readonly<Record<string, number>> = { diag_user_link_create: 5_000 };
/** What a creation changes besides in the list that shows it: the serial of a zone counts its changes. */
const changedBesides: Readonly<Record<string, RegExp>> = { dns_zone_recordset_create: /"type":"SOA"/ };
/** Creations that no operation of their service shows, nor declares to show. */
const shownByNone: Readonly<Record<string, string>> = {
  bulk_version_create: "the versions are listed with the properties, and its job by an id that only the answer has",
  netlist_subscription_create: "the API does not show who gets mail",
};
/** The first list in an answer, outside in; undefined where there is none. */
function firstList(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const members = typeof value === "object" && value !== null ? Object.values(value) : [];
  return members.find((member) => Array.isArray(member)) ?? members.map(firstList).find((list) => list !== undefined);
}

/** What an operation lists: the list that it is declared to order, the first one, or the one thing that it shows. */
function listIn(value: unknown, ordered: string | undefined): readonly unknown[] {
  if (ordered !== undefined) return memberAt(value, ordered) as readonly unknown[];
  return firstList(value) ?? [value];
}

const shown = creating.filter((tool) => readerOf(operationOf(tool)) !== undefined);

it("only two creations are shown by no operation", () => {
  const unseen = creating.filter((tool) => !shown.includes(tool));
  expect(unseen).toEqual(Object.keys(shownByNone).filter((tool) => operations.has(tool)));
});

/** The arguments of a list that shows what an example creates; a list's own period would leave it out. */
function listArguments(tool: string, lister: string) {
  const { path, query } = operationOf(lister).spec;
  const taken = { ...path, ...query };
  const example = exampleOf(tool);
  const known = Object.entries({ ...example, ...readerOf(operationOf(tool))?.args(example) });
  return Object.fromEntries(known.filter(([key]) => Object.hasOwn(taken, key) && !/^(start|end)$/.test(key)));
}

// One list for each creation, which every service keeps in its own way.
it("what is created is listed once, with now as the time of its creation", () =>
  holdsForEach(shown, async (tool) => {
    const { world, call } = begin();
    const { by: lister = "" } = readerOf(operationOf(tool)) ?? {};
    const list = async () => {
      const answer = await call(lister, listArguments(tool, lister));
      // Before it is created, what is shown by its own address is not there.
      const found = answer.status === 404 ? [] : listIn(valueIn(answer), operationOf(tool).spec.shows?.order?.of);
      return found.map((one) => JSON.stringify(one)).filter((one) => changedBesides[tool]?.test(one) !== true);
    };
    const before = new Set(await list());
    world.advance(60_000);
    expect((await call(tool, exampleOf(tool))).status).toBeLessThan(300);
    world.advance(listedAfterMs[tool] ?? 0);
    const after = await list();
    const added = after.filter((one) => !before.has(one));
    expect([added.length, after.length]).toEqual([1, before.size + 1]);
    for (const [member, ms] of instantsOf(JSON.parse(added[0] ?? "")))
      if (/^(create|edit|modified|timestamp)/.test(member)) expect([member, ms]).toEqual([member, world.now()]);
  }));

it("a time without a zone is read as UTC, wherever the emulator runs", async () => {
  vi.stubEnv("TZ", "America/New_York");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { ask, get } = startRaw();
  const suppressions = "/alerts/v2/alert-definitions/a%40cp_12345_77/suppressions";
  const period = "start=2026-05-18T01:00:00&end=2026-05-18T02:00:00Z";
  expect((await ask({ method: "POST", target: `${suppressions}?${period}` })).status).toBe(201);
  const lines = "/diagnostic-tools/v2/ghost-locations/tokyo-japan/log-lines?endTime=2026-05-20T12:00:00";
  const { status, text } = await get(lines);
  expect([status, text]).toEqual([200, (await get(`${lines}Z`)).text]);
});

it("the clock is set back with everything else", () => {
  const { world } = startRaw();
  const before = world.now();
  world.advance(86_400_000);
  world.reset();
  expect(world.now()).toBe(before);
});
