/** Spellings of targets against independent readers: an allow never matches where two of them differ, a deny always does. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideCall, noPolicy, type Policy } from "../../src/policy/index.js";
import { agreedNames, allNames } from "../../src/policy/spelling.js";
import { runs } from "../lab/depth.js";
import { holdsForEach } from "../lab/laws.js";
import { processorMs } from "../lab/processor-time.js";
import { promise } from "../lab/rules.js";
import { rowsOf } from "../lab/tables.js";
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

const isMatched = (policy: Policy, object: string) =>
  decideCall(policy, factsWith({ objects: [object] }), 0).rule === "it";
const isSentTo = (policy: Policy, value: string) =>
  decideCall(policy, factsWith({ destinations: [hostTo(value)] }), 0).rule === "it";

const good = "www.example.com";
const evil = "evil.example";
const ofGood = [`https://${good}/*`, good, `http://${good}/*`];

/** The host that a browser goes to; undefined if there is none. */
function browsed(text: string): string | undefined {
  try {
    return new URL(text).hostname || undefined;
  } catch {
    return undefined;
  }
}

/** URL parsers as programs have them; each returns the host in lower case, or undefined. */
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

/** A pattern, a text, and whether the pattern matches it. */
type Spelling = readonly [pattern: string, text: string, isSo: boolean];
const spellings = (kind: string) => rowsOf<Spelling>("adversary/spelling.tsv", kind);

/** Spellings that a real parser somewhere has taken for another host than the one that they seem to have. */
const disguised = spellings("disguised").map(([, text]) => text);

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

  it.each(spellings("allows"))("%s: %s is %s", (pattern, object, isAllowed) => {
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
      decideCall(allowing(pattern), factsWith({ objects: [object], isPath: true }), 0).rule === "it";
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

  it.each(spellings("denies"))("denies by %s: %j is %s", (pattern, object, isDenied) => {
    expect(isMatched(denying(pattern), object)).toBe(isDenied);
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

  it("is matched in less than quadratic time", async () => {
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

  it.each(spellings("sends"))("%s: %j is %s", (pattern, value, isAllowed) => {
    expect(isSentTo(sendingTo(pattern), value)).toBe(isAllowed);
  });
});
