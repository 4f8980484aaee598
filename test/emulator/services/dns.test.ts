/** What the DNS service does with whole zones: its seed, its token, its serial, and what it refuses. */
import { describe, expect, it } from "vitest";
import { dns as emulated } from "../../../src/emulator/services/dns/index.js";
import { createWorld, type World } from "../../../src/emulator/world.js";
import { dns as declared } from "../../../src/tools/dns/index.js";
import { rule } from "../../lab/rules.js";

const { behaviours: dns } = emulated;
const start = () => createWorld({ frozenAt: Date.UTC(2026, 4, 20, 12, 10) });
const none = { query: {}, headers: {} } as const;
const read = (world: World, zone: string) =>
  dns.dns_zone_get({ ...none, path: { zone }, body: undefined }, world).body as Document;
const write = (world: World, zone: string, body: Document) =>
  dns.dns_zone_write({ ...none, path: { zone }, body }, world);
type Document = Parameters<typeof dns.dns_zone_write>[0]["body"];

const raised = ({ token, zone }: Document, more: Partial<Document["zone"]> = {}): Document => ({
  token,
  zone: { ...zone, ...more, soa: { ...zone.soa, serial: zone.soa.serial + 1 } },
});
const refusal = (status: number, detail?: string) =>
  expect.objectContaining({ status, ...(detail === undefined ? {} : { detail }) });
const at = (name: string | null) => ({ name, ttl: 60, active: true, target: "192.0.2.1" });

it("DNS has 20 record types with the document's members, all required", () => {
  // In the order of document B's table, beside name, ttl and active; numbers may be zero, as an SRV record's often are.
  const members: Readonly<Record<string, string>> = {
    ...Object.fromEntries("a aaaa cname ns ptr spf txt loc".split(" ").map((type) => [type, "target"])),
    afsdb: "subtype# target",
    dnskey: "algorithm# flags# key protocol#",
    ds: "algorithm# digest digest_type# keytag#",
    hinfo: "hardware software",
    mx: "priority# target",
    naptr: "flags order# preference# regexp replacement service",
    nsec3: "algorithm# flags# iterations# next_hashed_owner_name salt type_bitmaps",
    nsec3param: "algorithm# flags# iterations# salt",
    rp: "mailbox txt",
    rrsig: "algorithm# expiration inception keytag# labels# original_ttl# signature signer type_covered",
    srv: "port# priority# target weight#",
    sshfp: "algorithm# fingerprint fingerprint_type#",
  };
  const { zone } = read(start(), "shop.example");
  const [schema] = declared.operations.dns_zone_get.spec.returns[200].map((media) => media.schema);
  const isAccepted = (type: string, record: object) =>
    schema?.safeParse({ token: "new", zone: { ...zone, [type]: [record] } }).success;
  expect(Object.keys(members)).toHaveLength(20);
  for (const [type, words] of Object.entries(members)) {
    const own = words.split(" ").map((word) => [word.replace("#", ""), word.endsWith("#") ? 0 : "text"]);
    const record = { name: null, ttl: 0, active: true, ...Object.fromEntries(own) };
    expect([type, isAccepted(type, record)]).toEqual([type, true]);
    for (const member of Object.keys(record)) {
      const without = Object.fromEntries(Object.entries(record).filter(([name]) => name !== member));
      expect([type, member, isAccepted(type, without)]).toEqual([type, member, false]);
    }
  }
});

it("a DNS zone is found in any case, and an absent one answers 404", () => {
  const world = start();
  expect(read(world, "EXAMPLE.com")).toEqual(read(world, "example.com"));
  expect(() => read(world, "absent.example")).toThrow(refusal(404));
  expect(() => write(world, "absent.example", { ...read(world, "shop.example") })).toThrow(refusal(400));
});

rule("dns-token-current", "a DNS write takes only the current token, and each write renews it", () => {
  const world = start();
  const before = read(world, "example.com");
  expect(() => write(world, "example.com", { ...raised(before), token: "0".repeat(32) })).toThrow(refusal(409));
  expect(write(world, "example.com", raised(before))).toEqual({ status: 204, body: undefined });
  const after = read(world, "example.com");
  expect(after.token).toMatch(/^[0-9a-f]{32}$/);
  expect(after.token).not.toBe(before.token);
  expect(() => write(world, "example.com", { ...raised(after), token: before.token })).toThrow(refusal(409));
});

it("keeps a zone's id, whatever a write says of it", () => {
  const world = start();
  for (const id of [undefined, 7]) {
    const before = read(world, "shop.example");
    write(world, "shop.example", raised(before, { id }));
    expect(read(world, "shop.example").zone.id).toBe(8102);
  }
});

rule("dns-token-new", "the token new, and no other, adds a zone, and only a missing one", () => {
  const world = start();
  const { zone } = read(world, "shop.example");
  expect(() => write(world, "shop.example", { token: "new", zone })).toThrow(refusal(409));
  const fresh = { ...zone, name: "fresh.example" };
  expect(() => write(world, "fresh.example", { token: "0".repeat(32), zone: fresh })).toThrow(refusal(404));
  expect(write(world, "fresh.example", { token: "new", zone: fresh }).status).toBe(204);
  expect(read(world, "fresh.example").zone.a).toEqual(zone.a);
});

rule("dns-serial-grows", "a SOA serial that is not higher is refused, and the zone stays", () => {
  const world = start();
  const before = read(world, "shop.example");
  for (const serial of [41, 40]) {
    const zone = { ...before.zone, soa: { ...before.zone.soa, serial } };
    expect(() => write(world, "shop.example", { token: before.token, zone })).toThrow(
      refusal(400, `The SOA serial ${serial} must exceed the existing serial 41`),
    );
  }
  expect(read(world, "shop.example")).toEqual(before);
});

rule("dns-full-replacement", "removes what a write leaves out and refuses a zone of another name", () => {
  const world = start();
  const { a: _, ...zone } = read(world, "shop.example").zone;
  const { token } = read(world, "shop.example");
  expect(() => write(world, "shop.example", raised({ token, zone: { ...zone, name: "example.com" } }))).toThrow(
    refusal(400),
  );
  write(world, "shop.example", raised({ token, zone }));
  expect(read(world, "shop.example").zone).not.toHaveProperty("a");
  expect(read(world, "shop.example").zone.ns).toEqual(zone.ns);
});

describe("a name with a CNAME", () => {
  const { ns: _ns, a: _a, ...bare } = read(start(), "shop.example").zone;
  const writeNew = (lists: Partial<Document["zone"]>) =>
    write(start(), "fresh.example", { token: "new", zone: { ...bare, name: "fresh.example", ...lists } });

  it.each([
    ["a record of another type", { cname: [at("www")], a: [at("www")] }],
    ["a record of another type in another case", { cname: [at("www")], a: [at("WWW")] }],
    ["a second CNAME", { cname: [at("www"), at("www")] }],
    ["the apex's SOA record, under a null name", { cname: [at(null)] }],
    ["the apex's SOA record, under an empty name", { cname: [at("")] }],
  ])("may not carry %s", (_, lists) => {
    expect(() => writeNew(lists)).toThrow(refusal(400));
  });

  it("stands beside other names and beside names with several records", () => {
    expect(writeNew({ cname: [at("www"), at("blog")], a: [at("api"), at("api"), at(null)] }).status).toBe(204);
  });
});
