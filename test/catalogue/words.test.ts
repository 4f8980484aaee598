/** The laws of what people say: everything that can be found has its phrases, and a person can review them. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { foreignWords, headings, words } from "../../scripts/words.js";
import { readingsOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";

const services = await allServices();
const workflows = new Set([...(await allWorkflows()), ...(await allWorkflows("today"))].map(([name]) => name));
const { resources } = await readingsOf(services);
const titleOf = ({ home, heading }: { home: string; heading: string }) => `${home}: ${heading}`;

const declared = headings(services, workflows, resources);

it("phrases exist once for everything that can be found, nothing else", () => {
  const known = declared.map(([home, heading]) => titleOf({ home, heading }));
  expect(words.map(titleOf).sort()).toEqual(known.sort());
  expect(words.filter(({ phrases }) => phrases.length === 0).map(titleOf)).toEqual([]);
});

it("a heading of nothing that can be found is refused, with its line", () => {
  expect(foreignWords(declared)).toEqual([]);
  const lacking = declared.filter(([, heading]) => heading !== "purge_submit");
  expect(foreignWords(lacking)).toEqual([
    expect.stringMatching(/^src\/tools\/purge\/words\.txt:\d+: there is no purge_submit of purge$/),
  ]);
  const [line = 0] = foreignWords(lacking).map((fault) => Number(fault.split(":")[1]));
  expect(readFileSync("src/tools/purge/words.txt", "utf8").split("\n")[line - 1]).toMatch(/^# purge_submit\b/);
});

it("phrases are only in the folders of services and of the workflows", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((path) => /\bwords\.txt$/.test(path));
  expect(files.length).toBe(new Set(words.map(({ home }) => home)).size);
});

it("are phrases of one short line each, none of them twice for one thing", () => {
  const isWellFormed = (phrase: string) => phrase.length <= 100 && /^[^\s#].*\S$/.test(phrase) && !phrase.includes(";");
  const wrong = words.flatMap((one) => {
    const others = (at: number) => one.phrases.slice(0, at).map((phrase) => phrase.toLowerCase());
    const isTwice = (phrase: string, at: number) => others(at).includes(phrase.toLowerCase());
    return one.phrases
      .filter((phrase, at) => !isWellFormed(phrase) || isTwice(phrase, at))
      .map((phrase) => `${titleOf(one)}: ${phrase}`);
  });
  expect(wrong).toEqual([]);
});
