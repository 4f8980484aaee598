/** The project's own samples, served by a replaying upstream, come through unchanged: at least one of every service. */
import { describe, expect, it } from "vitest";
import { allServices } from "../../src/tools/index.js";
import { ownSamples } from "./own-samples.js";
import { type Row, replaySamples } from "./replay.js";

const fileOf = (at: number): string => `${at} ${ownSamples[at]?.tool}.json`;
const files = ownSamples.map((_, at) => fileOf(at));
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
    textOf: (file) => JSON.stringify(ownSamples[files.indexOf(file)]),
    rows,
    foreign: {},
  });
});

const services = (await allServices()).filter(({ document }) => document !== "C");

it.each(services.map((service) => [service.name, service] as const))("has a sample of %s", (_, { operations }) => {
  expect(ownSamples.filter(({ tool }) => Object.hasOwn(operations, tool))).not.toEqual([]);
});
