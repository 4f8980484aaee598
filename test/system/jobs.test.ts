/** The commonest jobs at a shell, from the search for a tool to what is done: with its help, three commands each. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { file, folder } from "../lab/files.js";
import { bareEnvironment, startEmulator } from "../lab/session.js";
import { typed } from "./typed.js";

const files = folder();

/** What is searched for, the call of what is found, what the result has, and the file that it is written to. */
type Job = readonly [
  search: string,
  call: string | Readonly<Record<"documents" | "today", string>>,
  shows: RegExp,
  file?: string,
];

const purgeByCpCode = {
  documents: "purge_submit --queueName default --body.type cpcode --body.objects 12345",
  today: "purge_submit --action invalidate --kind cpcode --network production --body.objects 12345",
};
const errors = "--report.reportName endpoint-errors-by-time --report.period last_7d --report.interval HOUR";
const activation = "--propertyId prp_175780 --body.propertyVersion 3 --body.network STAGING";
const monthAsCsv = /^product,statistic,unit,sum,[\s\S]+\nM-SITE-7,/;
const jobs: readonly Job[] = [
  ["purge by CP code", purgeByCpCode, /"purgeId"/],
  ["what changed yesterday", "change_timeline --period yesterday", /"changes": \[/],
  ["usage of last month as CSV", "usage_summary --contractId C-1FRYVV3 --to", monthAsCsv, "month.csv"],
  ["chart of 5xx errors", `report_chart ${errors} --to`, /^<svg/, "errors.svg"],
  [
    "add a DNS record",
    "dns_record_set --zone example.com --name jobs --type A --values 203.0.113.99",
    /"status": 20\d/,
  ],
  ["certificates near expiry", "expiry_report --days 90", /"expires": \[/],
  [
    "activate a property on staging",
    `property_version_activate ${activation} --body.notifyEmails operations@shop.example`,
    /"activationLink"/,
  ],
  [
    "read-only access for a user",
    'user_grants_replace --uiIdentityId A-B-100003 --body [{"groupId":33333,"roleId":3}]',
    /"status": 20\d/,
  ],
  ["suspend a log delivery", "log_configuration_suspend --logConfigurationId 163842", /"status": 20\d/],
];

// In place of the yes of a person at a terminal.
const policy = file("version: 1\nrules: [{id: all, effect: allow}]\n", { name: "policy.yaml" });
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

  it.each(jobs.map((job) => [job[0], job] as const))("found and done: %s", async (_, [search, call, shows, name]) => {
    const [tool = "", ...words] = (typeof call === "string" ? call : call[apis]).split(" ");
    expect((await run("search", search, "--limit", "1")).stdout.split(" ")[0]).toBe(tool);
    const path = join(files, `${apis}-${name}`);
    const { stdout, stderr, status } = await run("call", tool, ...words, ...(name ? [path] : []));
    if (tool === "log_configuration_suspend") suspended = /"plan": "(plan_[\w-]+)"/.exec(stdout)?.[1] ?? "";
    expect([name ? readFileSync(path, "utf8") : stdout, stderr, status]).toEqual([
      expect.stringMatching(shows),
      name ? expect.stringContaining(`Wrote ${path}`) : "",
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
