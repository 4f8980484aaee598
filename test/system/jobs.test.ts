/** The commonest jobs at a shell, from the search for a tool to what is done: with its help, three commands each. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folder } from "../lab/files.js";
import { bareEnvironment, startEmulator } from "../lab/session.js";
import { typed } from "./typed.js";

const files = folder();

interface Job {
  /** What is searched for. */
  readonly search: string;
  readonly call: string | Readonly<Record<"documents" | "today", string>>;
  /** What the result has, or the file that it is written to. */
  readonly shows: RegExp;
  readonly file?: string;
}

const jobs: Readonly<Record<string, Job>> = {
  "purge by CP code": {
    search: "purge by CP code",
    call: {
      documents: "purge_submit --queueName default --body.type cpcode --body.objects 12345",
      today: "purge_submit --action invalidate --kind cpcode --network production --body.objects 12345",
    },
    shows: /"purgeId"/,
  },
  "what changed yesterday": {
    search: "what changed yesterday",
    call: "change_timeline --period yesterday",
    shows: /"changes": \[/,
  },
  "a month as CSV": {
    search: "usage of last month as CSV",
    call: "usage_summary --contractId C-1FRYVV3 --to",
    file: "month.csv",
    shows: /^product,statistic,unit,sum,[\s\S]+\nM-SITE-7,/,
  },
  "a chart of errors": {
    search: "chart of 5xx errors",
    call: "report_chart --report.reportName endpoint-errors-by-time --report.period last_7d --report.interval HOUR --to",
    file: "errors.svg",
    shows: /^<svg/,
  },
  "a DNS record": {
    search: "add a DNS record",
    call: "dns_record_set --zone example.com --name jobs --type A --values 203.0.113.99",
    shows: /"status": 20\d/,
  },
  "certificates near expiry": {
    search: "certificates near expiry",
    call: "expiry_report --days 90",
    shows: /"expires": \[/,
  },
  "an activation": {
    search: "activate a property on staging",
    call: "property_version_activate --propertyId prp_175780 --body.propertyVersion 3 --body.network STAGING --body.notifyEmails operations@shop.example",
    shows: /"activationLink"/,
  },
  "read-only access for a user": {
    search: "read-only access for a user",
    call: `user_grants_replace --uiIdentityId A-B-100003 --body [{"groupId":33333,"roleId":3}]`,
    shows: /"status": 20\d/,
  },
  "a delivery that is suspended": {
    search: "suspend a log delivery",
    call: "log_configuration_suspend --logConfigurationId 163842",
    shows: /"status": 20\d/,
  },
};

// In place of the yes of a person at a terminal.
const policy = join(files, "policy.yaml");
writeFileSync(policy, "version: 1\nrules:\n  - id: all\n    effect: allow\n", { mode: 0o600 });
const yes = ["--policy", policy, "--approval", "off"];

describe.each(["documents", "today"] as const)("with the APIs of %s", (apis) => {
  const env = bareEnvironment({ EDGEWISE_APIS: apis, EDGEWISE_STATE_DIR: folder() });
  let emulator: Awaited<ReturnType<typeof startEmulator>>;
  beforeAll(async () => {
    emulator = await startEmulator();
  });
  afterAll(() => void emulator?.child.kill());
  const run = (...words: string[]) => typed([...words, "--upstream", emulator.match, ...yes], env);
  let suspended = "";

  it.each(Object.entries(jobs))("%s is found and done", async (_, { search, call, file, shows }) => {
    const [tool = "", ...words] = (typeof call === "string" ? call : call[apis]).split(" ");
    expect((await run("search", search, "--limit", "1")).stdout.split(" ")[0]).toBe(tool);
    const path = join(files, `${apis}-${file}`);
    const { stdout, stderr, status } = await run("call", tool, ...words, ...(file ? [path] : []));
    if (tool === "log_configuration_suspend") suspended = /"plan": "(plan_[\w-]+)"/.exec(stdout)?.[1] ?? "";
    expect([file ? readFileSync(path, "utf8") : stdout, stderr, status]).toEqual([
      expect.stringMatching(shows),
      file ? expect.stringContaining(`Wrote ${path}`) : "",
      0,
    ]);
  });

  it("what was suspended is restored", async () => {
    const found = await run("search", "restore what a change replaced", "--limit", "1");
    expect(found.stdout).toMatch(/^change_restore /);
    const { stdout, status } = await run("call", "change_restore", "--plan", suspended);
    expect([stdout, status]).toEqual([expect.stringMatching(/"status": 20\d/), 0]);
  });
});
