/** Which service a request is for: the roots beside the catalogue's imports, held against the declared routes. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { operationRows } from "../../src/commands/operations.js";
import { usualErrorFormat } from "../../src/emulator/reply.js";
import type { ServiceEntry } from "../../src/emulator/router.js";
import { emulateService } from "../../src/emulator/service.js";
import { json, op } from "../../src/language/define.js";
import { service } from "../../src/language/service.js";
import { z } from "../../src/language/z.js";
import { allServices, type ServiceName, services } from "../../src/tools/index.js";
import { holdsForEach } from "../lab/laws.js";
import { startRaw } from "../lab/raw.js";

const names = Object.keys(services) as ServiceName[];

const all = await allServices();
const replacedBy = (name: string) => all.find((one) => one.name === name)?.replaces?.services ?? [];
/** Whether one of two services is the other with some operations changed, so that they have the same roots. */
const isCarriedOver = (one: ServiceName, other: ServiceName): boolean =>
  (replacedBy(one).includes(other) || replacedBy(other).includes(one)) &&
  services[one].roots.join() === services[other].roots.join();

it("every service has paths under its roots only, and a path per root", () =>
  holdsForEach(names, async (name) => {
    // With the values of arguments that have separate rows, because a path may begin with one.
    const paths = operationRows([await services[name]()]).map(({ path }) => path);
    for (const path of paths) {
      const owners = names.filter((one) => services[one].roots.some((root) => path.startsWith(root)));
      expect([path, owners.filter((one) => !isCarriedOver(one, name))]).toEqual([path, [name]]);
    }
    for (const root of services[name].roots)
      expect([root, paths.some((path) => path.startsWith(root))]).toEqual([root, true]);
  }));

const about = { document: "A", title: "A", about: "A", standing: { state: "alive" }, rules: {} } as const;
const answering = { does: "x", returns: { 200: json(z.string()) }, example: {} } as const;
const first = emulateService(
  service("first", { ...about, name: "first", operations: { first_get: op("GET /shared/v1/a", answering) } }),
  usualErrorFormat,
  { first_get: () => ({ status: 200, body: "first" }) as const },
);
const second = emulateService(
  service("second", {
    ...about,
    name: "second",
    operations: { second_get: op("GET /shared/v1/<vendor>-lists/a", answering) },
  }),
  usualErrorFormat,
  { second_get: () => ({ status: 200, body: "second" }) as const },
);

describe("two services with a common first segment", () => {
  const start = () => {
    const loads: string[] = [];
    const entry = (root: string, emulatedService: typeof first | typeof second): ServiceEntry => ({
      roots: [root],
      load: () => {
        loads.push(emulatedService.service.name);
        return Promise.resolve(emulatedService);
      },
    });
    const entries = [entry("/shared/v1/", first), entry("/shared/v1/<vendor>-lists/", second)];
    return { loads, ...startRaw({ entries, vendor: "acme" }) };
  };

  it("are distinguished by the longest root", async () => {
    const { get } = start();
    expect((await get("/shared/v1/a")).json()).toBe("first");
    expect((await get("/shared/v1/acme-lists/a")).json()).toBe("second");
    expect((await get("/shared/v2/a")).status).toBe(404);
  });

  it("are each loaded on their first request, and once", async () => {
    const { get, loads } = start();
    await get("/elsewhere");
    expect(loads).toEqual([]);
    for (const path of ["/shared/v1/a", "/shared/v1/a", "/shared/v1/nothing"]) await get(path);
    expect(loads).toEqual(["first"]);
    await Promise.all([get("/shared/v1/acme-lists/a"), get("/shared/v1/acme-lists/a")]);
    expect(loads).toEqual(["first", "second"]);
  });
});

it("loads no declaration and no behaviour with the emulator itself", () => {
  const root = fileURLToPath(new URL("../../src/", import.meta.url));
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    // Imports of types are gone when the program runs, and those in functions wait for a call.
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(
      /^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)"/gm,
    ))
      visit(join(dirname(file), path.replace(/\.js$/, ".ts")));
  };
  visit(join(root, "emulator/index.ts"));
  const own = [...loaded].map((file) => file.slice(root.length).replaceAll("\\", "/"));
  expect(own).toContain("emulator/router.ts");
  expect(own.filter((file) => /^tools\/|\/services\//.test(file)).sort()).toEqual([
    "emulator/services/index.ts",
    "tools/index.ts",
  ]);
});
