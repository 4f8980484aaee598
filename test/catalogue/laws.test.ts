/** Laws over all tools: names, hints, sizes and references; those over the listed schemas have a file of their own. */
import { describe, expect, it } from "vitest";
import { anyOperation, isChange } from "../../src/calls/workflow.js";
import { operationRows } from "../../src/commands/operations.js";
import type { AnyOperation } from "../../src/language/define.js";
import { effectOf, isRead, readerOf } from "../../src/language/effect.js";
import { hintFor, statusesExplained } from "../../src/language/hint.js";
import { schemaOfParam } from "../../src/language/media.js";
import { memberAt } from "../../src/language/member.js";
import { z } from "../../src/language/z.js";
import { readingsOf } from "../../src/mcp/tool.js";
import { resolvedExample } from "../../src/pages/example.js";
import { accountReadings, allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { problemsOf } from "../lab/checked.js";
import { lawsOver } from "../lab/laws.js";
import { apis, catalogueOfProject, operationsIn, servicesOfProject } from "../lab/project.js";
import { exceptionsTo } from "../lab/tables.js";
import { guardedBesides, operationTable, routeOf } from "../oracles/operation-table.js";

const all = await servicesOfProject();
const catalogue = await catalogueOfProject();
const operations = operationsIn(all);
/** The operations of the setting. */
const byName = new Map(operationsIn(await allServices(apis)));
const effectOfRow = new Map(operationTable.map((row) => [routeOf(row), row.effect]));
const effectInTable = new Map(operationRows(all).map((row) => [row.tool, effectOfRow.get(routeOf(row))]));
/** What a workflow makes, where that says more than a verb. */
const products = ["batch", "chart", "report", "restore", "summary", "timeline"];
const verbs =
  "get list find create update replace delete submit run launch status result activate deactivate cancel suspend resume copy clone move rename lock unlock reset write acknowledge check set remove restore search describe query view compare approve".split(
    " ",
  );

/**
 * The control arguments, which any operation can have in addition to those that its document names; no document may use
 * one of these names.
 */
const serverArguments = ["allPages", "body", "confirm", "format", "override", "period", "timeZone", "view", "wait"];
/** What else some tools take: for a header, the name of a medium, the file of a secret, or a view of their own. */
const ownArguments = exceptionsTo("own argument");
const ownOf = (name: string): readonly string[] =>
  ownArguments.flatMap(([argument, tools]) => (tools.split(" ").includes(name) ? [argument] : []));

const noSuchArgument = "nothing: there is no such argument";

const periods = ["yesterday", "next_24h"];
const noneOf = (names: readonly string[]): object => Object.fromEntries(names.map((name) => [name, null]));

it("gives every operation a unique name", () => {
  expect(new Set(operations.map(([name]) => name)).size).toBe(operations.length);
});

describe("every operation", () =>
  lawsOver(operations, (law, name, operation) => {
    const tool = catalogue.get(name)?.tool;
    const { spec } = operation;
    const listed = Object.keys((tool?.inputSchema["properties"] ?? {}) as object);

    law("every operation's name fits the grammar and ends in a listed verb", () => {
      expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/);
      expect(name.length).toBeLessThanOrEqual(48);
      expect(verbs).toContain(name.split("_").at(-1));
    });

    law("has a title, and all four hints as its row in the table has its effect", () => {
      expect(tool?.title).toMatch(/\S/);
      const hints = tool?.annotations;
      for (const hint of [hints?.readOnlyHint, hints?.destructiveHint, hints?.idempotentHint, hints?.openWorldHint])
        expect(hint).toBeTypeOf("boolean");
      if (apis === "today") return;
      const effect = effectInTable.get(name);
      expect(hints?.readOnlyHint).toBe(effect === "read");
      expect(hints?.destructiveHint).toBe(effect === "destructive" || name in guardedBesides);
    });

    law("every operation is described in at most 1,024 ASCII characters", () => {
      expect(tool?.description).toMatch(/^[A-Z]/);
      expect(tool?.description).toMatch(/^[\x20-\x7e]{12,1024}$/);
      expect(tool?.description).not.toContain(operation.route.split(" ")[1]);
    });

    law("every operation lists each argument of the document or server once", () => {
      const placeholders = [...operation.route.matchAll(/\{(\w+)\}/g)].map(([, placeholder = ""]) => placeholder);
      const asked = { ...resolvedExample(spec.example, Date.now()), ...noneOf(serverArguments) };
      const unknown = problemsOf(name, operation, asked).filter(({ takes }) => takes.startsWith(noSuchArgument));
      const taken = serverArguments.filter((argument) => !unknown.some(({ field }) => field === argument));
      const expected = [...placeholders, ...Object.keys(spec.query ?? {}), ...ownOf(name), ...taken];
      expect(listed.toSorted()).toEqual(expected.toSorted());
      expect(taken.includes("confirm")).toBe(tool?.annotations.destructiveHint);
    });

    law("requires the arguments that no call does without", () => {
      const example = resolvedExample(spec.example, Date.now());
      const isRefused = (argument: string, args: object) =>
        problemsOf(name, operation, args).some(({ field }) => field === argument || field.startsWith(`${argument}.`));
      const needed = Object.keys(example).filter((argument) => {
        const { [argument]: _, ...others } = example;
        // A period stands for the two times that bound it.
        const ways = listed.includes("period") ? periods.map((period) => ({ ...others, period })) : [];
        return [others, ...ways].every((args) => isRefused(argument, args));
      });
      const required = (tool?.inputSchema["required"] ?? []) as readonly string[];
      expect(required.toSorted()).toEqual(needed.toSorted());
    });

    law("refers only to operations, rules and resources that exist", () => {
      const shows = byName.get(readerOf({ spec })?.by ?? "");
      if (readerOf({ spec })?.by) expect(shows && isRead(shows)).toBe(true);
      if (spec.lock) expect(byName.has(spec.lock.from)).toBe(true);
      for (const follower of [spec.awaits?.status, spec.awaits?.result])
        if (follower) expect(byName.has(follower)).toBe(true);
      const service = all.find(({ operations: own }) => Object.hasOwn(own, name));
      for (const rule of spec.rules ?? []) expect(Object.keys(service?.rules ?? {})).toContain(rule);
    });

    law("puts every path placeholder into a segment of its own", () => {
      for (const segment of operation.route.split("?")[0]?.split("/") ?? [])
        if (segment.includes("{")) expect(segment).toMatch(/^\{\w+\}$/);
    });
  }));

it.runIf(apis === "documents")("notes on a status mention only tools that exist", () => {
  const said = operations.flatMap(([, { spec }]) =>
    statusesExplained(spec, true).map((status) => hintFor(spec, status) ?? ""),
  );
  const mentioned = said.flatMap((text) => text.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? []);
  expect(mentioned.length).toBeGreaterThan(20);
  for (const name of mentioned) expect([...byName.keys()]).toContain(name);
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

it("a change's outcome is read at its path, the one above or its target", () => {
  // What these make stands elsewhere.
  const elsewhere = new Map(exceptionsTo("shown elsewhere"));
  const readOf = (path: string) => operations.find(([, { route }]) => route === `GET ${path}`)?.[0];
  const seen: string[] = [];
  for (const [name, { route, spec }] of operations) {
    if (readerOf({ spec })?.by === undefined || spec.effect === "launch") continue;
    const [path = ""] = (route.split(" ")[1] ?? "").split("?");
    const shows = readOf(path) ?? readOf(path.replace(/\/[^/]+$/, ""));
    if (shows !== undefined) seen.push(name);
    const expected = elsewhere.get(name) ?? shows;
    expect([name, readerOf({ spec })?.by]).toEqual([name, expected ?? readerOf({ spec })?.by]);
  }
  if (apis === "today") return;
  expect(seen.length).toBeGreaterThan(20);
  // A request that was sent from an edge stands in the log lines of the same place.
  for (const place of ["location", "ip"])
    expect(byName.get(`diag_${place}_curl_run`)?.spec.shownBy).toBe(`diag_${place}_logs_list`);
});

it.runIf(apis === "documents")("follows a launch to the two paths that the document has for it", () => {
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
    return awaits?.result && route.includes(" /diagnostic-tools/v2/")
      ? [[route, byName.get(awaits.status)?.route, byName.get(awaits.result)?.route]]
      : [];
  });
  expect(awaited.sort()).toEqual(follows.sort());
});

const workflows = (await allWorkflows(apis)).filter(([name]) => catalogue.get(name)?.retired === undefined);

describe("every workflow", () =>
  lawsOver(workflows, (law, name, { title, does, steps, input, example }) => {
    law("every workflow has a description and a name that no operation has", () => {
      expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/);
      expect([...verbs, ...products]).toContain(name.split("_").at(-1));
      expect(byName.has(name)).toBe(false);
      expect(title).toMatch(/\S/);
      expect(does).toMatch(/^[\x20-\x7e]{40,1024}$/);
      if (steps !== undefined) expect(steps.length).toBeGreaterThan(1);
      expect(input.safeParse(example).success).toBe(true);
      expect(input.safeParse({ ...example, nonsense: 1 }).success).toBe(false);
    });
  }));

describe("every composed change", () =>
  lawsOver(
    workflows.flatMap(([name, one]) => (isChange(one) ? [[name, one] as const] : [])),
    (law, name, { makes, input }) => {
      const entry = catalogue.get(name);

      law("every composed change ends in an operation and has its effect", () => {
        const made = byName.get(makes);
        expect(made === undefined).toBe(makes === anyOperation);
        expect(Object.keys(input.shape)).toContain("confirm");
        expect(entry?.effect).toBe(made ? effectOf(made) : "destructive");
        const isDestructive = entry?.effect === "destructive";
        expect(entry?.tool.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: isDestructive });
      });
    },
  ));

it("introductions and listed tools refer to tools, never to resources", async () => {
  const { introductions, resources } = await readingsOf(await allServices(), workflows, apis);
  const schemes = new Set(["operation:", ...resources.map(({ address }) => new URL(address).protocol)]);
  expect(schemes.size).toBeGreaterThan(3);
  const listed = [...catalogue.values()].map(({ tool }) => JSON.stringify(tool));
  for (const text of [...introductions.map(({ text }) => text), ...listed])
    for (const scheme of schemes) expect(text).not.toContain(`${scheme}//`);
});

it.runIf(apis === "documents")("marks every tool that an introduction names", async () => {
  const { introductions } = await readingsOf(await allServices(), workflows, apis);
  expect(introductions.length).toBeGreaterThan(10);
  for (const { text, tools } of introductions)
    expect([text, text.match(/\w+/g)?.filter((word) => catalogue.has(word))]).toEqual([text, tools]);
});

it("reads the account by operations that only read", async () => {
  const telling = await accountReadings(apis);
  expect(telling).toHaveLength(apis === "today" ? 1 : 2);
  for (const { tool } of telling) expect([tool, catalogue.get(tool)?.effect]).toEqual([tool, "read"]);
});

it("`view` is a control argument only, and is listed alike", () => {
  const own = operations.filter(([, { spec }]) =>
    [spec.path, spec.query, spec.headers, spec.view?.arguments].some((some) => some && Object.hasOwn(some, "view")),
  );
  expect(own.map(([name]) => name)).toEqual([]);
  const views = [...catalogue.values()].flatMap(({ tool }) => memberAt(tool.inputSchema, "properties.view") ?? []);
  expect(views.length).toBeGreaterThan(40);
  expect(new Set(views.map((view) => JSON.stringify(view))).size).toBe(1);
});
