/** The live streams of the emulated account, over time: live streaming writes them, media analytics counts their viewers. */
import { dayMs } from "../../time/durations.js";
import type { World } from "../world.js";
import { streams } from "./account.js";

export { streams };
/** A live stream of the account: what live streaming configures and media analytics counts the viewers of. */
export type ExampleStream = (typeof streams)[number];

interface Stream extends ExampleStream {
  /** When it starts; there are no viewers before. */
  readonly createdAtMs: number;
  /** When it ends; there are no viewers after that, but earlier views remain. */
  readonly deletedAtMs?: number;
}

/** All streams that there are and were, by id. A new one is set here; a deleted one is set again, with `deletedAtMs`. */
export const streamsOf = (world: World): Map<string, Stream> =>
  world.state(
    "streams",
    () => new Map(streams.map((stream) => [stream.id, { ...stream, createdAtMs: world.startedAtMs - 200 * dayMs }])),
  );
