/** What shaping an answer costs beside parsing it: in time and in memory, for the worst shape. */
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

const processes = 3;
const rounds = 3;

function measure(way: "floor" | "ours", path: string): Measured {
  const args = ["scripts/run.mjs", "bench/shaping-run.ts", way, path, String(rounds)];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`measuring ${way} failed: ${stderr}`);
  return JSON.parse(stdout) as Measured;
}

const timeOf = (runs: readonly Measured[]) => median(runs.flatMap(({ times }) => times));
const memoryOf = (runs: readonly Measured[]) => median(runs.map(({ peakMb }) => peakMb));

/** Measures every shape, ours and the floor by turns, each in processes of its own. */
export function addedByShaping(): Added[] {
  const folder = mkdtempSync(join(tmpdir(), "edgewise-shapes-"));
  const path = join(folder, "answer.json");
  const heldPath = join(folder, "held.json");
  const added = shapeNames.map((shape): Added => {
    writeShape(shape, path, heldPath);
    const runs = Array.from({ length: processes }, () => ({
      floor: measure("floor", path),
      held: measure("floor", heldPath),
      ours: measure("ours", path),
    }));
    const ours = runs.map((run) => run.ours);
    return {
      shape,
      time: timeOf(ours) / timeOf(runs.map(({ floor }) => floor)) - 1,
      memory: memoryOf(ours) / memoryOf(runs.map(({ held }) => held)) - 1,
    };
  });
  rmSync(folder, { recursive: true });
  return added;
}
