/** The record types of DNS zones, as document B's table has them. */
import { expect, it } from "vitest";
import { dns } from "../../../src/tools/dns/index.js";
import { startRaw } from "../../lab/raw.js";

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

it("DNS has 20 record types with the document's members, all required", async () => {
  const { zone } = (await startRaw().get("/config-dns/v1/zones/shop.example")).json() as { zone: object };
  const [schema] = dns.operations.dns_zone_get.spec.returns[200].map((media) => media.schema);
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
