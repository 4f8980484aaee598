/** One record set of a zone: set, read and removed, with the rest of the zone exactly as it was. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lossesOf } from "../../../src/tools/dns/losses.js";
import { nameIn, namesOfValues } from "../../../src/tools/dns/presentation.js";
import { type Rdata, rdataKey, rdataText, readRdata, settableTypes } from "../../../src/tools/dns/rdata.js";
import {
  aliasProblem,
  aliasTargets,
  changedLines,
  lineOf,
  removeRecords,
  setRecords,
} from "../../../src/tools/dns/record-set.js";
import {
  nextSerial,
  ownerNamed,
  ownerOf,
  recordsOf,
  type StoredZone,
  setAt,
  typesOf,
} from "../../../src/tools/dns/zone.js";
import { runs } from "../../lab/depth.js";

const apex = "example.com";
const labels = fc.constantFrom("www", "api", "mail", "a.b", "_sip._tcp", "*", "xn--bcher-kva");
const owners = fc.oneof(
  fc.constant(apex),
  labels.map((one) => `${one}.${apex}`),
);
const hosts = labels.filter((one) => one !== "*").map((one) => `${one}.example.net.`);
const numbers = fc.nat(65_535);
/** Text forms of values, by type. */
const texts: Readonly<Record<string, fc.Arbitrary<string>>> = {
  a: fc.ipV4(),
  aaaa: fc.ipV6(),
  afsdb: fc.tuple(numbers, hosts).map((parts) => parts.join(" ")),
  cname: hosts,
  ds: fc.constantFrom("60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118", "1 8 2 00ff"),
  hinfo: fc.constantFrom('"INTEL 386" UNIX', "PDP-11 TENEX"),
  loc: fc.constantFrom("51 30 12.748 N 0 7 39.611 W 0.00m 0.00m 0.00m 0.00m"),
  mx: fc.tuple(numbers, hosts).map((parts) => parts.join(" ")),
  naptr: fc.constantFrom('10 100 "S" "SIP+D2U" "!^.*$!sip:info@example.com!" .', '10 100 u sip "" sip.example.com.'),
  ns: hosts,
  ptr: hosts,
  rp: fc.tuple(hosts, hosts).map((parts) => parts.join(" ")),
  spf: fc.constantFrom("v=spf1 -all", "v=spf1 mx -all"),
  srv: fc.tuple(numbers, numbers, numbers, hosts).map((parts) => parts.join(" ")),
  sshfp: fc.constantFrom("1 1 aabbcc", "4 2 AABBCC"),
  txt: fc.constantFrom("v=spf1 mx -all", `"${"x".repeat(255)}" "y"`, "a; b", 'say "hi"'),
};
const rdata = (type: string, text: string): Rdata => {
  const read = readRdata(type, text, namesOfValues(apex));
  if ("takes" in read) throw new Error(`${type} ${text} takes ${read["takes"]}`);
  return read;
};
const setOf = fc.constantFrom(...settableTypes.former).chain((type) =>
  fc
    .uniqueArray(texts[type] ?? fc.constant(""), {
      minLength: 1,
      maxLength: 4,
      selector: (text) => rdataKey(type, rdata(type, text)),
    })
    .map((values) => ({ type, values: values.map((text) => rdata(type, text)) })),
);

/** Zones whose records, and which themselves, have members that nobody here knows. */
const zones: fc.Arbitrary<StoredZone> = fc
  .array(fc.tuple(owners, setOf, fc.nat(86_400), fc.boolean(), fc.option(fc.string())), { maxLength: 12 })
  .map((sets) => {
    const zone: Record<string, unknown> = {
      id: 7,
      name: apex,
      soa: { serial: 41, ttl: 900, contact: "hostmaster", odd: [1, { two: 2 }] },
      caa: [{ name: "www", ttl: 60, active: true, tag: "issue", value: "ca.example" }],
      locked: { by: "somebody" },
    };
    for (const [owner, { type, values }, ttl, active, comment] of sets) {
      const name = owner === apex ? null : owner.slice(0, -apex.length - 1);
      const list = (zone[type] ?? []) as unknown[];
      zone[type] = [...list, ...values.map((value) => ({ name, ttl, active, ...value, comment }))];
    }
    return zone as unknown as StoredZone;
  });
const ttls = fc.option(fc.nat(86_400), { nil: undefined });

/** The zone without one set, in the very text that would be sent. */
const rest = (zone: StoredZone, owner: string, type: string): string =>
  JSON.stringify({
    ...zone,
    [type]: recordsOf(zone, type).filter(({ name }) => ownerOf(zone.name, name) !== owner),
  });

describe("any record set of any zone", () => {
  it("a record set: set, with the rest of the zone byte for byte", () => {
    fc.assert(
      fc.property(zones, owners, setOf, ttls, (zone, owner, { type, values }, ttl) => {
        const before = JSON.stringify(zone);
        const place = { owner, type };
        const changed = setRecords(zone, place, values, ttl);
        const now = setAt(changed, owner, type);
        expect(new Set(now.map((one) => rdataKey(type, one)))).toEqual(
          new Set(values.map((one) => rdataKey(type, one))),
        );
        expect(new Set(now.map((one) => one.ttl)).size).toBe(1);
        if (ttl !== undefined) expect(now[0]?.ttl).toBe(ttl);
        expect(now.every(({ active }) => active)).toBe(true);
        expect(JSON.parse(rest(changed, owner, type))).toEqual(
          JSON.parse(rest({ ...zone, [type]: recordsOf(zone, type) }, owner, type)),
        );
        for (const member of Object.keys(zone)) if (member !== type) expect(changed[member]).toBe(zone[member]);
        // A record that stays keeps what else it has.
        for (const old of setAt(zone, owner, type))
          if (values.some((value) => rdataKey(type, value) === rdataKey(type, old)))
            expect(now).toContainEqual({ ...old, ttl: now[0]?.ttl, active: true });
        expect(JSON.stringify(zone)).toBe(before);
        expect(isDeepStrictEqual(setRecords(changed, place, values, ttl), changed)).toBe(true);
      }),
      { numRuns: runs(100) },
    );
  });

  it("a record set: removed, with the rest of the zone byte for byte", () => {
    fc.assert(
      fc.property(zones, owners, setOf, (zone, owner, { type, values }) => {
        const place = { owner, type };
        const full = setRecords(zone, place, values, undefined);
        const emptied = removeRecords(full, place, () => true);
        expect(setAt(emptied, owner, type)).toEqual([]);
        expect(rest(emptied, owner, type)).toBe(rest(full, owner, type));
        const key = rdataKey(type, values[0] ?? {});
        const one = removeRecords(full, place, (record) => rdataKey(type, record) === key);
        expect(setAt(one, owner, type)).toEqual(
          setAt(full, owner, type).filter((kept) => rdataKey(type, kept) !== key),
        );
        expect(removeRecords(one, place, (record) => rdataKey(type, record) === key)).toBe(one);
      }),
      { numRuns: runs(100) },
    );
  });

  it("a record set: its changes as lines, none where it is the same", () => {
    fc.assert(
      fc.property(zones, owners, setOf, ttls, (zone, owner, { type, values }, ttl) => {
        const place = { owner, type };
        const changed = setRecords(zone, place, values, ttl);
        const lines = changedLines(zone, changed, place);
        const isSame = isDeepStrictEqual(
          new Set(setAt(zone, owner, type).map((one) => lineOf(place, one))),
          new Set(setAt(changed, owner, type).map((one) => lineOf(place, one))),
        );
        expect(lines.length === 0).toBe(isSame);
        for (const line of lines) expect(line).toMatch(/^[+-] [\x20-\x7e]+$/);
      }),
    );
  });

  it("a record set: written as it is read", () => {
    fc.assert(
      fc.property(setOf, ({ type, values }) => {
        for (const value of values) {
          const text = rdataText(type, { name: null, ttl: 1, active: true, ...value });
          expect(rdata(type, text)).toEqual(value);
        }
      }),
    );
  });
});

describe("a serial", () => {
  const noon = Date.UTC(2026, 10, 21, 12);
  it.each<[string, number, number | undefined]>([
    ["of an earlier day", 2_026_110_101, 2_026_112_101],
    ["of today's first", 2_026_112_101, 2_026_112_102],
    ["of today", 2_026_112_107, 2_026_112_108],
    ["of today's last", 2_026_112_199, 2_026_112_200],
    ["of a day to come", 2_027_010_100, 2_027_010_101],
    ["that only counts", 41, 42],
    ["that is no day", 2_026_139_901, 2_026_139_902],
    ["of a month with fewer days", 2_026_023_001, 2_026_023_002],
    ["that is a time", 1_763_000_000, 1_763_000_001],
    ["of nought", 0, 1],
    ["that is the greatest", 4_294_967_295, undefined],
  ])("a serial %s is raised", (_, present, next) => {
    expect(nextSerial(present, noon)).toBe(next);
  });

  it("a serial grows, and stays within 32 bits", () => {
    fc.assert(
      fc.property(
        fc.nat(4_294_967_294),
        fc.date({ min: new Date(0), max: new Date("2099-12-31"), noInvalidDate: true }),
        (present, now) => {
          const next = nextSerial(present, now.getTime()) ?? 0;
          expect(next).toBeGreaterThan(present);
          expect(next).toBeLessThanOrEqual(4_294_967_295);
        },
      ),
    );
  });
});

describe("a name", () => {
  it.each([
    ["www", "www.example.com"],
    ["WWW.Example.COM", "www.example.com"],
    ["www.example.com.", "www.example.com"],
    ["@", "example.com"],
    ["", "example.com"],
    ["example.com", "example.com"],
    ["example.com.", "example.com"],
    ["*.shop", "*.shop.example.com"],
    ["_dmarc", "_dmarc.example.com"],
    ["notexample.com", "notexample.com.example.com"],
    ["www.example.org.", undefined],
    ["a..b", undefined],
    ["www example", undefined],
    ["a.*.b", undefined],
    ["bücher", undefined],
    ["x".repeat(64), undefined],
    ["www\n", undefined],
  ])("the name %j is %s", (given, owner) => {
    expect(ownerNamed("example.com", given)).toBe(owner);
  });

  it.each([
    [null, "example.com"],
    ["", "example.com"],
    ["@", "example.com"],
    ["www", "www.example.com"],
    ["www.example.com.", "www.example.com"],
    // The API stores names relative to the zone, so this one is below a name that looks like the zone's.
    ["www.example.com", "www.example.com.example.com"],
  ])("%j in a stored record is %s", (stored, owner) => {
    expect(ownerOf("Example.com", stored)).toBe(owner);
  });

  it.each([
    ["mail.example.net.", "mail.example.net."],
    ["mail.example.com", "mail.example.com."],
    ["mail", "mail.example.com."],
    ["@", "example.com."],
    [".", "."],
    ["mail.example.net", undefined],
    ["203.0.113.5", undefined],
    ["203.0.113.5.", undefined],
    ["https://example.net/", undefined],
  ])("%j as the host that a record points to is %s", (given, host) => {
    expect(nameIn(given, namesOfValues("example.com"))).toBe(host);
  });
});

describe("a value that its type does not take", () => {
  it.each([
    ["a", "203.0.113.256"],
    ["a", "2001:db8::1"],
    ["aaaa", "203.0.113.1"],
    ["aaaa", "fe80::1%eth0"],
    ["mx", "mail.example.com."],
    ["mx", "10 203.0.113.1"],
    ["mx", "65536 mail.example.com."],
    ["srv", "1 2 sip.example.com."],
    ["cname", "www.example.org"],
    ["txt", "x".repeat(256)],
    ["txt", "line\nbreak"],
    ["txt", "ümlaut"],
    ["txt", `"${"x".repeat(256)}"`],
    ["txt", '"not closed'],
    ["ds", "1 8 2 xyz"],
    ["ds", "1 8 2 abc"],
  ])("the %s value %j is refused with what it takes", (type, text) => {
    expect(readRdata(type, text, namesOfValues("example.com"))).toEqual({
      takes: expect.stringMatching(/^[\x20-\x7e]{10,}/),
    });
  });

  it("values in two spellings are the same", () => {
    const same = (type: string, one: string, other: string) =>
      rdataKey(type, rdata(type, one)) === rdataKey(type, rdata(type, other));
    expect(same("aaaa", "2001:db8::1", "2001:0DB8:0:0:0:0:0:1")).toBe(true);
    expect(same("cname", "WWW.example.com.", "www")).toBe(true);
    expect(same("txt", "A", "a")).toBe(false);
  });
});

const at = (name: string | null, target: string, more: object = {}) => ({
  name,
  ttl: 300,
  active: true,
  target,
  ...more,
});
const zone: StoredZone = {
  name: "example.com",
  soa: { serial: 1, ttl: 900 },
  ns: [at(null, "ns1.example.net."), at(null, "ns2.example.net.")],
  a: [at(null, "203.0.113.1"), at("www", "203.0.113.2"), at("api", "203.0.113.3")],
  cname: [at("blog", "www.example.com."), at("shop", "www.example.com.")],
  txt: [at("", "v=spf1 -all", { name: "" })],
};

describe("an alias", () => {
  it.each([
    ["at the apex", "example.com", "cname", 1, "apex has SOA"],
    ["beside an address", "www.example.com", "cname", 1, "which has A records"],
    ["of two names", "new.example.com", "cname", 2, "one value"],
    ["with an address beside it", "blog.example.com", "a", 1, "while it is an alias"],
  ])("an alias is refused %s", (_, owner, type, count, says) => {
    expect(aliasProblem(zone, { owner, type }, count)).toContain(says);
  });

  it("an alias is accepted alone, over another, and beside signatures", () => {
    const signed = { ...zone, rrsig: [{ name: "new", ttl: 300, active: true, signature: "x" }] };
    expect(aliasProblem(signed, { owner: "new.example.com", type: "cname" }, 1)).toBeUndefined();
    expect(aliasProblem(zone, { owner: "blog.example.com", type: "cname" }, 1)).toBeUndefined();
    expect(aliasProblem(zone, { owner: "www.example.com", type: "a" }, 2)).toBeUndefined();
  });

  it("a mail exchanger that is an alias is a warning", () => {
    const values = [rdata("mx", "10 blog"), rdata("mx", "20 www")];
    expect(aliasTargets(zone, { owner: "example.com", type: "mx" }, values)).toEqual([
      "blog.example.com. is an alias, and MX records must not point to one.",
    ]);
    expect(aliasTargets(zone, { owner: "x.example.com", type: "cname" }, [rdata("cname", "blog")])).toEqual([]);
  });
});

it("a new record at the apex is named as the zone names others", () => {
  const value = [rdata("mx", "10 mail")];
  const nameIn = (one: StoredZone) =>
    recordsOf(setRecords(one, { owner: "example.com", type: "mx" }, value, 60), "mx")[0]?.name;
  expect(nameIn(zone)).toBeNull();
  expect(nameIn({ name: "example.com", soa: zone.soa, txt: zone["txt"] })).toBe("");
});

describe("a loss", () => {
  const without = (type: string, count: number): StoredZone => ({
    ...zone,
    [type]: recordsOf(zone, type).slice(count),
  });
  const servedBy = (second: object): StoredZone =>
    ({ ...zone, ns: [at(null, "ns1.example.net."), second] }) as StoredZone;
  const lost = (present: StoredZone, written: StoredZone) => lossesOf(present, written).map(({ override }) => override);
  it.each<[string, StoredZone, StoredZone, string[]]>([
    ["nothing", zone, zone, []],
    ["two of eight records", zone, { ...zone, a: recordsOf(zone, "a").slice(1), txt: [] }, []],
    ["three of eight records", zone, without("a", 3), ["many_removed"]],
    ["a name server", zone, without("ns", 1), ["apex_ns"]],
    ["a name server for another", zone, servedBy(at("@", "ns9.example.net.")), ["apex_ns"]],
    ["a name server, but for its spelling", zone, servedBy(at("example.com.", "NS2.EXAMPLE.NET.")), []],
    [
      "a name server that becomes inactive",
      zone,
      servedBy(at(null, "ns2.example.net.", { active: false })),
      ["apex_ns"],
    ],
    [
      "values but no record",
      zone,
      { ...zone, a: recordsOf(zone, "a").map((one) => ({ ...one, target: "1.1.1.1" })) },
      [],
    ],
    ["everything", zone, { name: zone.name, soa: zone.soa }, ["empty_zone", "apex_ns", "many_removed"]],
    ["nothing, as it had nothing", { name: "n", soa: zone.soa }, { name: "n", soa: zone.soa }, []],
    [
      "records of an unknown type",
      { ...zone, caa: [1, 2, 3, 4].map((n) => at(`c${n}`, "ca")) },
      zone,
      ["many_removed"],
    ],
  ])("a zone that loses %s", (_, present, written, overrides) => {
    expect(lost(present, written)).toEqual(overrides);
  });

  it("the types of a zone, known or not", () => {
    expect(typesOf({ ...zone, caa: [at("c", "ca")], notes: ["a"], id: 7 })).toEqual(["ns", "a", "cname", "txt", "caa"]);
  });
});
