/** An object of the emulator under watch: the steps that it takes while calls are made and time passes. */
import { expect } from "vitest";
import { memberAt } from "../../src/language/member.js";
import type { startRaw } from "../lab/raw.js";

export type Raw = ReturnType<typeof startRaw>;
export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const dayMs = 24 * 60 * minuteMs;

/** With the header in which calls of properties of today say whether ids have prefixes. */
export const asToday = (raw: Raw): Raw => {
  const ask: Raw["ask"] = ({ headers, ...request }) =>
    raw.ask({ ...request, headers: { ...headers, "papi-use-prefixes": "true" } });
  const headers = { "content-type": "application/json" };
  const send: Raw["send"] = (method, target, value) => ask({ method, target, headers, body: JSON.stringify(value) });
  return { ...raw, ask, send, get: (target) => ask({ target }) };
};

/** One object under watch: what it is at each look, from before it is there to after it is gone. */
export class Watched {
  readonly steps = new Set<string>();
  #state = "[*]";

  constructor(
    readonly raw: Raw,
    readonly state: () => Promise<string | undefined>,
  ) {}

  /** Looks, and notes the step since the last look. */
  async look(): Promise<string> {
    const now = (await this.state()) ?? "[*]";
    if (now !== this.#state) this.steps.add(`${this.#state} --> ${now}`);
    this.#state = now;
    return now;
  }

  /** Looks again and again while time passes. */
  async pass(everyMs: number, times: number): Promise<Iterable<string>> {
    for (let at = 0; at < times; at += 1) {
      this.raw.world.advance(everyMs);
      await this.look();
    }
    return this.steps;
  }
}

/** Looks from now on at the member of an answer in JSON, or the element of one in XML, for as long as there is one. */
export async function watch(raw: Raw, target: string, path: string): Promise<Watched> {
  const watched = new Watched(raw, async () => {
    const answer = await raw.get(target);
    if (answer.text.startsWith("<")) return new RegExp(`<${path}>([^<]*)</${path}>`).exec(answer.text)?.[1];
    const value = answer.status < 400 ? memberAt(answer.json(), path.split(".")) : undefined;
    return value === undefined ? undefined : String(value);
  });
  await watched.look();
  return watched;
}

export async function sent(raw: Raw, method: string, target: string, body?: object) {
  const answer = await (body === undefined ? raw.ask({ method, target }) : raw.send(method, target, body));
  expect(answer.status, `${method} ${target}: ${answer.text}`).toBeLessThan(400);
  return answer;
}

export const lastOf = (location: string | undefined): string => location?.split("?")[0]?.split("/").at(-1) ?? "";

/** What several were seen to do. */
export const union = (...all: readonly Watched[]): readonly string[] => all.flatMap(({ steps }) => [...steps]);

/** How lives are lived, by the service and by what has each; the steps that were seen. */
export type Lives = Readonly<Record<string, (raw: Raw) => Promise<Iterable<string>>>>;
