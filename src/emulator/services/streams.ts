/** The live streams of the emulated account, over time: live streaming writes them, media analytics counts their viewers. */
import { dayMs } from "../../language/durations.js";
import type { World } from "../world.js";

/** A live stream of the account: what live streaming configures and media analytics counts the viewers of. */
export interface ExampleStream {
  /** Digits, kept as text: the API may write zeros before them. */
  readonly id: string;
  readonly name: string;
  readonly cpCode: string;
  /** The domain that delivers it. */
  readonly hostName: string;
}

/** The live streams that every world begins with; all are of the account that the services share. */
export const streams: readonly ExampleStream[] = [
  { id: "201044", name: "shop-show", cpCode: "67891", hostName: "live.shop.example" },
  { id: "201045", name: "workshop", cpCode: "67891", hostName: "live.shop.example" },
  { id: "201046", name: "product-launch", cpCode: "67892", hostName: "events.shop.example" },
];

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
