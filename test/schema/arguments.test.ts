/** Arguments that no operation could use are refused by field, before anything is done with them. */
import { describe, expect, it } from "vitest";
import type { AnyOperation } from "../../src/language/define.js";
import type { Failure } from "../../src/language/failure.js";
import { z } from "../../src/language/z.js";
import { validateValues } from "../../src/schema/arguments.js";
import { cutMark } from "../../src/text/marks.js";
import { alertsV2 } from "../../src/tools/alerts-v2/index.js";
import { billingUsage } from "../../src/tools/billing-usage/index.js";
import { credentials } from "../../src/tools/credentials/index.js";
import { dns } from "../../src/tools/dns/index.js";
import { events } from "../../src/tools/events/index.js";
import { CountryCode, EntityTag } from "../../src/tools/fields.js";
import { purge } from "../../src/tools/purge/index.js";
import { reporting } from "../../src/tools/reporting/index.js";
import { checkFully } from "../lab/checked.js";

function refusal(operation: AnyOperation, args: object): Failure | undefined {
  try {
    checkFully("x", operation, args);
  } catch (error) {
    return error as Failure;
  }
  return undefined;
}

const fieldsOf = (operation: AnyOperation, args: object) => refusal(operation, args)?.detail.fields ?? [];

/** A definition takes any member in its fields, so nothing but the bounds of all arguments refuses these. */
const definition = (member: unknown) => ({ body: { fields: { templateId: "s@7", name: "n", member } } });
const create = alertsV2.operations.alert_definition_create;
const thousand = Array(999).fill(0);
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

it.each([
  ["29 levels", nested(29), "30 levels", nested(30), "at most 32 levels"],
  ["262,144 characters", "x".repeat(262_144), "one more", "x".repeat(262_145), "at most 262144 characters"],
  ["10,000 items", Array(10_000).fill(0), "one more", Array(10_001).fill(0), "at most 10000 items"],
  ["99,000 values", Array(99).fill(thousand), "101,000", Array(101).fill(thousand), "at most 100000 values in all"],
  ["a whole character", "😀", "half of one", "\ud83d", "well-formed Unicode text"],
])("a value that is in no schema is accepted with %s", (_, good, __, bad, takes) => {
  expect(fieldsOf(create, definition(good))).toEqual([]);
  expect(fieldsOf(create, definition(bad))).toEqual([expect.objectContaining({ takes })]);
});

describe("a mark of an answer", () => {
  const cut = cutMark(3, 9);
  it.each([
    ["a text", { body: { fields: { templateId: "s@7", name: `abc${cut}` } } }, "body.fields.name"],
    ["an item", definition(["a", cut]), "body.fields.member[1]"],
    ["a member's name", definition({ a: 1, [cut]: true }), "body.fields.member"],
  ])("that says it was cut is refused as %s", (_, args, field) => {
    expect(fieldsOf(create, args)).toEqual([
      { field, takes: expect.stringMatching(/^the whole value: .*read the rest/) },
    ]);
    expect(refusal(create, args)?.message).not.toContain(cut);
  });

  it("is refused by a read, too, where it says that a value was cut", () => {
    expect(fieldsOf(purge.operations.purge_queue_get, { queueName: cut })[0]?.takes).toMatch(/^the whole value/);
  });

  it("the mark of a character: refused by a change, accepted by a read", () => {
    expect(fieldsOf(create, definition("a[U+200B]b"))[0]?.takes).toContain(
      "written \\u200b: [U+200B] replaces a character that was shown as a mark",
    );
    expect(fieldsOf(create, definition({ "[U+E0041]": 1 }))[0]?.takes).toContain("written \\udb40\\udc41");
    // What is not shown as a mark can be written.
    expect(fieldsOf(create, definition("[U+0041] [U+110000]"))).toEqual([]);
    const { fields } = refusal(purge.operations.purge_queue_get, { queueName: "[U+200B]" })?.detail ?? {};
    expect(fields?.[0]?.takes ?? "").not.toContain("stands for");
  });
});

describe("an argument under another name", () => {
  const change = z.strictObject({ ifMatch: EntityTag.optional(), stage: z.string().optional() });
  const takes = (args: object): string => {
    try {
      validateValues("x", change, args);
    } catch (error) {
      return (error as Failure).detail.fields?.[0]?.takes ?? "";
    }
    return "";
  };

  it("ifMatch under a name of its header or stamp gets the right name", () => {
    for (const name of "etag ETag eTag If-Match if-match if_match IF_MATCH ifmatch".split(" "))
      expect([name, takes({ [name]: "a" })]).toEqual([
        name,
        'nothing: there is no such argument (did you mean "ifMatch"?); known: ifMatch, stage',
      ]);
  });

  it("is not guessed from a name that only resembles the other one", () => {
    expect(takes({ stag: "a" })).toContain('did you mean "stage"?');
    expect(takes({ page: "a" })).not.toContain('ifMatch"?');
  });
});

describe("the words of a refusal", () => {
  it("do not repeat what may be a secret", () => {
    const failure = refusal(dns.operations.dns_zone_write, { zone: "a.example", body: { token: ["s3cret-value"] } });
    expect(failure?.message).toContain("body.token: ");
    expect(JSON.stringify([failure?.message, failure?.detail])).not.toContain("s3cret");
  });

  it("repeat only the beginning of what is long", () => {
    const [problem] = fieldsOf(purge.operations.purge_queue_get, { queueName: "q".repeat(1_000) });
    expect(problem?.given).toMatch(/^"q{76}… \(1000 characters\)$/);
  });

  it("say whether a bound is inclusive", () => {
    const args = { openIdentityId: "x", credentialId: 0 };
    expect(fieldsOf(credentials.operations.credential_get, args)).toEqual([
      { field: "credentialId", given: "0", takes: "more than 0" },
    ]);
  });

  it("two forms that exclude each other: the second is refused", () => {
    const months = { month: 4, year: 2026, fromMonth: 3, fromYear: 2026, toMonth: 4, toYear: 2026 };
    const list = billingUsage.operations.usage_contract_measures_list;
    expect(fieldsOf(list, { contractId: "C-1", productId: "M-1", ...months })[0]).toEqual({
      field: "fromMonth",
      given: "3",
      takes: "nothing together with month, year: use one form or the other",
    });
  });
});

it.each(["2026-02-30", "2026-04-31T00:00:00Z", "2026-13-01", "2026-05-01T25:00:00Z", "yesterday"])(
  "a time is not %s",
  (start) => {
    const args = { reportName: "x", version: 1, start, end: "2026-06-01" };
    expect(fieldsOf(reporting.operations.report_data_get, args).map(({ field }) => field)).toEqual(["start"]);
  },
);

it("a time is in milliseconds, and refused in seconds", () => {
  const list = events.operations.events_list;
  expect(fieldsOf(list, { startRange: 1_790_000_000_000 })).toEqual([]);
  expect(fieldsOf(list, { startRange: 1_790_000_000 })).toEqual([
    expect.objectContaining({ field: "startRange", takes: expect.stringContaining("not seconds") }),
  ]);
});

it.each([
  ["Germany", 'use "DE"'],
  ["south korea", 'use "KR"'],
  ["de", 'use "DE"'],
  ["UK", 'use "GB"'],
  ["Germny", 'did you mean "DE"?'],
  ["Atlantis-upon-Sea", "an ISO 3166-1 alpha-2 country code such as DE or JP"],
  ["", "an ISO 3166-1 alpha-2 country code such as DE or JP"],
])("a country given as %j is refused with the code that is meant", (given, takes) => {
  const times = { start: "2026-11-27T00:00Z", end: "2026-11-28T00:00Z" };
  const body = { name: "Sale", ...times, audienceLocations: ["JP", given] };
  expect(fieldsOf(events.operations.event_create, { body })).toEqual([
    { field: "body.audienceLocations[1]", given: JSON.stringify(given), takes: expect.stringContaining(takes) },
  ]);
});

it("the 249 countries of ISO 3166-1 are accepted, each with its name", () => {
  const isAccepted = (code: string) => CountryCode.safeParse(code).success;
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
  const accepted = letters.flatMap((first) => letters.map((second) => first + second)).filter(isAccepted);
  expect(accepted).toHaveLength(249);
  const english = new Intl.DisplayNames("en", { type: "region" });
  expect(accepted.filter((code) => english.of(code) === code)).toEqual([]);
});
