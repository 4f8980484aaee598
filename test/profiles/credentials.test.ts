/** Credentials of profiles: what a command may write, how long it is kept, and when it is renewed. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepCredential } from "../../src/profiles/credential.js";
import { type Credentials, credentialsIn } from "../../src/wire/edgerc.js";
import { failureFrom } from "../lab/outcome.js";
import { fieldsOf } from "./two.js";

const secret = "a-secret-that-nobody-may-see";

const { host, clientToken, clientSecret, accessToken } = fieldsOf("x");
const asInFile = { client_token: clientToken, client_secret: clientSecret, access_token: accessToken };
const lines = Object.entries({ host, ...asInFile })
  .map(([key, value]) => `${key} = ${value}\n`)
  .join("");
const read = (text: string) => credentialsIn(text, "What it wrote", { isAnyHostAllowed: false });

it.each([
  ["the lines of a section", lines],
  ["a section with its header", `[default]\r\n${lines.replaceAll("\n", "\r\n")}`],
  ["JSON", JSON.stringify(fieldsOf("x"))],
  ["JSON in the names of an .edgerc", JSON.stringify({ host, ...asInFile })],
])("the output of a command is read as a credential: %s", (_, text) => {
  expect({ ...read(text) }).toMatchObject({ host, clientToken, clientSecret, accessToken });
});

it.each([
  [`[one]\n${lines}[two]\n${lines}`, /has several sections/],
  [lines.replace("access_token", "other"), /lacks access_token/],
  ['{"host": "', /begins like JSON/],
  [lines.replace(host, `${secret}.example`), /is not a host of the management APIs/],
  [`${lines}${secret}\n`, /line 5 is not a key/],
])("output that is no credential is refused without quoting it", (text, says) => {
  expect(() => read(text)).toThrow(says);
  expect(() => read(text)).not.toThrow(secret);
});

describe("a cached credential", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const readAs = (...hosts: readonly string[]) => {
    let count = 0;
    const read = vi.fn(async () => ({ host: hosts[count++] ?? hosts.at(-1) }) as Credentials);
    return { read, kept: keepCredential({ profile: "p", read, onRead: () => undefined, keptMs: 1_000, apartMs: 100 }) };
  };

  it("a credential is read once for concurrent calls, and when it expires", async () => {
    const { read, kept } = readAs("h");
    const [one, two] = await Promise.all([kept.current(), kept.current()]);
    expect(one).toBe(two);
    vi.advanceTimersByTime(999);
    expect(await kept.current()).toBe(one);
    vi.advanceTimersByTime(1);
    expect(await kept.current()).not.toBe(one);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("a credential is read again if refused, but not twice in a moment", async () => {
    const { read, kept } = readAs("h");
    const first = await kept.current();
    expect(kept.refused(first)).toBe(false);
    vi.advanceTimersByTime(100);
    expect(kept.refused(first)).toBe(true);
    const second = await kept.current();
    // Another call that was refused with the first one uses the second as well.
    expect(kept.refused(first)).toBe(true);
    expect(kept.refused(second)).toBe(false);
    expect(await kept.current()).toBe(second);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("a credential of another host is refused, as plans are bound to one", async () => {
    const { kept } = readAs("h", "other");
    await kept.current();
    vi.advanceTimersByTime(1_000);
    expect(await failureFrom(() => kept.current())).toMatchObject({
      message: expect.stringContaining("has a different host"),
    });
  });
});
