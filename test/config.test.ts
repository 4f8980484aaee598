/** The configuration: each setting is a flag and a variable of the same name, and nothing unknown is passed over. */
import { describe, expect, it } from "vitest";
import { apisOf, readConfig, settings } from "../src/config.js";
import { lawsOver } from "./lab/laws.js";

const names = Object.keys(settings) as (keyof typeof settings)[];
const samples = {
  number: ["7000", "8000"],
  flag: ["true", "false"],
  instant: ["2026-05-01T12:00:00Z", "2026-05-02"],
  text: ["some-text", "other"],
  words: ["free-ca=some-ca", "vendorRuleId=otherId,free-ca=other"],
} as const;

/** A choice that is not the default, and another than that. */
function otherChoices({ choices, default: usual }: { readonly choices: readonly string[]; readonly default: string }) {
  const others = [...choices.filter((choice) => choice !== usual), usual];
  return [others[0] ?? "", others[1] ?? ""] as const;
}

describe("every setting", () =>
  lawsOver(names, (law, name) => {
    const variable = `EDGEWISE_${name.toUpperCase().replaceAll("-", "_")}`;
    law("is a flag and a variable, and the flag wins", () => {
      const setting = settings[name];
      const { kind } = setting;
      const [sample, other] = kind === "choice" ? otherChoices(setting) : samples[kind];
      const flag = kind === "flag" ? [`--${name}`] : [`--${name}`, sample];
      const byFlag = readConfig(flag, {});
      const byVariable = readConfig([], { [variable]: sample });
      expect(byFlag.values[name]).toEqual(byVariable.values[name]);
      expect(byFlag.values[name]).not.toEqual(readConfig([], {}).values[name]);
      const both = readConfig(flag, { [variable]: other });
      expect(both.values[name]).toEqual(byFlag.values[name]);
    });
  }));

describe("what cannot be", () => {
  it.each([
    [["--redonly"], {}, /no flag --redonly \(did you mean "--read-only"\?\)/],
    [["--port", "many"], {}, /--port takes a whole number/],
    [["--port", "65536"], {}, /--port takes a whole number/],
    [["--port"], {}, /--port needs a value/],
    [["--read-only=perhaps"], {}, /--read-only takes true or false/],
    [["--section", ""], {}, /--section is empty/],
    [["--vendor-words", "free-cab=x"], {}, /--vendor-words takes WORD=TERM pairs/],
    [["--vendor-words", "free-ca=a b"], {}, /--vendor-words takes WORD=TERM pairs/],
    [["--vendor-words", "free-ca=x,vendorRuleId=x"], {}, /a different vendor term/],
    [["--emulator-clock", "nonsense"], {}, /--emulator-clock takes an ISO 8601 time/],
    [[], { EDGEWISE_REDONLY: "1" }, /no variable EDGEWISE_REDONLY \(did you mean "EDGEWISE_READ_ONLY"\?\)/],
    [[], { EDGEWISE_read_only: "1" }, /no variable EDGEWISE_read_only/],
    [[], { NODE_TLS_REJECT_UNAUTHORIZED: "0" }, /NODE_TLS_REJECT_UNAUTHORIZED is 0/],
    [[], { EDGEWISE_PORT: "-1" }, /EDGEWISE_PORT takes a whole number/],
    // What restricts is never lost with a variable that somebody forgot to set.
    [[], { EDGEWISE_POLICY: "" }, /EDGEWISE_POLICY is empty/],
    [[], { EDGEWISE_APPROVAL: "" }, /EDGEWISE_APPROVAL takes auto, confirm, human, off/],
    [[], { EDGEWISE_EXCLUDE_TOOLS: "" }, /EDGEWISE_EXCLUDE_TOOLS is empty/],
  ])("%j with %j is an error that says so", (args, environment, message) => {
    const read = () => readConfig(args, environment as Record<string, string>);
    expect(read).toThrow(message);
    expect(read).toThrow(expect.objectContaining({ code: "bad_configuration" }));
  });
});

it("words, flags and the vendor's variables are told apart", () => {
  const config = readConfig(["call", "purge_queue_get", "{}", "--emulator"], { AKAMAI_HOST: "h", HOME: "/x" });
  expect(config.positionals).toEqual(["call", "purge_queue_get", "{}"]);
  expect(config.credentialVariables).toEqual({ AKAMAI_HOST: "h" });
  expect(config.hasCredentials).toBe(true);
  expect(Object.isFrozen(config) && Object.isFrozen(config.values)).toBe(true);
});

it.each([
  ["--section", "other"],
  ["--edgerc", "/nowhere/edgerc"],
])("%s counts as configured credentials", (...flags) => {
  expect(readConfig(flags, {}).hasCredentials).toBe(true);
});

const credentialKeys = ["HOST", "CLIENT_TOKEN", "CLIENT_SECRET", "ACCESS_TOKEN"];

describe.each([
  ["an empty variable", () => ""],
  ["the placeholder of a field", (name: string) => `\${user_config.${name.toLowerCase()}}`],
])("%s from a client's form", (_, leftEmpty) => {
  it("an unset field of a form is no setting and no credential", () => {
    const empty = (prefix: string, names: readonly string[]) =>
      Object.fromEntries(names.map((name) => [`${prefix}_${name}`, leftEmpty(name)]));
    const config = readConfig([], empty("EDGEWISE", ["EDGERC", "SECTION", "ACCOUNT_SWITCH_KEY", "SURFACE"]));
    expect([config.values, ...config.given]).toEqual([readConfig([], {}).values]);
    const environment = empty("AKAMAI", credentialKeys);
    expect(readConfig([], environment).credentialVariables).toEqual({});
    const partly = readConfig([], { ...environment, AKAMAI_HOST: "h" });
    expect([partly.credentialVariables, partly.hasCredentials]).toEqual([{ AKAMAI_HOST: "h" }, true]);
  });
});

it.each([
  [[], {}, "documents", "the emulator answers"],
  [["--emulator"], { AKAMAI_HOST: "akab-x.luna.akamaiapis.net" }, "documents", "the emulator answers"],
  [["--upstream", "http://127.0.0.1:9000"], {}, "documents", "the upstream is a program on this machine"],
  [["--upstream", "https://api.example"], {}, "today", "calls go to a live account"],
  [[], { AKAMAI_HOST: "akab-x.luna.akamaiapis.net" }, "today", "calls go to a live account"],
  [["--apis", "documents"], { AKAMAI_HOST: "akab-x.luna.akamaiapis.net" }, "documents", "--apis documents is set"],
  [["--apis", "today"], {}, "today", "--apis today is set"],
] as const)("%j with %j offers the APIs of %s", (line, environment, apis, because) => {
  // Whoever runs the tests may have an .edgerc.
  const hasCredentials = Object.keys(environment).length > 0;
  expect(apisOf({ ...readConfig(line, environment), hasCredentials })).toEqual({ apis, because });
});
