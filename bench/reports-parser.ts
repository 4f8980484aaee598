/** One measurement of csv-parse alone: the rows of a report, as wide as each other, in a stream. */
import { Readable } from "node:stream";
import { parse } from "csv-parse";
import { rowParts } from "./reports.js";

const parts = rowParts(Number(process.argv[2]));
const startedAt = performance.now();
let rows = 0;
for await (const _ of Readable.from(parts).pipe(parse())) rows += 1;
const took = performance.now() - startedAt;
if (rows === 0) throw new Error("csv-parse read no row");
console.log(took);
