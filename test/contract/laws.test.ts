/** Laws over all tools: names, hints, sizes and references; those over the listed schemas have a file of their own. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { argumentsSchema } from "../../src/api/arguments.js";
import { formatsOf } from "../../src/api/choice.js";
import type { AnyOperation } from "../../src/api/define.js";
import { effectOf, isRead } from "../../src/api/effect.js";
import { headerArguments } from "../../src/api/header-arguments.js";
import { hintFor } from "../../src/api/hint.js";
import { schemaOfParam } from "../../src/api/media.js";
import { z } from "../../src/api/z.js";
import { anyOperation, isChange } from "../../src/calls/workflow.js";
import { catalogueOf, readingsOf, wholeSchema } from "../../src/mcp/tool.js";
import { accountReadings, allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";

const all = await allServices();
const catalogue = catalogueOf(all);
const operations = all.flatMap((service) =>
  Object.entries(service.operations).map(([name, operation]): [string, AnyOperation] => [name, operation]),
);
const byName = new Map(operations);
/** What a workflow makes, where that says more than a verb. */
const products = ["batch", "chart", "report", "restore", "summary", "timeline"];
const verbs =
  "get list find create update replace delete submit run launch status result activate deactivate cancel suspend resume copy clone move rename lock unlock reset write acknowledge check set remove restore search describe query view compare approve".split(
    " ",
  );

it("gives every operation a name of its own", () => {
  expect(byName.size).toBe(operations.length);
});

describe.each(operations)("%s", (name, operation) => {
  const tool = catalogue.get(name)?.tool;
  const { spec } = operation;

  it("has a name of the grammar, at most 48 characters, with a verb of the closed list last", () => {
    expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/);
    expect(name.length).toBeLessThanOrEqual(48);
    expect(verbs).toContain(name.split("_").at(-1));
  });

  it("lists in the plural, and does everything else to one", () => {
    const [verb, noun = ""] = name.split("_").reverse();
    if (verb === "list") expect(noun).toMatch(/s$/);
  });

  it("has a title, all four hints, and never claims to be a read that destroys", () => {
    expect(tool?.title).toMatch(/\S/);
    const hints = tool?.annotations;
    for (const hint of [hints?.readOnlyHint, hints?.destructiveHint, hints?.idempotentHint, hints?.openWorldHint])
      expect(hint).toBeTypeOf("boolean");
    expect(hints?.readOnlyHint && hints.destructiveHint).toBe(false);
    expect(hints?.destructiveHint).toBe(spec.guard !== undefined);
  });

  it("says what it does in at most 1,024 characters of plain ASCII, and leaves the route to its page", () => {
    expect(tool?.description).toMatch(/^[A-Z]/);
    expect(tool?.description).toMatch(/^[\x20-\x7e]{12,1024}$/);
    expect(tool?.description).not.toContain(operation.route.split(" ")[1]);
  });

  it("lists every argument that it takes, and requires the same ones", () => {
    const whole = wholeSchema(operation);
    expect(Object.keys((tool?.inputSchema["properties"] ?? {}) as object)).toEqual(
      Object.keys(argumentsSchema(operation).shape),
    );
    expect(tool?.inputSchema["required"] ?? []).toEqual(whole["required"] ?? []);
  });

  it("has arguments whose names do not collide", () => {
    const places = [
      ...Object.keys(spec.path ?? {}),
      ...Object.keys(spec.query ?? {}),
      ...headerArguments(operation).map(([, header]) => header.argument),
      ...(spec.body ? ["body"] : []),
      ...(formatsOf(operation).length > 1 ? ["format"] : []),
      ...Object.keys(spec.view?.arguments ?? {}),
      ...(spec.overrides ? ["override"] : []),
      ...(spec.guard ? ["confirm"] : []),
      ...(spec.awaits ? ["wait"] : []),
      ...(spec.period ? ["period"] : []),
      ...(Object.hasOwn(argumentsSchema(operation).shape, "timeZone") ? ["timeZone"] : []),
    ];
    expect(new Set(places).size).toBe(places.length);
  });

  it("refers only to operations, rules and resources that exist", () => {
    const shows = byName.get(spec.shownBy ?? "");
    if (spec.shownBy) expect(shows && isRead(shows)).toBe(true);
    if (spec.lock) expect(byName.has(spec.lock.from)).toBe(true);
    for (const follower of [spec.awaits?.status, spec.awaits?.result])
      if (follower) expect(byName.has(follower)).toBe(true);
    const service = all.find(({ operations: own }) => Object.hasOwn(own, name));
    for (const rule of spec.rules ?? []) expect(Object.keys(service?.rules ?? {})).toContain(rule);
    const hints = Object.keys(spec.errors ?? {}).map((status) => hintFor(spec, Number(status)));
    for (const mentioned of hints.join(" ").match(/\b[a-z]+(_[a-z]+)+\b/g) ?? [])
      expect([...byName.keys()]).toContain(mentioned);
  });

  it("puts every path placeholder into a segment of its own", () => {
    for (const segment of operation.route.split("?")[0]?.split("/") ?? [])
      if (segment.includes("{")) expect(segment).toMatch(/^\{\w+\}$/);
  });
});

it("lets no path value turn one operation into another", () => {
  const segmentsOf = ({ route }: AnyOperation): string[] => (route.split(" ")[1] ?? "").split("/");
  const takes = ({ spec }: AnyOperation, segment: string, literal: string): boolean =>
    schemaOfParam(spec.path?.[segment.slice(1, -1)] ?? z.never()).safeParse(literal).success;
  for (const [name, one] of operations)
    for (const [otherName, other] of operations) {
      const [mine, theirs] = [segmentsOf(one), segmentsOf(other)];
      if (name >= otherName || one.route.split(" ")[0] !== other.route.split(" ")[0] || mine.length !== theirs.length)
        continue;
      // One address names both only if each placeholder takes what stands literally in its place in the other.
      const isShared = mine.every((segment, at) => {
        const counterpart = theirs[at] ?? "";
        if (segment.startsWith("{")) return counterpart.startsWith("{") || takes(one, segment, counterpart);
        return counterpart.startsWith("{") ? takes(other, counterpart, segment) : segment === counterpart;
      });
      expect([name, otherName, isShared]).toEqual([name, otherName, false]);
    }
});

it("shows the outcome of a change by the read of its own path, of the path above it, or of where it goes", () => {
  // What these make stands where their body says, and not at their own path.
  const elsewhere = {
    log_configuration_copy: "log_source_configurations_list",
    // A version is active where its policy says so, and that is what its activation changes.
    edgelogic_policy_version_activate: "edgelogic_policy_get",
  };
  const readOf = (path: string) => operations.find(([, { route }]) => route === `GET ${path}`)?.[0];
  const seen: string[] = [];
  for (const [name, { route, spec }] of operations) {
    if (spec.shownBy === undefined || spec.effect === "launch") continue;
    const [path = ""] = (route.split(" ")[1] ?? "").split("?");
    const shows = readOf(path) ?? readOf(path.replace(/\/[^/]+$/, ""));
    if (shows !== undefined) seen.push(name);
    const expected = new Map(Object.entries(elsewhere)).get(name) ?? shows;
    expect([name, spec.shownBy]).toEqual([name, expected ?? spec.shownBy]);
  }
  expect(seen.length).toBeGreaterThan(20);
  // A request that was sent from an edge stands in the log lines of the same place.
  for (const place of ["location", "ip"])
    expect(byName.get(`diag_${place}_curl_run`)?.spec.shownBy).toBe(`diag_${place}_logs_list`);
});

it("follows a launch to the two paths that the document has for it", () => {
  const follows = [
    ["/ip-addresses/{ipAddress}/is-cdn-ip", "/is-cdn-ip-requests/{requestId}", "is-cdn-ip"],
    ["/estats", "/estats-requests/{requestId}", "estats"],
    ["/cpcodes/{cpCode}/estats", "/estats-requests/{requestId}", "estats"],
    ["/errors/{errorCode}/translate-error", "/translate-error-requests/{requestId}", "translated-error"],
    ["/url-debug", "/url-debug-requests/{requestId}", "debugged-url"],
  ].map(([launch = "", status = "", result = ""]) => [
    `POST /diagnostic-tools/v2${launch}`,
    `GET /diagnostic-tools/v2${status}`,
    `GET /diagnostic-tools/v2${status}/${result}`,
  ]);
  const awaited = [...byName.values()].flatMap(({ route, spec }) => {
    const { awaits } = spec;
    return awaits?.result ? [[route, byName.get(awaits.status)?.route, byName.get(awaits.result)?.route]] : [];
  });
  expect(awaited.sort()).toEqual(follows.sort());
});

it("declares an operation in 15 lines on average, shared shapes aside", () => {
  const files = readdirSync("src/tools", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const lengths = files.flatMap((file) =>
    [...readFileSync(`src/tools/${file}`, "utf8").matchAll(/^( +)\w+: op\((?:.|\n)*?^\1\}?\),$/gm)].map(
      ([text]) => text.split("\n").length,
    ),
  );
  expect(lengths).toHaveLength(operations.length);
  expect(lengths.reduce((sum, one) => sum + one, 0) / lengths.length).toBeLessThanOrEqual(15);
});

const workflows = await allWorkflows();

describe.each(workflows)("%s", (name, { title, does, steps, input, example }) => {
  it("has a name of the same grammar that no operation has, and says what it does", () => {
    expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/);
    expect([...verbs, ...products]).toContain(name.split("_").at(-1));
    expect(byName.has(name)).toBe(false);
    expect(title).toMatch(/\S/);
    expect(does).toMatch(/^[\x20-\x7e]{40,1024}$/);
    if (steps !== undefined) expect(steps.length).toBeGreaterThan(1);
    expect(input.safeParse(example).success).toBe(true);
    expect(input.safeParse({ ...example, nonsense: 1 }).success).toBe(false);
  });
});

describe.each(workflows.flatMap(([name, one]) => (isChange(one) ? [[name, one] as const] : [])))(
  "%s, a composed change",
  (name, { makes, input }) => {
    const entry = catalogueOf(all, workflows).get(name);

    it("ends in an operation that there is, and is listed with that one's effect", () => {
      const made = byName.get(makes);
      expect(made === undefined).toBe(makes === anyOperation);
      expect(entry?.effect).toBe(made ? effectOf(made) : "destructive");
      const isDestructive = entry?.effect === "destructive";
      expect(entry?.tool.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: isDestructive });
    });

    it("can be confirmed", () => {
      expect(Object.keys(input.shape)).toContain("confirm");
    });
  },
);

it("refers to tools and never to resources, which many assistants are never shown", () => {
  const { introductions, resources } = readingsOf(all, workflows);
  const schemes = new Set(["operation:", ...resources.map(({ address }) => new URL(address).protocol)]);
  expect(schemes.size).toBeGreaterThan(3);
  const listed = [...catalogueOf(all, workflows).values()].map(({ tool }) => JSON.stringify(tool));
  for (const text of [...introductions.map(({ text }) => text), ...listed])
    for (const scheme of schemes) expect(text).not.toContain(`${scheme}//`);
});

it("asks every service for the account that tells it", async () => {
  const telling = (await allServices()).flatMap(({ account }) => account ?? []);
  expect(telling.length).toBeGreaterThan(1);
  expect(new Set(await accountReadings())).toEqual(new Set(telling));
  for (const { tool, args } of telling)
    expect(byName.get(tool)?.spec.effect ?? "read", JSON.stringify(args)).toBe("read");
});
