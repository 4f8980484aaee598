/** Raw signed requests to the emulator, with a signer of the tests' own, so that no code of the client is trusted here. */
import { createHash, createHmac } from "node:crypto";
import { demoCredentials } from "../../src/emulator/credentials.js";
import type { EmulatorOptions } from "../../src/emulator/index.js";
import { createWorld } from "../../src/emulator/world.js";
import { createEmulator } from "./emulator.js";

export const now = Date.UTC(2026, 4, 20, 12, 10);
const { clientToken, clientSecret, accessToken } = demoCredentials;
const nonces = (function* count() {
  for (let number = 1; ; number += 1) yield `nonce-${number}`;
})();

const hmac = (key: string, text: string): string => createHmac("sha256", key).update(text).digest("base64");

export interface Raw {
  readonly method?: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The Authorization header of a request, as the scheme's description has it. */
export function signature({ method = "GET", target, body = "" }: Raw, at = now, nonce = nonces.next().value): string {
  const [date, time] = new Date(at).toISOString().split("T");
  const timestamp = `${date?.replaceAll("-", "")}T${time?.slice(0, 8)}+0000`;
  const unsigned = `EG1-HMAC-SHA256 client_token=${clientToken};access_token=${accessToken};timestamp=${timestamp};nonce=${nonce};`;
  const hash =
    method === "POST" && body !== ""
      ? createHash("sha256").update(Buffer.from(body).subarray(0, 131_072)).digest("base64")
      : "";
  const data = [method, "https", "emulator.invalid", target, "", hash, unsigned].join("\t");
  return `${unsigned}signature=${hmac(hmac(clientSecret, timestamp), data)}`;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; fails where it is none. */
  json(): unknown;
}

/**
 * An emulator whose clocks stand still until the test moves them, and a way to ask it: of the whole API, or of services
 * of the test's own.
 */
export function startRaw({
  vendor = "akamai",
  frozenAt = now,
  ...more
}: Partial<Pick<EmulatorOptions, "entries">> & { vendor?: string; frozenAt?: number } = {}) {
  const world = createWorld({ frozenAt, vendor });
  const emulator = createEmulator({ world, wallNow: () => frozenAt, ...more });
  const ask = async (raw: Raw, authorization: string | undefined = signature(raw, frozenAt)): Promise<RawAnswer> => {
    const { method = "GET", target, headers = {}, body } = raw;
    const answer = await emulator.send({
      method,
      url: new URL(target, "https://emulator.invalid"),
      headers: { ...headers, ...(authorization === "" ? {} : { authorization }) },
      ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
      timeLeftMs: 1_000,
    });
    let text = "";
    for await (const chunk of answer.body) text += new TextDecoder().decode(chunk);
    return { status: answer.status, headers: answer.headers, text, json: () => JSON.parse(text) as unknown };
  };
  const send = (method: string, target: string, value: unknown) =>
    ask({ method, target, headers: { "content-type": "application/json" }, body: JSON.stringify(value) });
  const form = (method: string, target: string, fields: Record<string, string>, type: string) =>
    ask({ method, target, headers: { "content-type": type }, body: new URLSearchParams(fields).toString() });
  return { world, ask, get: (target: string) => ask({ target }), send, form };
}
