/** The configuration of profiles: what a file takes, what is said of one that cannot be used, and what its members do. */
import { chmodSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { operatorOrigin } from "../../src/calls/origin.js";
import { profilesCommand } from "../../src/commands/profiles.js";
import { readConfig } from "../../src/config.js";
import { defaultedArguments } from "../../src/language/defaults.js";
import { type AnyOperation, schemaOfParam } from "../../src/language/define.js";
import { credentialSchema, fileSchema, profileSchema, readProfiles } from "../../src/profiles/file.js";
import { configuredProfiles } from "../../src/profiles/index.js";
import { processUser } from "../../src/system/file-access.js";
import { zonedText } from "../../src/time/zone.js";
import { holdsForEach } from "../lab/laws.js";
import { caller } from "../lab/made-up.js";
import { needs } from "../lab/needs.js";
import { answerOf, failureFrom, failureOf, previewOf } from "../lab/outcome.js";
import { onWindows, strangerTo } from "../lab/users.js";
import { configFile, fieldsOf, type Recorder, services, startRecorder, surfaceWith } from "./two.js";

const page = readFileSync("docs/access.md", "utf8");
const saidOf = async (value: string | object, mode?: number): Promise<string> => {
  const { code, message, detail } = await failureFrom(() => configuredProfiles({ config: configFile(value, mode) }));
  expect(code).toBe("bad_configuration");
  return `${message} ${detail.why} ${detail.next}`;
};

it("docs/access.md has all members of the schemas, and an example", async () => {
  const cells = [...page.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].map(([, cell = ""]) => cell);
  const shown = cells.flatMap((cell) => cell.match(/\w+/g) ?? []);
  const members = [fileSchema, profileSchema, credentialSchema].flatMap(({ shape }) => Object.keys(shape));
  expect(shown.sort()).toEqual(members.sort());
  const [, example = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const found = await configuredProfiles({ config: configFile(example) });
  expect(found?.names).toEqual({ names: ["prod", "staging"], usual: "staging" });
  const credential = { kind: "command", program: "op" };
  expect(found?.profiles[0]).toMatchObject({ credential, highestTier: "guarded" });
});

it.each([
  ["in front of the host", "https://someone:hunter2-hunter2@gateway.example"],
  ["in a list, which it may not be", ["https://someone:hunter2-hunter2@gateway.example"]],
  ["in a query", "https://gateway.example/?password=hunter2-hunter2"],
])("a password %s of a base URL is never shown", async (_, baseUrl) => {
  const config = configFile({ profiles: { a: { baseUrl, credential: fieldsOf("a") }, b: {} } });
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  for (const words of [[], ["--json"]]) {
    const failure = await failureFrom(() => profilesCommand(readConfig(["--config", config], {}), [], words));
    expect(failure.code).toBe("bad_configuration");
    written.push(JSON.stringify([failure, failure.message]));
  }
  write.mockRestore();
  expect(written.join("\n")).toContain("profiles.a.baseUrl");
  expect(written.join("\n")).not.toContain("hunter2");
});

it.each([
  [{ profiles: { a: { credential: { clientSecrt: "x" } } } }, '"clientSecret"'],
  [{ profiles: { a: { highestTier: "wrote" } } }, "profiles.a.highestTier"],
  [{ profiles: { a: { timeZone: "Berlin" } } }, "profiles.a.timeZone"],
  [{ profiles: { a: { vendorWords: { "free-ca": "akaRuleId" } } } }, "different words"],
  [{ profiles: {} }, "at least one profile"],
  [{ profiles: { "a b": {} } }, "names"],
  [{ profiles: { a: { baseUrl: "http://api.example.com" } } }, "profiles.a.baseUrl"],
  [{ profiles: { a: { baseUrl: "https://:pw@h.example" } } }, "profiles.a.baseUrl"],
  [{ profiles: { a: { baseUrl: "https://h.example/path" } } }, "profiles.a.baseUrl"],
  [{ defaultProfile: "prd", profiles: { prod: {}, b: {} } }, '"prod"'],
  [{ defaultProfil: "a", profiles: { a: {} } }, '"defaultProfile"'],
  [{ profiles: { a: { credential: { section: "x", command: ["y"] } } } }, "one of a command"],
  [{ profiles: { a: { credential: { host: "h" } } } }, "clientToken, clientSecret, accessToken"],
  ["{", "this is not JSON"],
])("a file that is %j is refused", async (value, says) => {
  expect(await saidOf(value)).toContain(says);
});

it("a file that others can write to is refused", needs.modes, async () => {
  const file = configFile({ profiles: { a: {} } });
  chmodSync(file, 0o666);
  expect((await failureFrom(() => configuredProfiles({ config: file }))).message).toContain("Other users can write");
  // On Windows every file looks as if they could.
  expect(readProfiles(file, onWindows)).toMatchObject({ profiles: [{ name: "a" }] });
});

it("~ is the home directory, and Windows takes either slash behind it", () => {
  const edgercOf = (edgerc: string, platform: NodeJS.Platform) => {
    const file = configFile({ profiles: { a: { credential: { edgerc } } } });
    return readProfiles(file, { ...processUser(), platform }).profiles[0]?.credential;
  };
  const atHome = { kind: "file", section: "default", edgerc: join(homedir(), "keys", "edgerc") };
  for (const platform of ["linux", "darwin", "win32"] as const)
    expect(edgercOf("~/keys/edgerc", platform)).toEqual(atHome);
  expect(edgercOf("~\\keys/edgerc", "win32")).toEqual(atHome);
  expect(edgercOf("~\\keys", "linux")).toMatchObject({ edgerc: expect.stringMatching(/~\\keys$/) });
  expect(edgercOf("~ada/keys", "linux")).toMatchObject({ edgerc: expect.stringMatching(/~ada.keys$/) });
});

it("a relative credentials file is found from the configuration", () => {
  const file = configFile({ profiles: { a: { credential: { edgerc: "keys/edgerc", section: "s" } } } });
  const credential = { kind: "file", section: "s", edgerc: join(dirname(file), "keys", "edgerc") };
  expect(readProfiles(file).profiles).toMatchObject([{ credential }]);
});

it("a file that another user owns is refused whatever its mode", needs.modes, () => {
  const file = configFile({ profiles: { a: {} } });
  const stranger = strangerTo(file);
  expect(() => readProfiles(file, stranger)).toThrow(`Other users can write to the configuration ${file}.`);
});

it("a configuration with four values is noticed where others can read it", needs.modes, async () => {
  const value = { profiles: { a: { credential: fieldsOf("a") } } };
  for (const mode of [0o600, 0o640]) {
    const found = await configuredProfiles({ config: configFile(value, mode) });
    expect(found?.profiles).toMatchObject([{ credential: { kind: "fields", isOpen: mode === 0o640 } }]);
  }
});

it("an error never quotes a configuration where a secret may be", async () => {
  const { clientSecret } = fieldsOf("x");
  for (const wrong of [{ clientSecret: [clientSecret] }, { command: clientSecret }, { edgerc: { clientSecret } }])
    expect(await saidOf({ profiles: { a: { credential: wrong } } })).not.toContain(clientSecret);
});

it.each([
  [{ profiles: "a,a" }, /twice/],
  [{ profiles: "a,b c" }, /not a valid name of a profile/],
  [{ profiles: "prod,staging", profile: "stagin" }, /there is no profile "stagin" \(did you mean "staging"\?\)/],
  [{ profile: "prod" }, /none is configured/],
  [{ profiles: "a,b", section: "c" }, /--section cannot be combined with profiles/],
  [{ profiles: "a,b", "account-switch-key": "1" }, /--account-switch-key cannot be combined with profiles/],
])("settings of profiles are refused: %j", async (settings, says) => {
  expect((await failureFrom(() => configuredProfiles(settings))).message).toMatch(says);
});

it("--profiles chooses from a file, and takes other names for sections", async () => {
  const config = configFile({ defaultProfile: "b", profiles: { a: { highestTier: "read" }, b: {} } });
  const found = await configuredProfiles({ config, profiles: "a,c" });
  const [a, c] = ["a", "c"].map((name) => ({ name, credential: { kind: "section", section: name } }));
  const names = { names: ["a", "c"], usual: undefined };
  expect(found).toEqual({ profiles: [{ ...a, highestTier: "read" }, c], names, fillsIn: [] });
});

describe("the members of a profile", () => {
  let upstream: Recorder;
  let served: Awaited<ReturnType<typeof surfaceWith>>;
  beforeAll(async () => {
    upstream = await startRecorder();
    const usual = { credential: fieldsOf("a"), baseUrl: upstream.origin };
    const place = { contractId: "ctr_C-1FRYVV3", groupId: "grp_11111", timeZone: "Asia/Tokyo" };
    const profiles = {
      filled: { ...usual, ...place, accountSwitchKey: "1-8OUTL:1-8BYUX" },
      worded: { ...usual, vendor: "acme", highestTier: "write" },
    };
    served = await surfaceWith(["--config", configFile({ profiles })]);
  });
  afterAll(async () => {
    await (await served.engine()).close();
    await upstream.close();
  });
  const call = async (profile: string, tool: string, args: object) => {
    upstream.seen.length = 0;
    const { calls } = await (await served.engine()).runtimeFor(profile, operatorOrigin);
    return calls.call(tool, { ...args }, caller);
  };
  const paths = () => upstream.seen.map(({ path }) => path);

  it("a profile fills in contract and group, and replaces no argument", async () => {
    const { notes } = answerOf(await call("filled", "saas_customers_list", {}));
    expect(notes).toEqual([expect.stringMatching(/^contractId .*"C-1FRYVV3"/)]);
    expect(paths()[0]).toContain("contractId=C-1FRYVV3");
    await call("filled", "property_cpcodes_list", {});
    expect(paths()[0]).toContain("contractId=ctr_C-1FRYVV3&groupId=grp_11111");
    await call("filled", "saas_customers_list", { contractId: "3-OTHER" });
    expect(paths()[0]).toContain("contractId=3-OTHER");
    expect(failureOf(await call("filled", "user_group_delete", {})).detail.fields).toMatchObject([
      { field: "groupId" },
    ]);
    expect(await call("worded", "saas_customers_list", {})).toMatchObject({ failure: { code: "invalid_input" } });
  });

  it("members of a profile are in previews, and no longer required", async () => {
    const { lines, account } = previewOf(await call("filled", "saas_customer_delete", { surrogateId: 9102 }));
    expect(lines).toContainEqual(expect.stringContaining("contractId C-1FRYVV3"));
    expect(account).toContain("switch key 1-8OUTL:1-8BYUX");
    const required = async (...contracts: readonly object[]) => {
      const profiles = Object.fromEntries(contracts.map((one, at) => [`p${at}`, one]));
      const { menu } = await surfaceWith(["--emulator", "--config", configFile({ profiles })]);
      const listed = menu.listed.find(({ tool }) => tool.name === "saas_customers_list")?.tool.inputSchema;
      return listed?.["required"];
    };
    expect(await required({ contractId: "C-1" }, { contractId: "C-2" })).toEqual(["profile"]);
    expect(await required({ contractId: "C-1" }, {})).toEqual(["profile", "contractId"]);
    expect(await required({ contractId: "C-1" })).toBeUndefined();
  });

  it("a period is in the profile's time zone, unless the call has one", async () => {
    const noteOf = async (profile: string, more: object) =>
      answerOf(await call(profile, "events_list", more)).notes.join();
    expect(await noteOf("filled", { period: "yesterday" })).toContain("yesterday (Asia/Tokyo) is");
    expect(await noteOf("filled", { period: "yesterday", timeZone: "UTC" })).toContain("yesterday (UTC) is");
    expect(await noteOf("worded", { period: "yesterday" })).toContain("yesterday (UTC) is");
    // Where nothing is placed in a zone, one that nobody has given is no mistake.
    expect(await noteOf("filled", {})).not.toContain("Tokyo");
    const { presentation } = await (await served.engine()).runtimeFor("filled", operatorOrigin);
    expect(presentation.timeZone).toBe("Asia/Tokyo");
  });

  it("a profile has its account, its words and its highest tier", async () => {
    await call("filled", "event_get", { eventId: "20051" });
    expect(paths()[0]).toContain("accountSwitchKey=1-8OUTL%3A1-8BYUX");
    await call("worded", "cert_enrollments_list", {});
    expect(upstream.seen[0]?.accept).toContain("vnd.acme.");
    await call("filled", "cert_enrollments_list", {});
    expect(upstream.seen[0]?.accept).toContain("vnd.akamai.");
    await call("worded", "event_get", { eventId: "20051" });
    expect(paths()[0]).not.toContain("accountSwitchKey");
    const purge = { queueName: "default", body: { objects: ["https://www.example.com/a"] } };
    const { code, message } = failureOf(await call("worded", "purge_submit", purge));
    expect([code, message]).toEqual(["not_allowed", expect.stringContaining("highestTier of the profile worded")]);
    expect(upstream.seen).toEqual([]);
    expect(await call("filled", "purge_submit", purge)).toMatchObject({ kind: "preview" });
  });
});

const operations = services.flatMap((service) => Object.entries<AnyOperation>(service.operations));
it("a profile can fill in every contract or group that a query needs", () =>
  holdsForEach(operations, (_, operation) => {
    const needed = Object.entries(operation.spec.query ?? {}).filter(
      ([name, param]) => /^(contract|group)Id$/.test(name) && !schemaOfParam(param).safeParse(undefined).success,
    );
    const defaulted = Object.keys(defaultedArguments(operation));
    expect(defaulted).toEqual(expect.arrayContaining(needed.map(([name]) => name)));
  }));

it("the quotas of a policy count in each profile separately", async () => {
  const quota = { id: "events", tools: ["event_update"], counts: "calls", per: "hour", max: 1 };
  const policy = configFile({ version: 1, quotas: [quota] });
  const { engine } = await surfaceWith(["--emulator", "--profiles", "one,two", "--policy", policy]);
  const update = async (profile: string) => {
    const { calls } = await (await engine()).runtimeFor(profile, operatorOrigin);
    const { body } = await calls.invoke("event_get", { eventId: "20051" });
    return calls.call("event_update", { eventId: "20051", body }, caller);
  };
  expect(await update("one")).toMatchObject({ kind: "answer" });
  expect(await update("one")).toMatchObject({ failure: { message: expect.stringContaining('the quota "events"') } });
  expect(await update("two")).toMatchObject({ kind: "answer" });
  await (await engine()).close();
});

it("an instant is written in the local time of a zone", () => {
  const at = Date.UTC(2026, 4, 1, 12);
  expect(zonedText("Asia/Tokyo", at)).toBe("2026-05-01T21:00:00+09:00");
  expect(zonedText("America/St_Johns", at)).toBe("2026-05-01T09:30:00-02:30");
  expect(zonedText("UTC", at)).toBe("2026-05-01T12:00:00+00:00");
  expect(zonedText("UTC", Number.NaN)).toBeUndefined();
});
