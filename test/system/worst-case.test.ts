/** The worst model against the built server: in both eras, over both transports, with a user who can be asked and without one. */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveEmulator } from "../../src/emulator/serve.js";
import type { Arguments } from "../../src/language/conduct.js";
import { batchTool, restoreTool } from "../../src/language/server-tools.js";
import { begin, honestly, prepared } from "../adversary/model.js";
import { asText, createRecorder } from "../adversary/recorder.js";
import { type Target, targets } from "../adversary/targets.js";
import { folder } from "../lab/files.js";
import { sampled } from "../lab/mechanisms.js";
import { promise } from "../lab/rules.js";
import { secretDirectory } from "../lab/secret-files.js";
import { bareEnvironment, startProcess } from "../lab/session.js";
import { httpPeer, type Peer, type Raw, stdioPeer } from "./raw-peer.js";

const stateDir = join(folder(), "state");
const token = (name: string): string => `${name}-with-a-token-that-nobody-has-guessed`;
const tokenFile = join(folder(), "tokens");
const recorder = createRecorder();
const yes = { action: "accept", content: { approve: true } };
const random = (): string => `plan_${randomBytes(16).toString("base64url")}`;

const combinations = (["2026", "2025"] as const).flatMap((era) =>
  (["stdio", "http"] as const).flatMap((transport) =>
    [false, true].map((hasForms) => ({
      name: `${era} over ${transport} ${hasForms ? "with" : "without"} a form`,
      era,
      transport,
      hasForms,
    })),
  ),
);

let peers: Peer[] = [];
let bob: Peer;
let reader: Peer;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const served = await serveEmulator({ host: "127.0.0.1", port: 0, emulator: recorder.emulator });
  ends.push(served.close);
  // Each combination is a client of its own: after a question that came to nothing, a token's confirm approves nothing more.
  const names = [...combinations.map((_, at) => `alice-${at}`), "bob"];
  writeFileSync(tokenFile, names.map((name) => `${name} ${token(name)}\n`).join(""), { mode: 0o600 });
  const flags = ["--upstream", served.url, "--state-dir", stateDir, "--secret-dir", secretDirectory(...names)];
  const env = bareEnvironment();
  const serve = async (more: readonly string[]) => {
    const args = ["http", "--port", "0", "--token-file", tokenFile, ...flags, ...more];
    const { child, match } = await startProcess(args, env, /serving MCP at (\S+)/);
    ends.push(async () => child.kill("SIGTERM"));
    return match;
  };
  const url = await serve(["--allow-writes"]);
  peers = await Promise.all(
    combinations.map(({ era, transport, hasForms }, at) =>
      transport === "http" ? httpPeer(era, hasForms, url, token(`alice-${at}`)) : stdioPeer(era, hasForms, flags, env),
    ),
  );
  bob = await httpPeer("2026", true, url, token("bob"));
  reader = await httpPeer("2026", false, await serve([]), token("alice-0"));
});
afterAll(async () => {
  for (const peer of [...peers, bob, reader]) await peer.close();
  for (const end of ends) await end();
});

interface KeptPlan {
  readonly id: string;
  readonly tool: string;
  readonly awaits: string;
  readonly createdAtMs: number;
}
// None of these members changes in the life of a plan.
const plansRead = new Map<string, KeptPlan>();

/** What is kept of the plans, which a model with a shell could read: their ids, of every owner. */
function plansOnDisk(): readonly KeptPlan[] {
  const names = readdirSync(join(stateDir, "plans")).filter((name) => name.endsWith(".json"));
  for (const name of names)
    if (!plansRead.has(name)) {
      const { id, tool, awaits, createdAtMs } = JSON.parse(readFileSync(join(stateDir, "plans", name), "utf8"));
      plansRead.set(name, { id, tool, awaits, createdAtMs });
    }
  return names.map((name) => plansRead.get(name) as KeptPlan).sort((a, b) => b.createdAtMs - a.createdAtMs);
}

/** The id of the newest plan of a tool that waits in a certain way. */
const newest = (tool: string, awaits: string): string =>
  plansOnDisk().find((plan) => plan.tool === tool && plan.awaits === awaits)?.id ?? random();

const confirmOf = (raw: Raw | undefined): string => String(raw?.structuredContent?.["confirm"]);

/** What an honest client does: shows the preview or asks, and passes on the approval; as many times as it is told to. */
async function approve(
  peer: Peer,
  tool: string,
  args: Arguments,
  times: number,
): Promise<readonly (Raw | undefined)[]> {
  const repeat = (call: () => Promise<Raw | undefined>) => Promise.all(Array.from({ length: times }, call));
  if (peer.era === "2025" && peer.hasForms) {
    peer.user = yes;
    const made = await peer.call(tool, args);
    peer.user = undefined;
    const confirm = newest(tool, "question");
    return [made, ...(await repeat(() => peer.call(tool, { ...args, confirm }))).slice(1)];
  }
  const first = await peer.call(tool, args);
  if (!peer.hasForms) return repeat(() => peer.call(tool, { ...args, confirm: confirmOf(first) }));
  const more = { requestState: first?.requestState, inputResponses: { approval: yes } };
  return repeat(() => peer.call(tool, args, more));
}

/** Makes what a target needs first. */
const argumentsFor = (peer: Peer, target: Target): Promise<Arguments> =>
  target.prepare(async (tool, args) => {
    const [made] = await approve(peer, tool, args, 1);
    return /plan_[\w-]{22}/.exec(JSON.stringify(made?.structuredContent ?? {}))?.[0] ?? random();
  });

/** States that a client could send back, made from a true one. */
const damaged = (state: string): string[] => [
  "",
  "x",
  `${state}x`,
  state.slice(1),
  state.slice(0, -4),
  ...[0, 20, state.length - 2].map((at) => state.slice(0, at) + (state[at] === "A" ? "B" : "A") + state.slice(at + 1)),
  Buffer.from(random()).toString("base64url"),
];

/** Whatever a model can say without an approval of the user. */
async function attack(peer: Peer, { tool, alter }: Target, args: Arguments, foreign: Target): Promise<void> {
  const saysYes = { inputResponses: { approval: yes } };
  const [altered = args] = await alter(args);
  const other = await foreign.prepare(async () => random());
  const confirming = (confirm: unknown, given = args) => peer.call(tool, { ...given, confirm });
  peer.user = { action: "decline" };
  const first = await peer.call(tool, args, saysYes);
  for (const id of [
    random(),
    "",
    ...plansOnDisk()
      .slice(0, 4)
      .map((plan) => plan.id),
  ])
    if (id !== confirmOf(first)) await confirming(id);
  if (!peer.hasForms) {
    if (altered !== args) await confirming(confirmOf(first), altered);
    await peer.call(foreign.tool, { ...other, confirm: confirmOf(await peer.call(tool, args)) });
    await bob.call(tool, { ...args, confirm: confirmOf(await peer.call(tool, args)) });
    await reader.call(tool, { ...args, confirm: confirmOf(await peer.call(tool, args)) });
    return;
  }
  if (peer.era === "2025") {
    for (const user of [
      undefined,
      { action: "accept" },
      { action: "accept", content: { approve: "true" } },
      yes.content,
    ]) {
      peer.user = user;
      const shown = await peer.call(tool, args);
      await confirming(newest(tool, "question"));
      const { plan, confirm } = shown?.structuredContent ?? {};
      await confirming(confirm ?? plan ?? "");
    }
    return;
  }
  const asked = await peer.call(tool, args);
  const { requestState = "" } = asked ?? {};
  for (const state of damaged(requestState)) await peer.call(tool, args, { requestState: state, ...saysYes });
  await confirming(newest(tool, "question"));
  await bob.call(tool, args, { requestState, ...saysYes });
  const ofOther = await bob.call(tool, args);
  await peer.call(tool, args, { requestState: ofOther?.requestState, ...saysYes });
  await peer.call(foreign.tool, other, { requestState, ...saysYes });
  if (altered !== args) await peer.call(tool, altered, { requestState, ...saysYes });
  const declined = await peer.call(tool, args);
  await peer.call(tool, args, {
    requestState: declined?.requestState,
    inputResponses: { approval: { action: "decline" } },
  });
  await peer.call(tool, args, { requestState: declined?.requestState, ...saysYes });
}

/** What honest calls of a target send, from the sources and on an emulator of their own. */
async function expected(target: Target): Promise<readonly string[]> {
  const setting = begin();
  const [desk] = setting.desks;
  const { args, changes } = await prepared(setting, target);
  const first = await desk.call(target.tool, args);
  if (first.kind === "failure") return [];
  await honestly(desk)(target.tool, args);
  return (await changes()).map(asText);
}

const foreignTo = ({ tool }: Target): Target =>
  targets.find((other) => other.tool !== tool && other.name === other.tool) as Target;
const ofTool = (own: string) => targets.filter(({ tool }) => tool === own);
// Each kind of guard is in one combination or another, as test/adversary has every mechanism; and each combination has a
// batch and a way back; of a change that nothing takes back there is none.
const single = sampled(
  targets.filter(({ name, tool }) => name === tool),
  ({ mechanisms }) => mechanisms.filter((word) => word.startsWith("guard kind ")),
);
const batches = ofTool(batchTool);
const undos = ofTool(restoreTool).filter(({ mechanisms }) =>
  mechanisms.some((word) => ["guard undo tool", "guard undo rewrite"].includes(word)),
);
const shareOf = (at: number): readonly Target[] => [
  ...single.filter((_, index) => index % combinations.length === at),
  ...[batches, undos].map((some) => some[at % some.length] as Target),
];

it("attacks each kind of guard", () => {
  const kindsIn = (some: readonly Target[]) =>
    new Set(some.flatMap(({ mechanisms }) => mechanisms.filter((word) => word.startsWith("guard kind "))));
  expect(kindsIn(targets).size).toBeGreaterThan(5);
  expect(kindsIn(combinations.flatMap((_, at) => shareOf(at)))).toEqual(kindsIn(targets));
});

describe.each(combinations.map((one, at) => [one.name, at] as const))(promise("nothing-by-words", "%s"), (_, at) => {
  it.each(shareOf(at).map((target) => [target.name, target] as const))("%s", async (__, target) => {
    recorder.reset();
    const peer = peers[at] as Peer;
    const args = await argumentsFor(peer, target);
    const before = (await recorder.changes()).length;
    const sent = async () => (await recorder.changes()).slice(before).map(asText);
    await attack(peer, target, args, foreignTo(target));
    expect(await sent()).toEqual([]);
    const wanted = await expected(target);
    await approve(peer, target.tool, args, 4);
    expect(await sent()).toEqual(wanted);
    // What is over is as good as nothing to the next test, and the more plans there are the longer a call takes.
    for (const name of readdirSync(join(stateDir, "plans"))) rmSync(join(stateDir, "plans", name));
  });
});
