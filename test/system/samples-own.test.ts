/**
 * The project's own samples, served by a replaying upstream, come through unchanged: at least one of every service, and one
 * of every operation of document C for which public facts have none.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { allServices } from "../../src/tools/index.js";
import { ownSamples as others } from "./own-samples.js";
import { ownSamplesOfAccess } from "./own-samples-access.js";
import { ownSamplesOfMedia } from "./own-samples-media.js";
import { type Row, replaySamples } from "./replay.js";

const ownSamples = [...others, ...ownSamplesOfAccess, ...ownSamplesOfMedia];
const fileOf = (at: number): string => `${at} ${ownSamples[at]?.tool}.json`;
// A sample without a body says that the tool takes an answer without one.
const files = ownSamples.flatMap(({ request, answer }, at) => ((request ?? answer) === undefined ? [] : [fileOf(at)]));
const rows = ownSamples.map(
  ({ request, answer, ...row }, at): Row => ({
    ...row,
    ...(request === undefined ? {} : { request: `${fileOf(at)}#request` }),
    ...(answer === undefined ? {} : { answer: `${fileOf(at)}#answer` }),
  }),
);

describe("of the project", () => {
  replaySamples({
    title: "samples of its own",
    files,
    textOf: (file) => JSON.stringify(ownSamples[Number.parseInt(file, 10)]),
    rows,
    foreign: {},
  });
});

it.each((await allServices("documents")).map((service) => [service.name, service] as const))(
  "has a sample of %s",
  (_, { operations }) => {
    expect(ownSamples.filter(({ tool }) => Object.hasOwn(operations, tool))).not.toEqual([]);
  },
);

const here = dirname(fileURLToPath(import.meta.url));
const texts = readdirSync(here)
  .filter((name) => /^(own-)?samples.*\.ts$/.test(name))
  .map((name) => readFileSync(join(here, name), "utf8"))
  .join("\n");
const ofC = (await allServices("documents")).filter(({ document }) => document === "C");

it.each(ofC.flatMap(({ operations }) => Object.keys(operations)))("%s has a sample", (tool) => {
  expect(texts).toContain(`"${tool}"`);
});
