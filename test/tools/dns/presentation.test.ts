/** DNS presentation format: each type is written as it is read, and what cannot be read is refused with its line. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMasterFile } from "../../../src/tools/dns/master-file.js";
import { namesInFile, ttlIn } from "../../../src/tools/dns/presentation.js";
import { knownTypes, type Rdata, rdataKey, rdataText, readRdata } from "../../../src/tools/dns/rdata.js";
import { runs } from "../../lab/depth.js";
import { holdsForEach } from "../../lab/laws.js";

const read = (type: string, text: string): Rdata => {
  const data = readRdata(type, text, namesInFile("example.com"));
  if ("takes" in data) throw new Error(`${text} takes ${data["takes"]}`);
  return data;
};
/** The data of each type, with S for a string and N for a name. */
const forms: Readonly<Record<string, string>> = {
  ...{
    a: "192.0.2.1",
    aaaa: "2001:db8::1",
    afsdb: "1 N",
    akamaicdn: "www.example.net",
    akamaitlc: "DUAL a.example.net",
  },
  ...{ caa: "0 issue S", cdnskey: "257 3 13 AQPSKg==", cds: "1 8 2 00ff", cert: "1 0 8 AQPS", cname: "N" },
  ...{ dnskey: "256 3 5 AQPSKg==", ds: "60485 5 1 2BB1", hinfo: "S S", https: "1 N alpn=h2,h3 key65333=S", mx: "10 N" },
  ...{ loc: "42 21 43.952 N 71 5 6.344 W -24m 1m", naptr: "1 2 S S S N", ns: "N", nsec: "N A MX", ptr: "N", rp: "N N" },
  ...{ nsec3: "1 1 12 aabb 2t7b4g4v A RRSIG", nsec3param: "1 0 12 -", soa: "N N 1 2 3 4 5", spf: "S", srv: "1 2 3 N" },
  ...{ rrsig: "A 5 3 86400 20030322173103 20030220173103 2642 N AQPS", sshfp: "1 1 aabb", svcb: "0 N key9=S" },
  ...{ tlsa: "3 1 1 00FF", txt: "S S S" },
};
const odd = fc.string({ unit: fc.constantFrom(...'aZ9 ;()"\\@$.,=\t\n\0\u00fc\u00ff'), maxLength: 9 });
const labels = fc.array(fc.string({ unit: fc.constantFrom(...'aZ9-_*;. "\\@\u00fc'), minLength: 1, maxLength: 9 }), {
  minLength: 1,
  maxLength: 3,
});
const code = (text: string) => [...text].map((one) => `\\${String(one.charCodeAt(0)).padStart(3, "0")}`).join("");
/** Octets with as few escapes as can be. */
const plain = (text: string) => text.replaceAll(/["\\]/g, "\\$&").replaceAll(/[^\x20-\x7e]/g, code);
const name = (parts: readonly string[], spelled: (text: string) => string) => `${parts.map(spelled).join(".")}.n.`;

describe("the data of each type", () => {
  it("is written as it is read, and equal however it is spelled", () =>
    holdsForEach(knownTypes, (type) => {
      const filled = (text: string, host: string) =>
        (forms[type] ?? "").replaceAll(/\bS\b/g, () => text).replaceAll(/\bN\b(?! 71)/g, () => host);
      fc.assert(
        fc.property(odd, labels, (text, parts) => {
          const one = filled(`"${plain(text)}"`, name(parts, code));
          const other = filled(
            `"${code(text)}"`,
            name(parts, (part) => part.toLowerCase().replaceAll(/[^a-z0-9_-]/g, code)),
          );
          const [data, same] = [read(type, one), read(type, other)];
          const written = rdataText(type, data);
          expect(rdataText(type, read(type, written))).toBe(written);
          expect(rdataKey(type, same)).toBe(rdataKey(type, data));
          if (type.startsWith("akamai")) return;
          const [first = "", ...rest] = other.split(/ (?=[^"]*(?:"[^"]*"[^"]*)*$)/);
          const file = `@\tin 1h ${type} ( ; "(\r\n ${first} ;)\r\n\t${rest.join("\n")} )`;
          const { sets, problems } = readMasterFile(file, "example.com");
          expect([problems, sets[0]?.ttl, sets[0]?.rdata]).toEqual([[], 3_600, [rdataText(type, same)]]);
        }),
        { numRuns: runs(20) },
      );
    }));

  it("has its octets, with one for each escape", () => {
    expect(rdataText("txt", read("txt", '"gr\\195\\188n\\; \\"\\\\"'))).toBe('"gr\\195\\188n; \\"\\\\"');
    expect(rdataText("naptr", read("naptr", '1 2 u "E2U+sip" "!^.*$!sip:a@b.example;c=d(e)!" .'))).toBe(
      '1 2 "u" "E2U+sip" "!^.*$!sip:a@b.example;c=d(e)!" .',
    );
    expect(read("txt", `"${"\\200".repeat(255)}"`)).toBeDefined();
    expect(read("cname", `${"a".repeat(63)}.`)).toBeDefined();
  });

  it.each([
    ["txt", `"${"\\200".repeat(256)}"`, "at most 255"],
    ["txt", '"a" ; b', "; only in double quotes"],
    ["txt", '"a', "which are closed"],
    ["txt", '"\\256"', "\\DDD"],
    ["txt", "dom\\user", "a backslash itself as \\\\"],
    ["txt", "grün", "as in gr\\195\\188n"],
    ["mx", "10 bücher.example.", "as in 10 xn--bcher-kva.example."],
    ["cname", `${"a".repeat(64)}.`, "a host name"],
    ["cname", "a..b.", "a host name"],
    ["caa", '256 issue "x"', "flags from 0 to 255"],
    ["tlsa", "3 1 1 0f0", "hexadecimal"],
    ["dnskey", "256 3 5 AQPSKg=", "base64"],
    ["https", "1 . alpn=h2 alpn=h3", "each once"],
    ["https", "1 . port=65536", "service parameters"],
    ["akamaicdn", "www.example.net.", "without a final dot"],
    ["loc", "91 N 0 E 1m", "RFC 1876"],
    ["a", "\\# 4 c0000201", "an IPv4 address"],
  ])("of %s as %j is refused", (type, text, takes) => {
    expect(readRdata(type, text, namesInFile("example.com"))).toEqual({ takes: expect.stringContaining(takes) });
  });

  it("is refused unread where it is longer than any record", () => {
    expect(readRdata("txt", "a".repeat(262_141), namesInFile(""))).toEqual({ takes: "at most 65535 octets" });
  });
});

it.each([
  ["0", 0],
  ["2147483647", 2_147_483_647],
  ["1w2D3h4m5s", 788_645],
  ["2147483648", undefined],
  ["3551w", undefined],
  ["1h30", undefined],
  ["h", undefined],
  ["-1", undefined],
])("the TTL %s is %s seconds", (text, seconds) => {
  expect(ttlIn(text)).toBe(seconds);
});

describe("a master file", () => {
  it("a file has origins, default TTLs, left-out names and parentheses", () => {
    const file = `\uFEFF$TTL 1h
$ORIGIN example.com.
@ 900 IN SOA ns1 host\\.master ( 7 ; the serial
  15m 300 1w 180 )
  86400 NS ns1
$TTL 60
www IN 5m A 203.0.113.1 ; a comment
    5m IN A 203.0.113.2
WWW 5m A 203.0.113.1
txt.example.com. 0 IN TXT "v=1; a (b)" c ""
$ORIGIN sub
_x._tcp SRV 0 0 5 @
`;
    expect(readMasterFile(file.replaceAll("\n", "\r\n"), "Example.com")).toEqual({
      problems: [],
      sets: [
        {
          name: "example.com",
          type: "SOA",
          ttl: 900,
          rdata: ["ns1.example.com. host\\.master.example.com. 7 900 300 604800 180"],
        },
        { name: "example.com", type: "NS", ttl: 86_400, rdata: ["ns1.example.com."] },
        { name: "www.example.com", type: "A", ttl: 300, rdata: ["203.0.113.1", "203.0.113.2"] },
        { name: "txt.example.com", type: "TXT", ttl: 0, rdata: ['"v=1; a (b)" "c" ""'] },
        { name: "_x._tcp.sub.example.com", type: "SRV", ttl: 60, rdata: ["0 0 5 sub.example.com."] },
      ],
    });
  });

  it("without $TTL takes the TTL of the record before", () => {
    const { sets } = readMasterFile("a A 192.0.2.1\nb 60 A 192.0.2.1\nc A 192.0.2.1\n", "example.com");
    expect(sets.map(({ ttl }) => ttl)).toEqual([3_600, 60, 60]);
  });

  it("is refused with each line that cannot be read", () =>
    holdsForEach<[line: string, takes: string]>(
      [
        ["$GENERATE 1-3 a$ A 192.0.2.$", "$GENERATE is not supported"],
        ["$INCLUDE other", "$INCLUDE is not supported"],
        ["$TTL 1x", "a TTL from 0"],
        ["$ORIGIN", "a name after"],
        ["www.other.example. A 192.0.2.1", "a name in example.com"],
        ["a 2147483648 A 192.0.2.1", "a TTL from 0"],
        ["a CH A 192.0.2.1", "the class IN"],
        ["a TYPE123 \\# 4 0a000001", "one of A, "],
        ["a AAA 192.0.2.1", 'did you mean "AAAA"'],
        ["a AKAMAICDN www.example.net", "replacing it keeps"],
        ["a A", "A data: an IPv4 address"],
        ["a SOA ns h 1 2 3 4 5", "one SOA record"],
        ['a TXT "b', "closing quote"],
        ["a A ( 192.0.2.1", "closing parenthesis"],
        ["a A 192.0.2.1 )", "parentheses in pairs"],
        ["a TXT b\\", "a backslash with"],
        ["ü A 192.0.2.1", "in ASCII"],
        ["a\u00a0A 192.0.2.1", "spaces and tabs"],
      ],
      (line, takes) => {
        const { sets, problems } = readMasterFile(`ok A 192.0.2.1\n\n${line}\n`, "example.com");
        expect(problems.map((one) => one.takes)).toEqual([expect.stringContaining("at line 3 ")]);
        expect(problems[0]?.takes).toContain(takes);
        expect(sets[0]?.name).toBe("ok.example.com");
      },
    ));

  it("is refused if its first line leaves out the name", () => {
    expect(readMasterFile("  A 192.0.2.1", "example.com").problems[0]?.takes).toContain("no line before it has one");
  });
});
