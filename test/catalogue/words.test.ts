/** The laws of what people say: everything that can be found has its phrases, and a person can review them. */
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { words } from "../../scripts/words.js";
import { readingsOf } from "../../src/mcp/tool.js";
import { allServices } from "../../src/tools/index.js";
import { reportTypes } from "../../src/tools/reporting/catalogue.js";
import { allWorkflows } from "../../src/workflows/index.js";

const services = await allServices();
const workflows = new Map([...(await allWorkflows()), ...(await allWorkflows("today"))]);
const { resources } = await readingsOf(services);
const titleOf = ({ home, heading }: { home: string; heading: string }) => `${home}: ${heading}`;

it("phrases exist once for everything that can be found, nothing else", () => {
  const declared = [
    ...services
      .filter(({ replaces }) => replaces === undefined || replaces.services.length === 0)
      .flatMap(({ name, operations }) => ["service", ...Object.keys(operations)].map((one) => [name, one])),
    // The phrases for a tool of today's APIs are with the service that its own replaces, which may have one of its name.
    ...services.flatMap(({ replaces, operations }) => {
      const home = services.find(({ name }) => name === replaces?.services[0]);
      const own = Object.keys(operations).filter((tool) => !Object.hasOwn(home?.operations ?? {}, tool));
      return home ? own.map((tool) => [home.name, tool]) : [];
    }),
    ...["service", ...workflows.keys()].map((one) => ["workflows", one]),
    ...resources.map(({ service, name }) => [service, `resource ${name}`]),
    ...reportTypes.map(({ name }) => ["reporting", `report ${name}`]),
  ].map(([home = "", heading = ""]) => titleOf({ home, heading }));
  expect(words.map(titleOf).sort()).toEqual(declared.sort());
  expect(words.filter(({ phrases }) => phrases.length === 0).map(titleOf)).toEqual([]);
});

it("stand in the folders of services and in that of the workflows alone", () => {
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
