/** What shaping an answer costs beside parsing it: in time and in memory, for the worst of all shapes. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./process.js";
import { shapeNames, writeShape } from "./shapes.js";

interface Measured {
  readonly times: readonly number[];
  readonly peakMb: number;
}

/** How much of the floor's time and memory shaping adds to it. */
export interface Added {
  readonly shape: string;
  readonly time: number;
  readonly memory: number;
}

const ways = ["floor", "ours"] as const;
type Way = (typeof ways)[number];
const processes = 3;
const rounds = 4;

function measure(way: Way, path: string): Measured {
  const args = ["scripts/run.mjs", "bench/shaping-run.ts", way, path, String(rounds)];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`measuring ${way} failed: ${stderr}`);
  return JSON.parse(stdout) as Measured;
}

/** Measures every shape, each way in processes of its own, by turns. */
export function addedByShaping(): Added[] {
  const folder = mkdtempSync(join(tmpdir(), "edgewise-shapes-"));
  const paths = { floor: join(folder, "floor.json"), ours: join(folder, "ours.json") };
  const added = shapeNames.map((shape): Added => {
    for (const way of ways) writeShape(shape, way, paths[way]);
    const runs = { floor: [] as Measured[], ours: [] as Measured[] };
    for (let round = 0; round < processes; round += 1) for (const way of ways) runs[way].push(measure(way, paths[way]));
    const timeOf = (way: Way) => median(runs[way].flatMap(({ times }) => times));
    const memoryOf = (way: Way) => median(runs[way].map(({ peakMb }) => peakMb));
    return {
      shape,
      time: timeOf("ours") / timeOf("floor") - 1,
      memory: memoryOf("ours") / memoryOf("floor") - 1,
    };
  });
  rmSync(folder, { recursive: true });
  return added;
}
