/** Credentials: where they are looked for, what is wrong with them, and that no message or print shows them. */
import { inspect } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ProcessUser } from "../../src/system/file-access.js";
import { type CredentialSource, readCredentials, secretsOf } from "../../src/wire/edgerc.js";
import { runs } from "../lab/depth.js";
import { holdsForEach } from "../lab/laws.js";
import { failureFrom } from "../lab/outcome.js";
import { onWindows } from "../lab/users.js";

const secret = "c2VjcmV0LWNhbmFyeS0xMjM0NTY3ODkw=";
const host = "akab-x-y.luna.akamaiapis.net";
const four = (more = "") =>
  `host = ${host}\nclient_token = akab-client\nclient_secret = ${secret}\naccess_token = akab-access\n${more}`;
const environment = {
  AKAMAI_HOST: "akab-env.luna.akamaiapis.net",
  AKAMAI_CLIENT_TOKEN: "akab-env-client",
  AKAMAI_CLIENT_SECRET: secret,
  AKAMAI_ACCESS_TOKEN: "akab-env-access",
};
/** What an error that reading throws says, wherever it is looked for. */
async function refusalOf(of: CredentialSource): Promise<{ message: string; said: string }> {
  const failure = await failureFrom(() => readCredentials(of));
  expect(failure.code).toBe("bad_configuration");
  return { message: failure.message, said: JSON.stringify(failure) + String(failure) + inspect(failure) };
}
const user: ProcessUser = { platform: "linux", uid: 1000 };
const source = (text: string | undefined, more: Partial<CredentialSource> = {}): CredentialSource => ({
  edgercPath: "/home/u/.edgerc",
  isPathExplicit: false,
  section: "default",
  environment: {},
  isAnyHostAllowed: false,
  user,
  readFile: () => {
    if (text === undefined) throw Object.assign(new Error("not there"), { code: "ENOENT" });
    return { text, status: { mode: 0o100600, uid: 1000 } };
  },
  ...more,
});

it("the .edgerc file is read by section, with comments, quotes and BOM", () => {
  const text = `\uFEFF; a comment\n[other]\n${four()}\n[papi.eu-1]\n${four('account-key = "1-ABC:1-DEF"\nmax-body = 2048\nbasic_password = has#hash\n')}\n[last]\nhost=x`;
  expect(readCredentials(source(text, { section: "papi.eu-1" }))).toMatchObject({
    ...{ host, clientToken: "akab-client", clientSecret: secret },
    ...{ accountKey: "1-ABC:1-DEF", maxBodyBytes: 2048, basicPassword: "has#hash" },
  });
});

it("the .edgerc file may have marks in quotes, bare keys, several headers", () => {
  const text = `[default] ; the main account\n${four("headers_to_sign = X-A, X-B\n").replace(secret, '"abc;def"')}account_key\n`;
  const { accountKey, ...found } = readCredentials(source(text)) ?? {};
  expect(accountKey).toBeUndefined();
  expect(found).toMatchObject({ clientSecret: "abc;def", headersToSign: ["X-A", "X-B"] });
});

it("the .edgerc file may write a host with https://, slash or capitals", () => {
  for (const [written, read] of [
    ["AKAB-X-Y.LUNA.AkamaiAPIs.net", host],
    ["akab-x-y.purge.akamaiapis.net", "akab-x-y.purge.akamaiapis.net"],
    [`https://${host}/`, host],
    [`HTTPS://${host}`, host],
  ] as const)
    expect(readCredentials(source(`[default]\n${four().replace(host, written)}`))?.host).toBe(read);
});

const warningsFor = (mode: number, uid = 1000, as = user) =>
  readCredentials(
    source(undefined, { user: as, readFile: () => ({ text: `[default]\n${four()}`, status: { mode, uid } }) }),
  )?.warnings;

it("a file that another user has a right to, or owns, causes a warning", () => {
  for (const mode of [0o100640, 0o100620, 0o100644])
    expect(warningsFor(mode)).toEqual([{ what: expect.any(String), next: "Run chmod 600 /home/u/.edgerc." }]);
  expect(warningsFor(0o100600, 1001)).toMatchObject([{ next: expect.stringContaining("chown 1000 ") }]);
  expect(warningsFor(0o100600, 0)).toEqual([]);
  // On Windows every file looks as if all could use it.
  expect(warningsFor(0o100666, 0, onWindows)).toEqual([]);
});

const base64 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString("base64"));
const form = fc.record({
  indent: fc.constantFrom("", "  ", "\t"),
  delimiter: fc.constantFrom("=", " = ", "\t=\t", ": ", ":"),
  mark: fc.constantFrom("", '"', "'"),
  comment: fc.constantFrom("", " ; old = x", " # old", "\t#"),
  newline: fc.constantFrom("\n", "\r\n"),
  start: fc.constantFrom("", "\uFEFF", "; by hand\n\n", "[other]\nclient_secret = x\n"),
  header: fc.constantFrom("[default]", "  [default]", "[default] # main [1]", "[default] of today"),
});
type Form = typeof form extends fc.Arbitrary<infer F> ? F : never;
const written = (value: string, how: Form) => {
  const { indent, delimiter, mark, comment, newline, start, header } = how;
  const lines = four()
    .replace(secret, value)
    .trim()
    .split("\n")
    .map((line) => {
      const [key, text] = line.split(" = ");
      return `${indent}${key}${delimiter}${mark}${text}${mark}${comment}`;
    });
  return { head: start + header, lines, newline };
};
const joined = ({ head, lines, newline }: ReturnType<typeof written>) =>
  [head, ...lines, ""].join("\n").replaceAll("\n", newline);

it("any spaces, delimiters, quotes, comments and line ends are read", () => {
  fc.assert(
    fc.property(base64, form, (value, how) => {
      expect(readCredentials(source(joined(written(value, how))))).toMatchObject({
        ...{ host, clientToken: "akab-client" },
        ...{ clientSecret: value, accessToken: "akab-access" },
      });
    }),
    { numRuns: runs(200) },
  );
});

it("a broken, doubled or continued secret is refused and not shown", () => {
  const spoils: ((secretLine: string, other: string, at: number) => string[])[] = [
    (line, _, at) => [line.slice(0, -at), line.slice(-at)],
    (line, _, at) => [line.slice(0, -at), `    ${line.slice(-at)}`],
    (line, other) => [line, `client_secret = ${other}`],
    (line, other) => [line, `client-secret: ${other}`],
    (line, other) => [line, "[default]", `client_secret = ${other}`],
  ];
  const at = fc.integer({ min: 1, max: 40 });
  return fc.assert(
    fc.asyncProperty(
      ...([base64, base64, form, fc.constantFrom(...spoils), at] as const),
      async (value, other, how, spoil, at) => {
        fc.pre(value !== other);
        const file = written(value, { ...how, comment: "" });
        const lines = file.lines.flatMap((line) => (line.includes("client_secret") ? spoil(line, other, at) : [line]));
        const { message, said } = await refusalOf(source(joined({ ...file, lines })));
        expect(message).toMatch(/lines? \d+/);
        for (const part of [value.slice(0, 8), value.slice(-8), other.slice(0, 8)]) expect(said).not.toContain(part);
      },
    ),
    { numRuns: runs(200) },
  );
});

it("a line that clients read differently is refused, others are read", async () => {
  const body = four();
  const refusals: [text: string, says: RegExp][] = [
    [`[default]\n${body}\n[default]\n${body}`, /two sections \[default\], in lines 1 and 7/],
    [`[ Default ]\n${body}`, /no section \[default\], but \[ Default \] in line 1/],
    [`[default\n${body}`, /no section \[default\]; the header in line 1 cannot be read/],
    [
      `[DEFAULT]\n${body}[default]\nhost = akab-x-y.luna.akamaiapis.net\n`,
      /lack .*no section takes values from \[DEFAULT\]/,
    ],
    [Buffer.from(`\uFEFF[default]\n${body}`, "utf16le").toString("utf8"), /UTF-16/],
    [Buffer.from(`[default]\n${body}`, "utf16le").swap16().toString("utf8"), /UTF-16/],
    [`[default]\r${body.replaceAll("\n", "\r")}`, /line 1 contains a carriage return/],
    [`[default]\n${body.replace(secret, "abc\\")}`, /line 4: client_secret ends in a backslash/],
    [`[default]\n${body.replace(secret, "%(other)s")}`, /line 4: .* %\( \)/],
    [`[default]\n${body.replace(secret, `"${secret}`)}`, /line 4: client_secret .* quotation mark/],
    [`[default]\n${body}cmV0= ; new\n`, /line 6 is not a key/],
    [`[default]\n${body}C:1-DEF\n`, /line 6 is not a key/],
  ];
  await holdsForEach(refusals, (text, says) => expect(() => readCredentials(source(text))).toThrow(says));
  const readings = [body + body, `${body}note: mine\n`, `${body}note = ; empty\n`, `${body}a.b = c\n`];
  await holdsForEach(readings, (text) =>
    expect(readCredentials(source(`[default]\n${text}`))?.clientSecret).toBe(secret),
  );
  expect(readCredentials(source(`[default]\n${body.replace(secret, "a%%b#c%")}`))?.clientSecret).toBe("a%%b#c%");
});

it("the variables come first, with another section's name in the middle", () => {
  expect(readCredentials(source(`[default]\n${four()}`, { environment }))?.host).toBe("akab-env.luna.akamaiapis.net");
  const named = (word: string) =>
    Object.fromEntries(Object.entries(environment).map(([name, value]) => [name.replace("_", `_${word}_`), value]));
  for (const [section, word] of [
    ["purge", "PURGE"],
    ["PURGE", "PURGE"],
    ["papi.eu-1", "PAPI_EU_1"],
  ] as const)
    expect(readCredentials(source(undefined, { environment: named(word), section }))?.clientToken).toBe(
      "akab-env-client",
    );
});

it("with a variable missing, the file is read, and its error says so", () => {
  const { AKAMAI_HOST: _, ...three } = environment;
  for (const some of [three, { ...three, AKAMAI_HOST: "" }]) {
    expect(readCredentials(source(`[default]\n${four()}`, { environment: some }))?.clientToken).toBe("akab-client");
    expect(() => readCredentials(source("[other]\n", { environment: some }))).toThrow(/variables lack AKAMAI_HOST/);
  }
});

const { AKAMAI_CLIENT_SECRET: _, ...three } = environment;
const changed = (from: string | RegExp, to: string) => source(`[default]\n${four().replace(from, to)}`);
const unreadable = () => {
  throw Object.assign(new Error("refused"), { code: "EACCES" });
};
it.each([
  ["a section that is not there", source("[other]\nhost=x"), /no section \[default\]/],
  ["a missing key", changed(/access_token.*\n/, ""), /lack access_token/],
  ["an empty key", changed("akab-client", ""), /lack client_token/],
  ["a space in a value", changed(secret, `${secret} x`), /client_secret .* space/],
  ["a foreign host", changed(host, "evil.example"), /host .* not a host/],
  ["a host that only begins well", changed(".net", ".net.evil.example"), /host .* not a host/],
  ["variables without a secret and no file", source(undefined, { environment: three }), /lack AKAMAI_CLIENT_SECRET/],
  ["a secret that is broken in two", changed("mFyeS0", "mFyeS0\n  "), /line 5 .* rest of a broken value/],
  ["a file that nobody named", source(undefined, { readFile: unreadable }), /cannot be read/],
  ["a named file that is not there", source(undefined, { isPathExplicit: true }), /cannot be read/],
  ["a carriage return inside a value", changed("akab-", "akab\r-"), /carriage return/],
  ["a length that is no number", source(`[default]\n${four("max_body = lots\n")}`), /max_body/],
  ["a length of nothing", source(`[default]\n${four("max_body = 0\n")}`), /max_body/],
])("broken credentials are an error that shows no value: %s", async (_name, broken, says) => {
  const { message, said } = await refusalOf(broken);
  expect(message).toMatch(says);
  expect(said).not.toMatch(/canary|c2VjcmV0/);
});

it("credentials are undefined if not configured, and print no secret", () => {
  expect(readCredentials(source(undefined))).toBeUndefined();
  const more = "basic_username = user\nbasic_password = canary-password\nbearer_token = canary-bearer\n";
  const found = readCredentials(source(`[default]\n${four(more)}`)) ?? expect.fail();
  const secrets = [secret, "canary-password", "user:canary-password", "canary-bearer"];
  expect(secretsOf(found).sort()).toEqual([...secrets, "akab-client", "akab-access"].sort());
  const shown = JSON.stringify({ found }) + inspect({ found }) + String(JSON.stringify([found]));
  for (const one of secrets) expect(shown).not.toContain(one);
});
