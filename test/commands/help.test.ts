/** The help of each command: that it is whole, and that what it shows can be typed. */
import { describe, expect, it } from "vitest";
import { help, usages } from "../../src/commands/help.js";
import { settings } from "../../src/config.js";
import { readCommand, wordsOf } from "../lab/command-line.js";
import { lawsOver } from "../lab/laws.js";
import { catalogueOfProject } from "../lab/project.js";

const catalogue = await catalogueOfProject();
const read = (line: string) => readCommand(wordsOf(line), catalogue);

describe("every command", () =>
  lawsOver(usages(), (law, name, usage) => {
    law("has help that names all that it takes, in lines that fit", async () => {
      const text = await help(name.split(" "));
      const lines = text.split("\n");
      const usageLine = text.split("\n\n")[0]?.replaceAll(/\n */g, " ");
      expect(usageLine).toMatch(new RegExp(`^edgewise ${name}( |$)`));
      for (const { name: word } of usage.positionals ?? []) {
        expect(usageLine).toContain(word);
        expect(text).toMatch(new RegExp(`^ {2}\\[?${word}…?\\]? {2,}\\S`, "m"));
      }
      for (const [flag, { takes = "" }] of Object.entries(usage.flags ?? {})) {
        expect(usageLine).toContain(`[${`${flag} ${takes}`.trim()}]`);
        expect(text).toMatch(new RegExp(`^ {2}${flag} ?${takes} {2,}\\S`, "m"));
      }
      for (const setting of usage.settings ?? []) expect(text).toMatch(new RegExp(`^ {2}--${setting} +\\S`, "m"));
      expect(lines.filter((line) => line.length > 100 && !line.startsWith("  edgewise "))).toEqual([]);
    });

    law("has examples of itself that can be typed", async () => {
      expect(usage.examples.length).toBeGreaterThan(0);
      for (const line of usage.examples) {
        await expect(read(line), line).resolves.toBeUndefined();
        if (name !== "stdio") expect(line.startsWith(name), line).toBe(true);
      }
    });
  }));

it("an example with an unknown flag or argument is found", async () => {
  await expect(read("plans --write")).rejects.toThrow("plans has no flag --write");
  await expect(read("call purge_queue_get --queue default")).rejects.toThrow("no argument --queue");
});

it("help: each command on a line, each setting in one place", async () => {
  const text = await help([]);
  for (const [name, { does }] of usages()) expect(text).toMatch(new RegExp(`^ {2}${name}.* {2}${does}$`, "m"));
  const whole = await help(["settings"]);
  for (const name of Object.keys(settings)) {
    expect(text.match(new RegExp(`--${name}(?![\\w-])`, "g")), name).toHaveLength(1);
    expect(whole.match(new RegExp(`^ {2}--${name} `, "gm")), name).toHaveLength(1);
  }
  expect(text.split("\n").length).toBeLessThanOrEqual(61);
});

it("help: the actions of a command, the arguments of a tool", async () => {
  expect(await help(["audit"])).toMatch(/^ {2}verify \[PATH\] \[--head FILE\] {2,}check that/m);
  const tool = await help(["call", "purge_submit"], () => catalogue);
  expect(tool).toContain("--queueName default|emergency");
  expect(await help(["purge_submit"], () => catalogue)).toBe(tool);
});

it.each([
  [["doctr"], 'There is no command "doctr" (did you mean "doctor"?).'],
  [["audit", "verfy"], 'audit has no action "verfy" (did you mean "verify"?).'],
  [["call", "purge_submitt"], 'There is no tool "purge_submitt" (did you mean "purge_submit"?).'],
])("help about %j is refused with what is meant", async (words, message) => {
  await expect(help(words, () => catalogue)).rejects.toThrow(message);
});
