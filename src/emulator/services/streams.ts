/** The live streams of the emulated account, over time: live streaming writes them, media analytics counts their viewers. */
import { dayMs } from "../../language/durations.js";
import { type ExampleStream, streams, type World } from "../world.js";

interface Stream extends ExampleStream {
  /** Nobody watched it before. */
  readonly createdAtMs: number;
  /** Nobody watches it after that; what was watched stays. */
  readonly deletedAtMs?: number;
}

/** All streams that there are and were, by id. A new one is set here; a deleted one is set again, with `deletedAtMs`. */
export const streamsOf = (world: World): Map<string, Stream> =>
  world.state(
    "streams",
    () => new Map(streams.map((stream) => [stream.id, { ...stream, createdAtMs: world.startedAtMs - 200 * dayMs }])),
  );
