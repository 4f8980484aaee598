/** Calls of which nobody knows the profile: each is refused, and on record. */
import { Failure } from "../api/failure.js";
import { profileArgument } from "../api/profile.js";
import type { Context } from "./context.js";
import type { Calls } from "./index.js";
import { startTrail } from "./trail.js";

const noProfile = (): Failure =>
  new Failure("invalid_input", "Nobody has said in which profile.", {
    why: "This server has several. Nothing was sent.",
    next: `Name one with ${profileArgument}.`,
  });

/** Makes the calls that are all refused, each for its own reason where it has one. */
export const refusedCalls = (context: Pick<Context, "audit" | "policy">): Calls => ({
  async call(tool, args, caller) {
    const failure = caller.refused ?? noProfile();
    await startTrail(context, tool, args, caller).ended({ failure });
    return { kind: "failure", failure };
  },
  async invoke() {
    throw noProfile();
  },
});
