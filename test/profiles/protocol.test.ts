/** Profiles as a client meets them: the default one, call tools, questions, resources, prompts, completions, stored results. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { MenuChoice } from "../../src/engine/menu.js";
import { sealState, unsealState } from "../../src/mcp/call.js";
import { serveHttp } from "../../src/mcp/http/index.js";
import { serverFactory } from "../../src/mcp/server.js";
import { promise } from "../lab/rules.js";
import { httpPeer } from "../system/raw-peer.js";
import { clientOf, configFile, purge, surfaceWith } from "./two.js";

type Asked = (message: string) => unknown;
async function connect(flags: readonly string[], choice: Partial<MenuChoice> = {}, answer?: Asked) {
  const logged: string[] = [];
  const served = await surfaceWith(["--emulator", ...flags], choice, (line) => void logged.push(line));
  const close = async () => (await served.engine()).close();
  return { ...(await clientOf(served.surface, answer)), logged, close };
}

let two: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  two = await connect(["--profiles", "one,two"]);
});
afterAll(() => two.close());

it("a call with no profile or a wrong one is refused with the names", async () => {
  const event = { eventId: "20051" };
  for (const [args, says] of [
    [event, { fields: [{ field: "profile", takes: "one of one, two" }], upstream: "no profile" }],
    [{ ...event, profile: "tow" }, { message: expect.stringContaining('"two"') }],
  ] as const)
    expect((await two.call("event_get", args)).structuredContent).toMatchObject({ error: "invalid_input", ...says });
  const lines = () => two.logged.filter((line) => line.includes('"account":"no profile"'));
  await expect.poll(lines).toHaveLength(2);
});

it("a call's result and its audit line name the profile", async () => {
  const { structuredContent, content } = await two.call("event_get", { eventId: "20051", profile: "two" });
  expect(structuredContent).toMatchObject({ status: 200, profile: "two" });
  expect(content[0]?.text).toMatch(/^HTTP 200 \(profile two, /);
  // The record of a read is written after its answer.
  await expect.poll(() => two.logged.join("\n")).toContain('"account":"profile two: the emulator"');
});

it("a corrected call keeps its profile", async () => {
  const { structuredContent } = await two.call("event_get", { eventid: "20051", profile: "two" });
  expect(structuredContent["corrected"]).toEqual({
    tool: "event_get",
    arguments: { eventId: "20051", profile: "two" },
  });
});

it("a call without a profile uses the default one and says which", async () => {
  const config = configFile({ defaultProfile: "one", profiles: { one: {}, two: {} } });
  for (const [flags, profile] of [
    [["--config", config], "one"],
    [["--config", config, "--profile", "two"], "two"],
  ] as const) {
    const { client, call, close } = await connect(flags);
    expect((await call("event_get", { eventId: "20051" })).structuredContent).toMatchObject({ status: 200, profile });
    const { tools } = await client.listTools();
    const listed = tools.find(({ name }) => name === "event_get")?.inputSchema;
    expect(listed?.properties?.["profile"]).toEqual({ type: "string", enum: ["one", "two"], default: profile });
    expect(listed?.required).toEqual(["eventId"]);
    await close();
  }
});

it("a call tool takes the profile beside the tool, or in its arguments", async () => {
  const { call, close } = await connect(["--profiles", "one,two"], { surface: "catalogue" });
  const event = { tool: "event_get", arguments: { eventId: "20051" } };
  const inside = { ...event, arguments: { ...event.arguments, profile: "two" } };
  for (const asked of [{ ...event, profile: "two" }, inside])
    expect((await call("operation_read", asked)).structuredContent).toMatchObject({ status: 200, profile: "two" });
  expect((await call("operation_read", event)).structuredContent).toMatchObject({ error: "invalid_input" });
  await close();
});

it("a question begins with the profile, and so does its result", async () => {
  const asked: string[] = [];
  const { call, close } = await connect(["--profiles", "one,two"], {}, (message) => {
    asked.push(message);
    return { action: "accept", content: { approve: true } };
  });
  const { structuredContent } = await call("purge_submit", { ...purge, profile: "two" });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatch(/^In profile two: REMOVE /);
  expect(structuredContent).toMatchObject({ status: 201, profile: "two" });
  await close();
});

it("the answer to a question of one profile approves nothing in another", async () => {
  const { surface, engine } = await surfaceWith(["--emulator", "--profiles", "one,two"]);
  const token = "a-token-of-more-than-32-characters-01";
  const { url, close } = await serveHttp({
    ...{ build: serverFactory(surface), host: "127.0.0.1", port: 0, allowedHosts: [] },
    ...{ clients: [{ name: "test", token }], allowsWrites: true, log: () => undefined },
  });
  const peer = await httpPeer("2026", true, url, token);
  const call = (profile: string, more: object = {}) => peer.call("purge_submit", { ...purge, profile }, more);
  const inputResponses = { approval: { action: "accept", content: { approve: true } } };
  const { requestState } = (await call("one")) ?? {};
  const crossed = await call("two", { requestState, inputResponses });
  // It is asked about there, as if nothing had come with it.
  expect(crossed?.structuredContent).toBeUndefined();
  expect(JSON.stringify(crossed?.inputRequests)).toContain("In profile two: REMOVE");
  const made = await call("one", { requestState, inputResponses });
  expect(made?.structuredContent).toMatchObject({ status: 201, profile: "one" });
  await peer.close();
  await close();
  await (await engine()).close();
});

it("a question carries its profile in the sealed state", () => {
  const ctx = { mcpReq: { method: "tools/call" } } as Parameters<typeof sealState>[1];
  const [key, other] = [randomBytes(32), randomBytes(32)];
  for (const profile of ["one", undefined]) {
    const state = sealState({ plan: "plan_x", profile }, ctx, key);
    expect(() => unsealState(state, ctx, [other])).toThrow("The state was not sealed here for this client.");
    expect(unsealState(state, ctx, [other, key])).toEqual(JSON.parse(JSON.stringify({ plan: "plan_x", profile })));
    expect(Buffer.from(state, "base64url").toString("latin1")).not.toContain("one");
  }
});

it("the instructions name the profiles if there are several", async () => {
  expect(two.client.getInstructions()).toContain("Each call takes an argument profile, one of one, two");
  const bare = await connect(["--profiles", "one"]);
  expect(bare.client.getInstructions()).not.toContain("profile names");
  await bare.close();
});

it(promise("results-of-profile", "a kept result is found in its profile alone"), async () => {
  const { structuredContent } = await two.call("report_types_list", { max_tokens: 200, profile: "one" });
  const [, handle = ""] = /(result:\/\/[\w-]+\?profile=one)/.exec(String(structuredContent["notes"])) ?? [];
  expect((await two.client.readResource({ uri: handle })).contents).toHaveLength(1);
  expect((await two.call("result_get", { handle, profile: "one" })).isError ?? false).toBe(false);
  for (const [uri, says] of [
    [handle.replace("=one", "=two"), /not found/],
    [handle.replace(/\?.*/, ""), /add \?profile= with one of/],
    [`${handle}x`, /did you mean "one"/],
  ] as const)
    await expect(two.client.readResource({ uri })).rejects.toThrow(says);
});

it("a live address is read and subscribed to in its profile alone", async () => {
  const preview = await two.call("purge_submit", { ...purge, profile: "two" });
  const { confirm } = preview.structuredContent;
  const { structuredContent } = await two.call("purge_submit", { ...purge, profile: "two", confirm });
  const notes = String(structuredContent["notes"]);
  const [uri = ""] = /live:\/\/purge_submit\?purgeId=[\w-]+&profile=two/.exec(notes) ?? [];
  expect(JSON.stringify((await two.client.readResource({ uri })).contents)).toContain("purgeId");
  await two.client.subscribeResource({ uri });
  await two.client.unsubscribeResource({ uri });
  const elsewhere = await two.client.readResource({ uri: uri.replace("=two", "=one") });
  expect(elsewhere.contents).toMatchObject([{ text: expect.stringContaining('"purgeStatus":"Unknown"') }]);
  await expect(two.client.readResource({ uri: uri.replace("&profile=two", "") })).rejects.toThrow(/profile/);
  await expect(two.client.subscribeResource({ uri: `${uri}x` })).rejects.toThrow(/did you mean "two"/);
});

it("an account's resources are listed per profile, others once", async () => {
  const { resources } = await two.client.listResources();
  const bare = await connect([]);
  const usual = (await bare.client.listResources()).resources;
  await bare.close();
  const mine = resources.filter(({ uri }) => uri.includes("?profile="));
  expect(mine.length).toBeGreaterThan(0);
  expect(resources.length).toBe(usual.length + mine.length / 2);
  const { contents } = await two.client.readResource({ uri: mine[0]?.uri ?? "" });
  expect(contents).toHaveLength(1);
  const { resourceTemplates } = await two.client.listResourceTemplates();
  const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
  expect(templates).toContain("operation://{tool}");
  expect(templates).toContain("result://{handle}{?profile}");
  expect(templates).toContain("alert://templates/{templateId}{?profile}");
});

it("completion and prompts use the profile of their arguments", async () => {
  const ref = { type: "ref/resource" as const, uri: "alert://templates/{templateId}{?profile}" };
  const complete = async (name: string, value: string, args: Record<string, string> = {}) =>
    (await two.client.complete({ ref, argument: { name, value }, context: { arguments: args } })).completion.values;
  expect(await complete("profile", "t")).toEqual(["two"]);
  expect(await complete("templateId", "s@1", { profile: "two" })).toEqual(["s@1", "s@134"]);
  expect(await complete("templateId", "s@1")).toEqual([]);
  const { prompts } = await two.client.listPrompts();
  for (const { arguments: known = [] } of prompts) expect(known[0]).toMatchObject({ name: "profile", required: true });
  const args = { what: "https://www.example.com/", profile: "two" };
  const { messages } = await two.client.getPrompt({ name: "purge_safely", arguments: args });
  expect(JSON.stringify(messages)).toContain('Use the profile two: give each call profile \\"two\\".');
  const { profile: _, ...without } = args;
  const lacking = two.client.getPrompt({ name: "purge_safely", arguments: without });
  await expect(lacking).rejects.toThrow(/profile: one of one, two/);
});
