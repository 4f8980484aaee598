/** A profile by who calls: only those whom it names may use it, and each road upstream takes the caller's credential. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { operatorOrigin } from "../../src/calls/origin.js";
import { serveHttp } from "../../src/mcp/http/index.js";
import { serverFactory } from "../../src/mcp/server.js";
import { createSubscriptions } from "../../src/mcp/subscriptions.js";
import type { Principal } from "../../src/policy/principal.js";
import { configuredProfiles, profileFor, withEachCredential } from "../../src/profiles/index.js";
import { inDepth } from "../lab/depth.js";
import { caller } from "../lab/made-up.js";
import type { Result } from "../lab/session.js";
import { eventually } from "../lab/time.js";
import { configFile, fieldsOf, purge, type Recorder, startRecorder, surfaceWith } from "./two.js";

const names = ["ann", "bob", "eve"] as const;
type Name = (typeof names)[number];
const tokenOf = (name: Name): string => `${name}-has-a-token-of-more-than-32-characters`;
const keyOf = (name: string): string => fieldsOf(name).clientToken;

let upstream: Recorder;
let served: Awaited<ReturnType<typeof surfaceWith>>;
let close: () => Promise<void>;
const clients = {} as Record<Name, Client>;
beforeAll(async () => {
  upstream = await startRecorder();
  const credentials = (["ann", "bob"] as const).map((subject) => ({ subject, credential: fieldsOf(subject) }));
  const baseUrl = upstream.origin;
  const profiles = {
    shared: { baseUrl, credential: fieldsOf("own"), credentials: credentials.slice(0, 1) },
    personal: { baseUrl, credentials },
    limited: { baseUrl, credential: fieldsOf("own"), only: { subjects: ["a*"] } },
  };
  served = await surfaceWith(["--config", configFile({ profiles }, 0o600)]);
  const { surface } = served;
  const follows = createSubscriptions(surface);
  const http = await serveHttp({
    ...{
      build: serverFactory(surface, undefined, follows),
      subscriptions: follows,
      host: "127.0.0.1",
      port: 0,
      allowedHosts: [],
    },
    ...{ clients: names.map((name) => ({ name, token: tokenOf(name) })), allowsWrites: true, log: () => undefined },
  });
  close = http.close;
  for (const name of names) {
    const headers = { authorization: `Bearer ${tokenOf(name)}` };
    const client = new Client({ name, version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers } }));
    clients[name] = client;
  }
});
afterAll(async () => {
  for (const client of Object.values(clients)) await client.close();
  await close();
  await (await served.engine()).close();
  await upstream.close();
});
beforeEach(() => void upstream.seen.splice(0));

const used = (): readonly string[] => [...new Set(upstream.seen.map(({ token }) => token))];
const call = async (name: Name, profile: string, tool: string, args: object = {}) =>
  (await clients[name].callTool({ name: tool, arguments: { ...args, profile } })) as unknown as Result;
const event = { eventId: "20051" };

it.each<[Name, string, string]>([
  ["ann", "shared", "ann"],
  ["bob", "shared", "own"],
  ["eve", "shared", "own"],
  ["ann", "personal", "ann"],
  ["bob", "personal", "bob"],
  ["ann", "limited", "own"],
])("a call of %s in the profile %s has the credential of %s", async (name, profile, of) => {
  expect((await call(name, profile, "event_get", event)).isError).toBeUndefined();
  expect(used()).toEqual([keyOf(of)]);
});

it("a change has the credential of its caller, whoever approves it", async () => {
  const { plans } = await served.engine();
  const previewed = await call("ann", "personal", "purge_submit", purge);
  const plan = String(previewed.structuredContent["confirm"]);
  expect((await plans.find(plan))?.plan.requester).toMatchObject({ subject: "ann" });
  expect((await call("bob", "personal", "purge_submit", { ...purge, confirm: plan })).isError).toBe(true);
  const made = await call("ann", "personal", "purge_submit", { ...purge, confirm: plan });
  expect(made.structuredContent).toMatchObject({ status: 201 });
  expect(upstream.seen.filter(({ method }) => method === "POST").map(({ token }) => token)).toEqual([keyOf("ann")]);
});

it.each([
  ["eve", "personal"],
  ["bob", "limited"],
  ["eve", "limited"],
] as const)("a call of %s in profile %s is refused unsent", async (name, profile) => {
  const { isError, content } = await call(name, profile, "event_get", event);
  expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining(`${profile} is not for this caller`)]);
  const { resources } = await clients[name].listResources();
  const [resource] = resources.filter(({ uri }) => uri.endsWith(`profile=${profile}`));
  await expect(clients[name].readResource({ uri: resource?.uri ?? "" })).rejects.toThrow("is not for this caller");
  expect(upstream.seen).toEqual([]);
});

it("a limited profile is listed for all, with a sentence that says so", async () => {
  const { tools } = await clients.bob.listTools();
  const { properties } = tools.find(({ name }) => name === "event_get")?.inputSchema ?? expect.fail();
  expect(properties?.["profile"]).toMatchObject({ enum: ["shared", "personal", "limited"] });
  expect(clients.bob.getInstructions()).toContain("Only certain callers may use limited");
});

/** Purges in the profile of persons, and returns the live address of that purge, with its id. */
async function purged(name: Name) {
  const { structuredContent } = await call(name, "personal", "purge_submit", purge);
  const args = { ...purge, confirm: structuredContent["confirm"] };
  const done = await call(name, "personal", "purge_submit", args);
  const [address = "", id = ""] = /live:\/\/[^\s"]*purgeId=([\w-]+)[^\s"]*/.exec(JSON.stringify(done)) ?? [];
  return { address, id };
}

/** The purges that had a subscriber before: one of their polls may be under way when the next test begins. */
const followed: string[] = [];
it.each(["ann", "bob"] as const)("every request for %s upstream has that credential, and no other", async (name) => {
  const client = clients[name];
  const { resources } = await client.listResources();
  const own = resources.filter((one) => one.uri.endsWith("profile=personal"));
  for (const { uri } of inDepth(own, own.slice(0, 3))) await client.readResource({ uri });
  const read = upstream.seen.length;
  expect(read).toBeGreaterThan(0);
  const { resourceTemplates } = await client.listResourceTemplates();
  const context = { arguments: { profile: "personal" } };
  for (const { uriTemplate: uri } of resourceTemplates)
    for (const [, name = ""] of uri.matchAll(/\{(\w+)\}/g))
      await client
        .complete({ ref: { type: "ref/resource", uri }, argument: { name, value: "" }, context })
        .catch(() => undefined);
  const completed = upstream.seen.length;
  expect(completed).toBeGreaterThan(read);
  const { address, id } = await purged(name);
  const before = upstream.seen.length;
  await client.subscribeResource({ uri: address });
  await client.readResource({ uri: address });
  expect(upstream.seen.length).toBeGreaterThan(before);
  await client.unsubscribeResource({ uri: address });
  const seen = upstream.seen.filter(({ path }) => !followed.some((id) => path.includes(id)));
  expect([...new Set(seen.map(({ token }) => token))]).toEqual([keyOf(name)]);
  followed.push(id);
});

it("a job with two subscribers is read with the credential of each", async () => {
  const { address, id } = await purged("ann");
  followed.push(id);
  upstream.seen.splice(0);
  const follows = createSubscriptions(served.surface);
  const ends = ["ann", "bob"].map((subject) => {
    const who = { owner: "client:o", principal: { subject, groups: [], scopes: ["edgewise:read"] }, tokenName: "o" };
    return follows.subscribe(who, undefined, address, () => undefined);
  });
  const tokens = () => upstream.seen.filter(({ path }) => path.includes(id)).map(({ token }) => token);
  await eventually(() => expect(new Set(tokens())).toEqual(new Set([keyOf("ann"), keyOf("bob")])));
  for (const end of ends) (await end)?.();
});

const read = async (profile: object) =>
  (await configuredProfiles({ config: configFile({ profiles: { p: profile } }) }))?.profiles[0];
const issuer = "https://login.example.com";
const alice = { subject: "alice", issuer, groups: ["ops"], scopes: [] } satisfies Principal;
const credentials = [
  { subject: "alice", issuer: "https://other.example.com", credential: { section: "other" } },
  { subject: "alice", issuer: alice.issuer, credential: { section: "alice" } },
  { subject: "ci", credential: { command: ["pass", "ci"] } },
];

it("a subject has its credential in its issuer, others the profile's", async () => {
  const profile = (await read({ credential: { section: "own" }, credentials })) ?? expect.fail();
  const sectionFor = (principal: Principal | undefined) =>
    profileFor(profile, { principal, tokenName: "t" }).credential;
  expect(sectionFor(alice)).toEqual({ kind: "file", section: "alice" });
  expect(sectionFor({ ...alice, issuer: "https://third.example.com" })).toEqual({ kind: "file", section: "own" });
  expect(sectionFor({ subject: "ci", groups: [], scopes: [] })).toMatchObject({ kind: "command", program: "pass" });
  expect(sectionFor(undefined)).toEqual({ kind: "file", section: "own" });
  expect(withEachCredential(profile)).toHaveLength(4);
});

it("a limit holds for everyone over HTTP and not for the local user", async () => {
  const profile = (await read({ only: { groups: ["ops"] } })) ?? expect.fail();
  expect(profileFor(profile, { principal: alice, tokenName: "t" }).name).toBe("p");
  expect(profileFor(profile, operatorOrigin).name).toBe("p");
  for (const principal of [{ ...alice, groups: [] }, undefined])
    expect(() => profileFor(profile, { principal, tokenName: "anonymous" })).toThrow("not for this caller");
});

it.each([
  [{ only: {} }, /profiles\.p\.only .*takes at least one of subjects, issuers, groups, clients, scopes/],
  [{ credentials: [] }, /profiles\.p\.credentials takes a list of at least one item/],
  [{ credentials: [{ subject: "a" }] }, /profiles\.p\.credentials\[0\]\.credential is required/],
])("an error of a profile names the member: %j", async (profile, message) => {
  await expect(read(profile)).rejects.toThrow(message);
});

it("the local user has the profile's credential, and no subject's", async () => {
  const engine = await served.engine();
  await (await engine.runtimeFor("shared", operatorOrigin)).calls.call("event_get", event, caller);
  expect(used()).toEqual([keyOf("own")]);
  await expect(engine.runtimeFor("personal", operatorOrigin)).rejects.toThrow("not for this caller");
});
