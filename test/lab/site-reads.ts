/** The reads of forecasts in a world: some fail, or are answered by the test. */
import type { Calls } from "../../src/calls/index.js";
import type { ControlledWorld } from "../../src/emulator/world.js";
import { Failure, type FailureCode } from "../../src/language/failure.js";
import type { SiteReads } from "../../src/site/reads.js";
import type { Args } from "./calls.js";
import { apis } from "./project.js";

/** What a test answers to reads, by tool: a failure, or a body, which may be made of the world's. */
export type SiteAnswers = Readonly<
  Record<string, FailureCode | ((args: Args, body: () => Promise<unknown>) => unknown)>
>;

/** @returns the reads with such answers, and the tools of all that were made. */
export function siteReads(world: ControlledWorld, calls: Pick<Calls, "invoke">) {
  const read: string[] = [];
  const readsWith = (answers: SiteAnswers = {}): SiteReads => {
    const bodyOf = async (tool: string, args: Args): Promise<unknown> => {
      const answer = answers[tool];
      if (typeof answer === "string") throw new Failure(answer, "It failed.", { next: "Try again." });
      read.push(tool);
      const body = async () => (await calls.invoke(tool, args)).body;
      return answer === undefined ? body() : answer(args, body);
    };
    const recall: SiteReads["recall"] = async (tool, args, reduce) => reduce(await bodyOf(tool, args));
    return { nowMs: world.now(), isToday: apis === "today", read: bodyOf, recall };
  };
  return { readsWith, read };
}
