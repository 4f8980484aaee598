/** A property's change put live on the emulator, leg by leg, each under a plan of its own. */
import { beforeEach, expect, it, vi } from "vitest";
import { createWorld } from "../../src/emulator/world.js";
import type { Arguments } from "../../src/language/conduct.js";
import { lineTexts } from "../../src/language/difference-lines.js";
import { Failure } from "../../src/language/failure.js";
import { activationOperations } from "../../src/tools/properties/activations.js";
import { hostnameDifference, treeDifference } from "../../src/tools/properties/difference.js";
import { Hostnames } from "../../src/tools/properties/shapes.js";
import type { Reply } from "../../src/wire/index.js";
import { nextStep, probes } from "../../src/workflows/property-change.js";
import { tryOnStaging } from "../../src/workflows/staging-trial.js";
import { startSteps } from "../../src/workflows/steps.js";
import { callsIn } from "../lab/calls.js";
import { caller } from "../lab/made-up.js";
import { passing } from "../lab/time.js";

const shop = { propertyId: "prp_175780", notifyEmails: ["operations@shop.example"] };
const world = createWorld({ frozenAt: Date.UTC(2026, 4, 20, 12, 30) });
const here = callsIn(world, { callTimeoutMs: 60_000 });
const { calls } = here;
beforeEach(() => world.reset());

it("a version whose only activation was cancelled is not copied", async () => {
  const answered = async (tool: string, args: Arguments): Promise<Reply> => {
    const reply = await calls.invoke(tool, args);
    if (tool !== "property_activations_list") return reply;
    const { activations } = reply.body as { activations: { items: object[] } };
    const cancelled = { ...activations.items[0], propertyVersion: 3, status: "ABORTED" };
    return { ...reply, body: { ...(reply.body as object), activations: { items: [cancelled, ...activations.items] } } };
  };
  const next = await nextStep(probes, shop, { invoke: answered, progress: async () => undefined, isConfirmed: false });
  expect(next).toMatchObject({ tool: "property_version_activate", args: { body: { network: "STAGING" } } });
});

it("a trial on staging warns of what failed and of what was not tried", async () => {
  const names = ["www", "api", "next", "more"].map((name) => `${name}.shop.example`);
  const body = names.map((cnameFrom) => ({ cnameFrom, cnameTo: "www.shop.example.edgesuite.example" }));
  await calls.invoke("property_hostnames_replace", { propertyId: "prp_175780", propertyVersion: 3, body });
  const { body: listed } = await calls.invoke("property_hostnames_list", {
    propertyId: "prp_175780",
    propertyVersion: 3,
  });
  const items = Hostnames.parse(listed).hostnames.items;
  const asked: string[] = [];
  const answered = async (tool: string, args: Arguments): Promise<Reply> => {
    asked.push(tool);
    if (tool === "diag_url_debug_get" && String(args["url"]).includes("api."))
      throw new Failure("rate_limited", "Too many diagnostics in a minute.", { next: "Wait." });
    const reply = await calls.invoke(tool, args);
    if (tool !== "diag_url_debug_get" || !String(args["url"]).includes("next.")) return reply;
    return { ...reply, body: { urlDebug: { httpResponse: [{ name: "Response code", value: "503" }] } } };
  };
  await here.approved("property_change_run", shop);
  world.advance(20_000);
  const { notes, warnings } = await tryOnStaging(
    items,
    startSteps({ invoke: answered, progress: async () => undefined }),
    probes,
  );
  expect(notes[0]).toBe("3 of 4 hostnames are tested on staging.");
  expect(notes.filter((note) => note.includes('"http://www.shop.example/" returned'))).toHaveLength(1);
  expect(warnings.join("\n")).toContain('"http://next.shop.example/" returned "Response code": "503".');
  expect(warnings.join("\n")).toContain("Too many diagnostics in a minute.");
  expect(warnings).toHaveLength(2);
  expect(asked.filter((tool) => tool === "diag_url_debug_get")).toHaveLength(3);
  const none = await tryOnStaging(
    [{ cnameFrom: "*.shop.example", cnameTo: "a.edgesuite.example" }],
    startSteps({ invoke: answered, progress: async () => undefined }),
    probes,
  );
  expect(none.warnings).toEqual(["None of its hostnames could be tested on staging."]);
});

it("wait reports the progress of the zones of an activation", async () => {
  const told: number[] = [];
  const args = {
    propertyId: "175780",
    wait: true,
    body: { propertyVersion: 3, network: "STAGING", notifyEmails: shop.notifyEmails },
  };
  const shown = await here.previewed("property_version_activate", args);
  const progress = async (done: number) => {
    told.push(done);
    // On its way through the zones at the first poll, and there at the second.
    world.advance(told.length === 1 ? 3_000 : 20_000);
  };
  const confirmed = { ...args, confirm: shown.plan.id };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const waiting = calls.call("property_version_activate", confirmed, { ...caller, progress });
  const sent = await passing(waiting, 1_000).finally(() => vi.useRealTimers());
  expect(sent).toMatchObject({ reply: { body: { activations: { items: [{ status: "ACTIVE" }] } } } });
  expect(told[0]).toBe(0);
  expect(told[1]).toBeGreaterThan(0);
  expect(told[1]).toBeLessThan(1);
});

it("a rule tree has one digest, in its header and in its body", async () => {
  const draft = { propertyId: "175780", propertyVersion: 3 };
  const { headers } = await calls.invoke("property_rule_tree_digest_get", draft);
  const { body } = await calls.invoke("property_rule_tree_get", draft);
  expect(headers["etag"]).toBe(`"${(body as { etag: string }).etag}"`);
});

it("differences of trees and hostnames hide hidden variables", () => {
  const tree = (ttl: string, value: string) => ({
    name: "default",
    behaviors: [
      { name: "caching", options: { ttl } },
      { name: "caching", options: { ttl: "5m" } },
    ],
    variables: [{ name: "PMUSER_KEY", value, hidden: true }],
    children: ttl === "1h" ? [{ name: "Old", criteria: [{ name: "path" }] }] : [],
  });
  const linesOf = (...trees: Parameters<typeof treeDifference>) => lineTexts(treeDifference(...trees));
  expect(linesOf(tree("1h", "s3cret"), tree("2h", "s3cret"))).toEqual([
    ...["Caching:", "default › behavior caching › ttl: 1h → 2h"],
    ...["Other:", "- default › Old (path)"],
  ]);
  expect(linesOf(tree("2h", "s3cret"), tree("2h", "0ther"))).toEqual([
    "Other:",
    "default › variable PMUSER_KEY: value hidden → hidden (a different value)",
  ]);
  expect(JSON.stringify(treeDifference(tree("1h", "s3cret"), { name: "default" }))).not.toContain("s3cret");
  const inOrder = (...names: readonly string[]) => ({ name: "default", children: names.map((name) => ({ name })) });
  expect(linesOf(inOrder("a", "b", "c"), inOrder("c", "a", "b"))).toEqual([
    "Other:",
    "default › c: moves from place 3 to place 1",
  ]);
  // A rule whose name reads like a path is quoted.
  const shared = (ttl: string) => ({
    name: "default",
    children: [
      { name: "Shop", children: [{ name: "Images", behaviors: [{ name: "caching", options: { ttl } }] }] },
      { name: "Shop › Images" },
    ],
  });
  expect(linesOf(shared("1h"), shared("2h"))).toEqual([
    "Caching:",
    "default › Shop › Images › behavior caching › ttl: 1h → 2h",
  ]);
  expect(linesOf(shared("1h"), { name: "default" }).at(-1)).toBe('- default › "Shop › Images"');
  const entry = (cnameFrom: string, cnameTo: string) => ({ cnameFrom, cnameTo });
  expect(lineTexts(hostnameDifference([entry("a", "x"), entry("b", "y")], [entry("b", "z"), entry("c", "y")]))).toEqual(
    ["- hostname a to x", "hostname b: to y → z", "+ hostname c to y"],
  );
});

it("an activation is followed by its link to its end", async () => {
  const { awaits } = activationOperations.property_version_activate.spec;
  if (awaits?.status === undefined) throw new Error("nothing is awaited");
  const { body } = await here.answer("property_activations_list", { propertyId: "prp_175780" });
  const [one] = (body as { activations: { items: object[] } }).activations.items;
  const status = (word: string, headers = {}) => ({
    status: 200,
    headers,
    body: { activations: { items: [{ ...one, status: word }] } },
  });
  const launch = {
    status: 201,
    headers: {},
    body: { activationLink: "/papi/v0/properties/prp_1/activations/atv_7?x=1" },
  };
  expect(awaits.follow(launch, { propertyId: "prp_1", groupId: "grp_1" })).toEqual({
    propertyId: "prp_1",
    activationId: "atv_7",
    groupId: "grp_1",
  });
  expect(awaits.follow({ ...launch, body: {} }, {})).toBeUndefined();
  const on = { body: { activationType: "ACTIVATE" } };
  const off = { body: { activationType: "DEACTIVATE" } };
  expect([awaits.isReady(status("ACTIVE"), on), awaits.isReady(status("ZONE_3"), on)]).toEqual([true, false]);
  expect([awaits.isReady(status("DEACTIVATED"), off), awaits.isReady(status("ACTIVE"), off)]).toEqual([true, false]);
  expect([awaits.failure?.(status("ABORTED"), on), awaits.failure?.(status("FAILED"), on)]).toEqual([
    expect.stringContaining("cancelled"),
    expect.stringContaining("not accept"),
  ]);
  const parts = ["PENDING", "ZONE_1", "ZONE_2", "ZONE_3", "ACTIVE"].map((word) => awaits.fraction?.(status(word)) ?? 0);
  expect(parts).toEqual([...parts].sort((a, b) => a - b));
  expect(parts.at(-1)).toBe(1);
  expect([
    awaits.pauseSeconds?.(status("PENDING", { retryAfter: "3" })),
    awaits.pauseSeconds?.(status("PENDING")),
  ]).toEqual([3, undefined]);
});
