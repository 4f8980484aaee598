/** One measurement of shaping, in a process of its own: the processor's time and the peak of memory, of ours or of plain parsing. */
import { readFileSync } from "node:fs";
import { successResult } from "../src/answers/result.js";
import { decodeJson } from "../src/wire/codec/json.js";

const [way, path = "", rounds = "1"] = process.argv.slice(2);
const presentation = { upstream: "bench", secrets: ["secret-of-the-bench"], maxTokens: 8_000 };
const decoder = new TextDecoder();

const run = (bytes: Uint8Array): unknown =>
  way === "floor"
    ? JSON.parse(decoder.decode(bytes))
    : successResult({ status: 200, body: decodeJson(bytes), notes: [] }, presentation);

const bytes = readFileSync(path);
const beforeKb = process.resourceUsage().maxRSS;
const times: number[] = [];
let peakMb = 0;
for (let round = 0; round < Number(rounds); round += 1) {
  const before = process.cpuUsage();
  run(bytes);
  // The processor's time, because the clock also counts what else the machine does.
  const { user, system } = process.cpuUsage(before);
  times.push((user + system) / 1_000);
  // Of the first round alone: later ones also hold what the rounds before them left.
  if (round === 0) peakMb = (process.resourceUsage().maxRSS - beforeKb) / 1024;
}
console.log(JSON.stringify({ times, peakMb }));
