/** The configuration: each setting is a flag and a variable of the same name, and nothing unknown is passed over. */
import { describe, expect, it } from "vitest";
import { readConfig, settings } from "../../src/config.js";

const names = Object.keys(settings) as (keyof typeof settings)[];
const sample = (name: keyof typeof settings): string =>
  settings[name].kind === "number" ? "7000" : settings[name].kind === "flag" ? "true" : "some-text";

describe.each(names)("%s", (name) => {
  const variable = `EDGEWISE_${name.toUpperCase().replaceAll("-", "_")}`;
  it("is a flag and a variable, and the flag wins", () => {
    const isFlag = settings[name].kind === "flag";
    const byFlag = readConfig(isFlag ? [`--${name}`] : [`--${name}`, sample(name)], {});
    const byVariable = readConfig([], { [variable]: sample(name) });
    expect(byFlag.values[name]).toEqual(byVariable.values[name]);
    expect(byFlag.values[name]).not.toEqual(readConfig([], {}).values[name]);
    const both = readConfig(isFlag ? [`--${name}`] : [`--${name}`, sample(name)], {
      [variable]: isFlag ? "false" : settings[name].kind === "number" ? "8000" : "other",
    });
    expect(both.values[name]).toEqual(byFlag.values[name]);
  });
});

describe("what cannot be", () => {
  it.each([
    [["--redonly"], {}, /no flag --redonly \(did you mean "--read-only"\?\)/],
    [["--port", "many"], {}, /--port takes a whole number/],
    [["--port", "65536"], {}, /--port takes a whole number/],
    [["--port"], {}, /--port needs a value/],
    [["--read-only=perhaps"], {}, /--read-only takes true or false/],
    [["--section", ""], {}, /--section is empty/],
    [[], { EDGEWISE_REDONLY: "1" }, /no variable EDGEWISE_REDONLY \(did you mean "EDGEWISE_READ_ONLY"\?\)/],
    [[], { EDGEWISE_read_only: "1" }, /no variable EDGEWISE_read_only/],
    [[], { EDGEWISE_PORT: "-1" }, /EDGEWISE_PORT takes a whole number/],
  ])("%j with %j is an error that says so", (args, environment, message) => {
    expect(() => readConfig(args, environment as Record<string, string>)).toThrow(message);
    expect(() => readConfig(args, environment as Record<string, string>)).toThrow(
      expect.objectContaining({ code: "bad_configuration" }),
    );
  });
});

it("takes words apart from flags, and the vendor's variables apart from its own", () => {
  const config = readConfig(["call", "purge_queue_get", "{}", "--emulator"], { AKAMAI_HOST: "h", HOME: "/x" });
  expect(config.words).toEqual(["call", "purge_queue_get", "{}"]);
  expect(config.credentialVariables).toEqual({ AKAMAI_HOST: "h" });
  expect(config.hasCredentials).toBe(true);
  expect(Object.isFrozen(config) && Object.isFrozen(config.values)).toBe(true);
});
