/** Laws of time over all operations: nothing that is told of the past lies ahead of the clock, and what is made is made now. */
import { describe, expect, it } from "vitest";
import { checkArguments } from "../../src/arguments/index.js";
import type { AnyOperation } from "../../src/language/define.js";
import { readerOf } from "../../src/language/effect.js";
import { resolvedExample } from "../../src/language/example.js";
import { memberAt } from "../../src/language/member.js";
import { resolveRequest } from "../../src/wire/request.js";
import { holdsForEach } from "../lab/laws.js";
import { servicesOfProject } from "../lab/project.js";
import { now, type RawAnswer, startRaw } from "../lab/raw.js";
import { filled } from "../lab/secret-files.js";
import { treeOf } from "./xml.js";

const operations = (await servicesOfProject()).flatMap(({ operations: own }) =>
  Object.entries(own).map(([tool, operation]) => [tool, operation as AnyOperation] as const),
);
type Values = Readonly<Record<string, unknown>>;
type Emulated = ReturnType<typeof startRaw>;

/** Calls an operation with its example, at the hour of a clock, and some arguments in place of the example's. */
async function call({ ask }: Emulated, tool: string, operation: AnyOperation, atMs: number, instead?: Values) {
  const checked = checkArguments(tool, operation, instead ?? resolvedExample(operation.spec.example, atMs));
  const args = await filled(operation, checked);
  const request = await resolveRequest(tool, operation, args, { origin: "https://emulator.invalid", vendor: "akamai" });
  const { method, url, headers, body } = request;
  const text = body === undefined ? {} : { body: new TextDecoder().decode(body) };
  return ask({ method, target: url.pathname + url.search, headers, ...text });
}

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
const valueIn = ({ text, headers }: RawAnswer): unknown => {
  if (text === "") return undefined;
  if (headers["content-type"]?.startsWith("text/dns")) return text;
  return text.startsWith("<") ? treeOf(text) : (JSON.parse(text) as unknown);
};

describe.each([
  ["in the middle of a day", now],
  ["at midnight", Date.UTC(2026, 5, 1)],
  ["in the last second of a year", Date.UTC(2026, 11, 31, 23, 59, 59)],
])("%s", (_, atMs) => {
  it("no operation's example returns a past time that lies ahead", async () => {
    const ahead: unknown[] = [];
    let count = 0;
    const reading = startRaw({ frozenAt: atMs });
    for (const [tool, operation] of operations) {
      const isRead = operation.spec.effect === "read" || operation.route.startsWith("GET ");
      const answer = await call(isRead ? reading : startRaw({ frozenAt: atMs }), tool, operation, atMs);
      expect([tool, answer.status < 400, answer.text.slice(0, 200)]).toEqual([tool, true, expect.any(String)]);
      for (const [member, ms] of instantsOf(valueIn(answer))) {
        count += 1;
        if (ms > atMs && !isAhead(member)) ahead.push([tool, member, new Date(ms).toISOString()]);
      }
    }
    expect(ahead).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });
});

it("answers the same for the same clock and seed, whoever asked before and when", async () => {
  const [asked, fresh] = [startRaw(), startRaw()];
  const reads = operations.filter(([, { spec, route }]) => spec.effect === "read" || route.startsWith("GET "));
  const answers = async (raw: Emulated, order: typeof reads) => {
    const texts = new Map<string, string>();
    for (const [tool, operation] of order) {
      const { text } = await call(raw, tool, operation, now);
      // The purge service numbers its answers.
      texts.set(tool, text.replace(/"supportId":"[^"]+"/, ""));
    }
    return texts;
  };
  await answers(asked, reads);
  for (const { world } of [asked, fresh]) world.advance(25 * 3_600_000);
  const again = await answers(asked, reads);
  for (const [tool, text] of await answers(fresh, [...reads].reverse()))
    expect([tool, text]).toEqual([tool, again.get(tool)]);
});

it("finds instants in every form that the API writes", () => {
  const forms = [
    ["2026-05-20T12:10:00Z", now],
    ["2026-05-20T12:10:00.000+0000", now],
    ["Wed, 20 May 2026 12:10:00 GMT", now],
    ["May 20, 2026 12:10 PM", now],
    [`r\t${now / 1000}.000\t192.0.2.10`, now],
    ["2026-05-20", Date.UTC(2026, 4, 20)],
    ["05/20/2026 12:10:00 PM", now],
  ] as const;
  for (const [text, ms] of forms) expect([...instantsOf({ a: [text] })]).toEqual([["a", ms]]);
  expect([...instantsOf({ epochTime: now / 1000, createdDate: now, edgeHits: now })].map(([, ms]) => ms)).toEqual([
    now,
    now,
  ]);
});

const creating = operations.filter(([tool, { spec }]) => spec.effect === "create" || tool === "credential_create");
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

it("knows every operation that creates", () => expect(creating.length).toBeGreaterThanOrEqual(8));

const shown = creating.filter(([, operation]) => readerOf(operation) !== undefined);

it("knows each creation that nothing shows, by its reason", () => {
  const unseen = creating.filter((one) => !shown.includes(one)).map(([tool]) => tool);
  expect(unseen).toEqual(operations.map(([tool]) => tool).filter((tool) => Object.hasOwn(shownByNone, tool)));
});

it("what is created is listed, once, with now as the time of its creation", () =>
  holdsForEach(shown, async (tool, operation) => {
    const raw = startRaw();
    const [name = "", lister] = operations.find(([other]) => other === readerOf(operation)?.by) ?? [];
    if (!lister) throw new Error(`${tool} is shown by nothing`);
    const example = resolvedExample(operation.spec.example, now);
    const taken = { ...lister.spec.path, ...lister.spec.query };
    const own = Object.fromEntries(
      Object.entries({ ...example, ...readerOf(operation)?.args(example) }).filter(
        ([key]) => Object.hasOwn(taken, key) && !/^(start|end)$/.test(key),
      ),
    );
    const list = async () => {
      const answer = await call(raw, name, lister, now, own);
      // Before it is made, what is shown by its own address is not there.
      const found = answer.status === 404 ? [] : listIn(valueIn(answer), operation.spec.shows?.order?.of);
      return found.map((one) => JSON.stringify(one)).filter((one) => changedBesides[tool]?.test(one) !== true);
    };
    const before = new Set(await list());
    raw.world.advance(60_000);
    expect((await call(raw, tool, operation, now)).status).toBeLessThan(300);
    raw.world.advance(listedAfterMs[tool] ?? 0);
    const after = await list();
    const added = after.filter((one) => !before.has(one));
    expect(added).toHaveLength(1);
    expect(after).toHaveLength(before.size + 1);
    const times = [...instantsOf(JSON.parse(added[0] ?? ""))].filter(([member]) =>
      /^(create|edit|modified|timestamp)/.test(member),
    );
    for (const [member, ms] of times) expect([member, ms]).toEqual([member, raw.world.now()]);
  }));
