/** The lives that guides show, lived in the emulator: every step of a diagram is taken there, and no other is. */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import type { Life } from "../../src/language/guide.js";
import { guideOf } from "../../src/tools/guides.js";
import { allServices } from "../../src/tools/index.js";
import { type Raw, type RawAnswer, startRaw } from "../lab/raw.js";
import { play, type Scenario, scenariosOf, subjectOf } from "../lab/scenario.js";

const none = "[*]";
interface Watched {
  readonly request: Raw;
  readonly subject: string;
  state: string;
}

/** What an answer shows of an object; a version that was never on its way is not there yet. */
function stateIn(answer: RawAnswer, subject: string): string {
  if (answer.status >= 400) return none;
  try {
    const state = String(subjectOf(answer, subject));
    return state === "Inactive" ? none : state;
  } catch {
    return none;
  }
}

/** The steps that are taken while a scenario is played, by what its requests with a header `watch` show. */
async function stepsIn(scenario: Scenario): Promise<ReadonlySet<string>> {
  const raw = startRaw();
  const steps = new Set<string>();
  const watched: Watched[] = [];
  const see = (one: Watched, answer: RawAnswer): void => {
    const state = stateIn(answer, one.subject);
    if (state !== one.state) steps.add(`${one.state} --> ${state}`);
    one.state = state;
  };
  const look = async (): Promise<void> => {
    for (const one of watched) see(one, await raw.ask(one.request));
  };
  const ask: typeof raw.ask = async ({ headers: { watch, ...headers } = {}, ...request }) => {
    const answer = await raw.ask({ ...request, headers });
    if (watch === undefined) await look();
    else {
      const one = { request: { ...request, headers }, subject: watch, state: none };
      see(one, answer);
      watched.push(one);
    }
    return answer;
  };
  const advance = async (ms: number): Promise<void> => {
    const parts = Math.min(200, ms / 1_000);
    for (let part = 0; part < parts; part += 1) {
      raw.world.advance(ms / parts);
      await look();
    }
  };
  await play("lives.scenario", scenario, { ...raw, ask, world: Object.assign(Object.create(raw.world), { advance }) });
  return steps;
}

const scenarios = scenariosOf(readFileSync(new URL("lives.scenario", import.meta.url), "utf8"));
const services = await allServices();
const guides = await Promise.all(services.map(async ({ name }) => [name, await guideOf(name)] as const));
const lives = guides
  // A guide that several services share is lived once.
  .filter(([, guide], at) => guides.findIndex(([, other]) => isDeepStrictEqual(other, guide)) === at)
  .flatMap(([name, guide]) =>
    (guide?.lives ?? []).filter(({ shown }) => shown).map((life): [string, Life] => [`${name}: ${life.of}`, life]),
  );

it.each(lives)("%s: the emulator takes every step of the diagram and no other", async (name, { moves }) => {
  const lived = scenarios.filter(({ title }) => title.replace(/ \(.+\)$/, "") === name);
  const taken = await Promise.all(lived.map(stepsIn));
  const drawn = moves
    .map(({ from = none, to = none }) => `${from} --> ${to}`)
    .filter((step) => !/^(.*) --> \1$/.test(step));
  expect([...new Set(taken.flatMap((steps) => [...steps]))].sort()).toEqual([...new Set(drawn)].sort());
});
