/** What the last run of other people's clients says: nothing left out, no gap without its reason, and of what is locked. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { clients, transports } from "../clients/clients.js";
import type { Result } from "../clients/result.js";
import { stepNames } from "../clients/steps.js";

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<Record<string, Partial<Manifest> & { readonly version?: string }>>;
}

const read = <T>(path: string): T => JSON.parse(readFileSync(`test/clients/${path}`, "utf8")) as T;
const result = read<Result>("result.json");
const lock = read<Lock>("package-lock.json");
const manifests = [".", "older"] as const;

it("has every client, in the order of the table", () => {
  expect(result.clients.map(({ name }) => name)).toEqual(clients.map(({ name }) => name));
});

describe.each(result.clients)("$name", (seen) => {
  const client = clients.find(({ name }) => name === seen.name);

  it.each(transports)("has every step over %s, done or with a reason and what was seen", (transport) => {
    const { steps, revision } = seen.over[transport];
    expect(Object.keys(steps)).toEqual(stepNames);
    const untried = client?.without?.[transport];
    for (const step of stepNames) {
      const cell = steps[step];
      if (cell.done) continue;
      expect(cell.reason, step).toMatch(/^[A-Z].*\.$/);
      expect(cell.reason, step).not.toBe("not explained");
      if (untried === undefined) expect(cell.seen, step).toMatch(/\S/);
      else expect(cell).toEqual({ done: false, reason: untried });
    }
    if (untried === undefined) expect(revision).toMatch(/^20\d\d-\d\d-\d\d$/);
  });

  it("is of the version that is declared", () => {
    const { dependencies } = read<Manifest>(`${client?.folder}/package.json`);
    expect(seen.version).toBe(dependencies[seen.package]);
    expect([seen.form, seen.remark]).toEqual([client?.form, client?.remark]);
  });
});

it.each(manifests)("locks what %s/package.json declares, by exact versions", (folder) => {
  const { dependencies } = read<Manifest>(`${folder}/package.json`);
  expect(lock.packages[folder === "." ? "" : folder]?.dependencies).toEqual(dependencies);
  const nearest = (name: string) =>
    lock.packages[`${folder}/node_modules/${name}`.replace(/^\.\//, "")] ?? lock.packages[`node_modules/${name}`];
  for (const [name, version] of Object.entries(dependencies))
    expect([name, nearest(name)?.version]).toEqual([name, version]);
});

it("shows nothing of the machine that it was run on", () => {
  const text = JSON.stringify(result);
  expect(text).not.toMatch(/\/(tmp|home|root|work|usr)\//);
  expect(text).not.toMatch(/127\.0\.0\.1:\d|plan_\w|Bearer/);
});
