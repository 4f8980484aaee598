/** Spellings of targets against independent readers: an allow never matches where two of them differ, a deny always does. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide, noPolicy, type Policy } from "../../src/policy/index.js";
import { agreedNames, allNames } from "../../src/policy/spelling.js";
import { runs } from "../lab/depth.js";
import { holdsForEach } from "../lab/laws.js";
import { processorMs } from "../lab/processor-time.js";
import { promise } from "../lab/rules.js";
import { factsWith, hostTo } from "../policy/made-up.js";

const allowing = (...objects: string[]): Policy => ({
  ...noPolicy,
  rules: [{ id: "it", effect: "allow", objects }],
});
const denying = (...objects: string[]): Policy => ({ ...noPolicy, rules: [{ id: "it", effect: "deny", objects }] });
const sendingTo = (...hosts: string[]): Policy => ({
  ...noPolicy,
  rules: [{ id: "it", effect: "allow" }],
  egress: { hosts },
});

const isMatched = (policy: Policy, object: string) => decide(policy, factsWith({ objects: [object] }), 0).rule === "it";
const isSentTo = (policy: Policy, value: string) =>
  decide(policy, factsWith({ destinations: [hostTo(value)] }), 0).rule === "it";

const good = "www.example.com";
const evil = "evil.example";
const ofGood = [`https://${good}/*`, good, `http://${good}/*`];

/** The host that a browser goes to; nothing where there is none. */
function browsed(text: string): string | undefined {
  try {
    return new URL(text).hostname || undefined;
  } catch {
    return undefined;
  }
}

/** Readers of addresses as programs have them; each gives the host, in lower case, or nothing. */
const readers: Readonly<Record<string, (text: string) => string | undefined>> = {
  "a browser": browsed,
  "a browser, of what has no scheme": (text) => (browsed(text) === undefined ? browsed(`https:${text}`) : undefined),
  // The pattern of RFC 3986, appendix B.
  "RFC 3986": (text) => {
    const [, , , , authority] = /^(([^:/?#]+):)?(\/\/([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?/s.exec(text) ?? [];
    return authority?.replace(/^.*@/s, "").replace(/:\d*$/, "").toLowerCase();
  },
  "one that begins at the first @": (text) => /^[a-z]+:\/\/[^/]*?@([^/:?#@]*)/i.exec(text)?.[1]?.toLowerCase(),
  "one that begins at the last @": (text) => /^[a-z]+:\/\/[^/]*@([^/:?#]*)/i.exec(text)?.[1]?.toLowerCase(),
  "one that knows no user": (text) => /^[a-z]+:\/\/([^/:?#@\\]*)/i.exec(text)?.[1]?.toLowerCase(),
  "one that turns backslashes": (text) =>
    /^[a-z]+:\/+([^/:?#@]*)/i.exec(text.replaceAll("\\", "/"))?.[1]?.toLowerCase(),
  "one that undoes escapes": (text) => {
    const plain = text.replace(/%([\da-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));
    return browsed(plain);
  },
};
const hostsOf = (text: string): string[] =>
  Object.values(readers)
    .map((read) => read(text)?.replace(/\.$/, ""))
    .filter((host) => host !== undefined && host !== "") as string[];

const piece = fc.constantFrom(
  ...[good, evil, ...`https: http: // / \\ @ : ? # . .. :80 :443 user user:pass@`.split(" ")],
  ..."%2f %5c %40 %2e %00 %09 WWW.EXAMPLE.COM %77ww.example.com \uff57\uff57\uff57.example.com".split(" "),
  ..."\t\n \u0000\u200b\u00ad\uff0e\uff0f\uff20\u3002\u2024\ufeff\u202e",
);
const hostile = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 8 }).map((parts) => parts.join("")),
  fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => `https://${good}${parts.join("")}`),
  fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => `https://${parts.join("")}${good}/`),
);
const doubtful = /[\\\s\p{C}]/u;

/** Spellings that a real parser somewhere has taken for another host than the one that they seem to have. */
const disguised = [
  `https://${good}\\@${evil}/`,
  `https://${evil}\\@${good}/`,
  `https://${good}@${evil}/`,
  `https://${good}:80@${evil}/`,
  `https://${good}%40${evil}/`,
  `https://${good}%2f@${evil}/`,
  `https://${good}#@${evil}/`,
  `https://${good}?@${evil}/`,
  `https://${evil}#@${good}/`,
  `https://${good}%5c@${evil}/`,
  `https:/\\${evil}/`,
  `https:/${evil}/`,
  `https:${evil}/`,
  `https:///${evil}/`,
  `https:\\\\${evil}\\`,
  `//${evil}/`,
  `\\\\${evil}/`,
  `ht\ntps://${evil}/`,
  ` https://${evil}/`,
  `https://\t${evil}/`,
  `https://${evil.replace("e", "\uff45")}/`,
  `https://evil\u3002example/`,
  `https://evil\u00ad.example/`,
  `https://evil\u200b.example/`,
  `https://%65vil.example/`,
  `https://evil%2eexample/`,
  `https://${evil}./`,
  `https://${evil}.:443/`,
  `https://user:${good}@${evil}/`,
  `https://${evil}:${good}@user/`,
  `${good}@${evil}/`,
  `${good}:80@${evil}`,
  `ftp.${good}:21@${evil}`,
  `http:${evil}@user/`,
  `ws:${evil}@user/`,
  `h2://${evil}@user/`,
];

describe("a rule that allows", () => {
  it(promise("pattern-allows-one-reading", "allow rules match no hostile text that can read as another host"), () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const isAllowed = isMatched(allowing(...ofGood), text);
        const hosts = hostsOf(text);
        if (isAllowed) expect([text, [...new Set(hosts)]]).toEqual([text, [good]]);
        if (doubtful.test(text)) expect([text, isMatched(allowing("*"), text)]).toEqual([text, false]);
        if (/^[^/]*(\/\/)?[^/]*@/.test(text))
          expect([text, isMatched(allowing("*", "*@*"), text)]).toEqual([text, false]);
      }),
      { numRuns: runs(300), seed: 8 },
    );
  });

  it.each(disguised)("an allow rule for www.example.com does not match %j", (text) => {
    expect(isMatched(allowing(...ofGood, `*${good}*`), text)).toBe(false);
  });

  it("an allow rule matches every plain spelling of its URL", () => {
    const spelled = fc
      .tuple(
        fc.constantFrom("https://", "HTTPS://", "hTTps://"),
        fc.array(fc.boolean(), { minLength: good.length, maxLength: good.length }),
        fc.constantFrom("", ":443", ":"),
        fc.array(fc.constantFrom("a", "B2", "%20", "x.y", "%C3%BC", "ü", "@me", "./", "b/../", "~"), { maxLength: 5 }),
        fc.constantFrom("", "?q=1&r=%2f..", "#part"),
      )
      .map(([scheme, upper, port, path, end]) => {
        const host = [...good].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter)).join("");
        return `${scheme}${host}${port}/${path.join("")}${end}`;
      });
    fc.assert(
      fc.property(spelled, (text) => {
        expect([text, isMatched(allowing(ofGood[0] ?? ""), text)]).toEqual([text, true]);
      }),
      { numRuns: runs(50), seed: 8 },
    );
  });

  it.each([
    ["https://*.example.com/*", "https://evil.example/.example.com/", false],
    ["https://*.example.com/*", "https://evil.example?.example.com/", false],
    ["https://*.example.com/*", "https://a.b.example.com/x", true],
    ["https://www.example.co?/*", "https://www.example.co/m/", false],
    ["*://www.example.com/*", "https://evil.example/?x=://www.example.com/", false],
    ["*://www.example.com/*", "http://www.example.com/a/b", true],
    ["https://*", "https://www.example.com/a", true],
    ["https://www.example.com*", "https://www.example.com/a", true],
    ["https://www.example.com", "https://www.example.com/a", false],
    ["https://www.example.com/img/*", "https://www.example.com/img/..%2fadmin", false],
    ["https://www.example.com/img/*", "https://www.example.com/img/%2e%2e%2fadmin", false],
    ["https://www.example.com/img/*", "https://www.example.com/img/..%255cadmin", false],
    ["https://www.example.com/img/*", "https://www.example.com/img/..;/admin", false],
    ["https://www.example.com/img/*", "https://www.example.com/img/%c0%ae%c0%ae/admin", false],
    ["https://www.example.com/img/*", "https://www.example.com/img/%u002e%u002e/admin", false],
    ["https://www.example.com/img/*", "https://www.example.com/img/a%0d%0ab", false],
    ["https://www.example.com/img/*", "https://www.example.com/img/a%20b.jpg", true],
    ["https://www.example.com/img/*", "https://www.example.com/img/%2e%2e/img/a", true],
    ["www.example.com/img/*", "www.example.com/img/../admin", false],
    ["www.example.com/img/*", "www.example.com/img/a", true],
    ["https://127.0.0.1/*", "https://2130706433/", false],
    ["https://127.0.0.1/*", "https://0x7f.1/", false],
    ["https://127.0.0.1/*", "https://127.0.0.1/", true],
    ["https://*:8443/*", "https://www.example.com:8443/", true],
    ["https://www.example.com/*", "https://www.example.com:8443/", false],
    ["https://www.example.com/*", "https://www.example.com:99999/", false],
    ["www.example.com/*", "www.example.com/a://b", true],
    ["12345", "12345", true],
  ])("%s: %s is %s", (pattern, object, isAllowed) => {
    expect(isMatched(allowing(pattern), object)).toBe(isAllowed);
  });

  it.each(["https:evil.example/", "https://a.example/img/..%2fadmin", "https://user@a.example/", "a\tb"])(
    "has no name for %j, whose readers disagree",
    (text) => {
      expect(agreedNames(text)).toEqual([]);
    },
  );

  it("an allow rule on path arguments takes an @ but no doubtful text", () => {
    const isAllowed = (object: string, pattern: string) =>
      decide(allowing(pattern), factsWith({ objects: [object], isPath: true }), 0).rule === "it";
    expect(isAllowed("a@cp_1_2", "a@cp_*")).toBe(true);
    expect(isAllowed("oi-1/4101", "oi-1/*")).toBe(true);
    for (const text of ["a b", "a\\b", "a\tb", "a\u200bb", "\uff41"])
      expect([text, isAllowed(text, "*")]).toEqual([text, false]);
  });
});

describe("a rule that denies", () => {
  it(promise("pattern-denies-every-reading", "matches every hostile text that some reader takes for its host"), () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const isMeant = hostsOf(text).includes(evil);
        if (isMeant) expect([text, isMatched(denying(evil), text)]).toEqual([text, true]);
      }),
      { numRuns: runs(300), seed: 9 },
    );
  });

  it.each(disguised)("matches %j by the host and by the URL", (text) => {
    for (const pattern of [evil, `*//${evil}/*`])
      expect([pattern, isMatched(denying(pattern), text)]).toEqual([pattern, true]);
  });

  it.each([
    ["https://a.example/admin*", "https://a.example/img/..%2fadmin"],
    ["https://a.example/admin*", "https://a.example/img/..%255c..%255cadmin"],
    ["https://a.example/admin*", "https://a.example/%61dmin?broken=%zz"],
    ["https://a.example/admin*", "https://a.example/x/%c0%ae%c0%ae/admin"],
    ["https://a.example/admin*", "https://a.example//admin"],
    ["https://a.example/admin*", "https://a.example./admin"],
    ["https://a.example/admin*", "https://user@a.example:8443/admin"],
    ["https://a.example/admin*", "a.example/admin"],
    ["http://a.example/admin*", "a.example/admin"],
    ["https://a.example:443/admin*", "https://a.example/admin"],
    ["https://a.example/admin", "https://a.example/admin?x=1#y"],
    ["https://b\u00fccher.example/*", "https://xn--bcher-kva.example/x"],
    ["https://xn--bcher-kva.example/*", "https://b\u00fccher.example/x"],
    ["https://a.example/summer sale*", "https://a.example/summer%20sale.jpg"],
    ["https://a.example/summer%20sale*", "https://a.example/summer sale.jpg"],
    ["127.0.0.1", "https://2130706433/"],
    ["a.example:8443/*", "https://a.example:8443/x"],
    ["a.example/x?y*", "https://a.example/x?y=1"],
    ["http://a.example:80/*", "http://a.example/x"],
    ["ftp://a.example:21/*", "ftp://a.example/x"],
    ["https://a.example//admin", "https://a.example//admin"],
    ["https://a.example./*", "https://a.example./admin"],
    ["a.example", "https://a.example.../admin"],
    ["https://a.example/admin", "https://a.example/%2525252561dmin"],
    ["https://a.example/admin", "https://a.example/%c1%a1dmin"],
    ["https://a.example/admin", "https://a.example/\uff41dmin"],
    ["https://a.example/admin", "https://a.example/ad\u00admin"],
    ["a.example", "https://1@2@3@a.example@5@6@7@8@9/"],
    ["a.example", "https://1@2@3@4@5@a.example@7@8@9/"],
    ["a.example", "https://a.example:x@b/"],
    ["example.com", "EXAMPLE.com."],
    ["Beta", "alpha/beta"],
    ["Beta", "alpha\\beta"],
    ["1.2", "list/1.2."],
    ["https://a.example/admin", "https://a.example/%u0061dmin"],
    ["https://a.example/b\u00fcro", "https://a.example/b%C3%BCro"],
    ["https://a.example/admin", "https://a.example/%252525252561dmin"],
    ["https://a.example/admin", "https://a.example@user/admin"],
    ["https://a.example/admin", "https://user?x@a.example/admin"],
    ["foo://a.example/admin", "foo://a.example@user/admin"],
    ["a.example", "https://a.example@user"],
    ["https://a.example/?x=1", "a.example?x=1"],
    ["https://a.example/?x=1", "https://a.example:8443?x=1"],
    ["https://[2001:db8::1]/x", "https://[2001:db8::1]:8443/x"],
  ])("%s matches %j", (pattern, object) => {
    expect(isMatched(denying(pattern), object)).toBe(true);
  });

  it("matches no other host, path or part of a URL", () => {
    for (const [pattern, object] of [
      ["evil.example", `https://${good}/evil.example`],
      ["img", "https://a.example/img/x"],
      ["https://a.example/admin", "https://a.example/administrator"],
      ["https", "https://a.example/"],
      ["admin", "https://@a.example/admin"],
      ["/admin", "foo://xn--a/admin"],
      ["a.example", "https://1@2@3@4@a.example@6@7@8@9/"],
    ] as const)
      expect([pattern, object, isMatched(denying(pattern), object)]).toEqual([pattern, object, false]);
  });

  it("calls a URL by its parts and by nothing else", () => {
    const [host, path] = ["[2001:db8::1]", "/a"];
    expect(new Set(allNames(`https://${host}:8443${path}`))).toEqual(
      new Set([host, ...[`${host}${path}`, `${host}:8443${path}`].flatMap((place) => [place, `https://${place}`])]),
    );
    expect(new Set(allNames(`wss://${host}${path}`))).toEqual(
      new Set([host, `${host}${path}`, `wss://${host}${path}`]),
    );
  });

  it("reads the letters of a host that is no longer than a name can be", () => {
    const isRead = (length: number) =>
      allNames(`https://${"xn--tda.".padEnd(length, "a")}/`).some((name) => name.startsWith("\u00fc."));
    expect([isRead(9), isRead(253), isRead(254)]).toEqual([true, true, false]);
  });

  it("is matched in a time that does not grow with the square of a length", async () => {
    const units = [".", "/", "@", "a@", "?@", "%25", "\\", " ", "..;/", "%u0025", "\uff0e", "a:@", "\u00fc.", "xn--"];
    await holdsForEach(units, async (unit) => {
      const text = `foo://${unit.repeat(100_000 / unit.length)}x`;
      const match = () =>
        expect([isMatched(denying(evil), text), isMatched(allowing(good), text)]).toEqual([false, false]);
      expect(await processorMs(5_000, match)).toBeLessThan(5_000);
    });
  });
});

describe("a list of hosts that data may be sent to", () => {
  it(promise("allowed-urls-have-one-reading", "has no hostile text that some reader takes for another host"), () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const isAllowed = isSentTo(sendingTo(good), text);
        const hosts = [...hostsOf(text), ...(text.includes("://") ? [] : hostsOf(`ftp://${text}`))];
        if (isAllowed) expect([text, [...new Set(hosts)]]).toEqual([text, [good]]);
        if (doubtful.test(text)) expect([text, isSentTo(sendingTo("*"), text)]).toEqual([text, false]);
      }),
      { numRuns: runs(300), seed: 10 },
    );
  });

  it.each(disguised)("does not have %j", (text) => {
    expect(isSentTo(sendingTo(good, `*.${good}`), text)).toBe(false);
  });

  it.each([
    ["logs.example.com", "logs.example.com", true],
    ["logs.example.com", "LOGS.example.com.", true],
    ["logs.example.com", "ftp://logs.example.com:21/in?x=a@b", true],
    ["logs.example.com", "logs.example.com:8443/in", true],
    ["ftp.shop.example", "ftp.evil.example:21@ftp.shop.example", false],
    ["ftp.shop.example", "ftp.shop.example:21@ftp.evil.example", false],
    ["ftp.shop.example", "ftp.shop.example:99999", false],
    ["https", "https:443", false],
    ["192.0.2.*", "192.0.2.7", true],
    ["192.0.2.7", "3221225991", false],
    ["2001:db8::*", "2001:DB8:0:0::7", true],
    ["2001:db8::*", "[2001:db8::7]", true],
    ["2001:db8::*", "2001:db8::/64", false],
    ["2001:db8::/64", "2001:DB8:0::/64", true],
    ["2001:db8::*", "2001:db8::7/128", true],
    ["192.0.2.*", "192.0.2.0/24", false],
    ["192.0.2.*", "192.0.2.7/32", true],
    ["192.0.2.0/*", "192.0.2.0/24", true],
    ["192.0.2.0/24", "192.0.2.7", false],
    ["*", "192.0.2.0/24", true],
    ["192.0.2.*", "192.0.2.7/in", true],
    ["192.0.2.7", "192.0.2.7/24/in", true],
    ["192.0.2.7", "evil.example/192.0.2.7", false],
    ["*", "b\u00fccher.example", false],
    ["*", "xn--bcher-kva.example", true],
  ])("%s: %j is %s", (pattern, value, isAllowed) => {
    expect(isSentTo(sendingTo(pattern), value)).toBe(isAllowed);
  });
});
