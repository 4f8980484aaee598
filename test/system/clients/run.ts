/**
 * Installs the clients as the lock file has them, has each do every step against the built server, over stdio and HTTP,
 * and writes what was seen to `result.json`. Fails on a gap that is not known and on one that is closed.
 */
import { execFileSync, fork } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { catalogueOf } from "../../../src/mcp/tool.js";
import { allServices } from "../../../src/tools/index.js";
import { allWorkflows } from "../../../src/workflows/index.js";
import { type Client, clients, type Transport, transports } from "./clients.js";
import { type Gap, gaps } from "./gaps.js";
import type { Cell, Result } from "./result.js";
import { serve } from "./served.js";
import { type Ask, type Round, type Step, type StepName, stepNames, steps } from "./steps.js";

const folder = resolve("test/system/clients");
const newerNode = join(folder, "node_modules/node/bin/node");
const limitMs = 60_000;
const tools = [...catalogueOf(await allServices("documents"), await allWorkflows()).values()];
const names = tools.map(({ tool }) => tool.name);
// A batch is what it holds, and here it can only hold reads.
const reads = tools
  .filter(({ tool, holdsCalls }) => holdsCalls || tool.annotations?.readOnlyHint)
  .map(({ tool }) => tool.name);
const versionOf = (path: string): string => (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;

/**
 * Installs what the lock file has, without what is optional, which no client needs for this, and without any package's
 * scripts but those of the newer Node, which comes in one; others report to their makers. `npm ci` would refuse the lock
 * file where a registry lacks packages for other platforms; what was installed is compared with it instead.
 */
function install(): void {
  const lock = join(folder, "package-lock.json");
  const before = readFileSync(lock, "utf8");
  const npm = (...args: readonly string[]) => execFileSync("npm", args, { cwd: folder, stdio: ["ignore", 2, 2] });
  // What the clients ask of Node is met by the newer one, not by the one that npm runs on: `.npmrc` would refuse them.
  npm("install", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", "--engine-strict=false");
  npm("rebuild", "node", "--ignore-scripts=false", "--loglevel", "error");
  if (readFileSync(lock, "utf8") !== before) throw new Error(`${lock} did not fit package.json and was written again`);
}

/** A home where nothing is kept, and no client that reports its use. */
function environment(): Record<string, string> {
  const home = mkdtempSync(join(tmpdir(), "edgewise-client-"));
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    USERPROFILE: home,
    DO_NOT_TRACK: "1",
    MASTRA_TELEMETRY_DISABLED: "1",
    MCP_USE_ANONYMIZED_TELEMETRY: "false",
    OPENAI_AGENTS_DISABLE_TRACING: "1",
  };
}

/** What was seen, without what differs from run to run or belongs to this machine. */
function asSeen(text: string): string {
  const line = text
    .replaceAll(/plan_[\w-]{10,}/g, "plan_…")
    .replaceAll(resolve("."), "")
    .replaceAll(tmpdir(), "")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:…")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…")
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > 200 ? `${line.slice(0, 200).trimEnd()}…` : line;
}

class Lacking extends Error {
  constructor(readonly absent: { readonly reason: string; readonly seen: string }) {
    super(absent.reason);
  }
}

/** Starts a driver on the Node that its client needs. */
async function start({ driver, needsNewerNode }: Client, env: Record<string, string>) {
  const child = fork(join(folder, "host.mjs"), [driver], {
    execPath: needsNewerNode ? newerNode : process.execPath,
    execArgv: [],
    env,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  await new Promise((done, fail) => {
    child.once("message", done);
    child.once("exit", () => fail(new Error(`the driver ${driver} does not load`)));
  });
  let last = 0;
  const ask: Ask = (name, ...args) => {
    last += 1;
    const id = last;
    return new Promise((done, fail) => {
      const timer = setTimeout(() => fail(new Error(`no answer in ${limitMs / 1000} seconds`)), limitMs);
      const ended = () => fail(new Error("the client's process ended"));
      child.once("exit", ended);
      child.on("message", function hear(message: { id: number; value?: unknown; error?: string }) {
        if (message.id !== id) return;
        clearTimeout(timer);
        child.off("message", hear);
        child.off("exit", ended);
        const { absent } = (message.value ?? {}) as { absent?: Lacking["absent"] };
        if (message.error !== undefined) fail(new Error(message.error));
        else if (absent) fail(new Lacking(absent));
        else done(message.value);
      });
      child.send({ id, name, args });
    });
  };
  return { ask, stop: () => child.kill("SIGKILL") };
}

const unknown: string[] = [];
const open = new Set<Gap>();

function explained(client: string, transport: Transport, step: StepName, seen: string): Cell {
  const gap = gaps.find(
    (one) =>
      one.client === client &&
      one.step === step &&
      (one.transport ?? transport) === transport &&
      seen.includes(one.seen),
  );
  if (gap) open.add(gap);
  else unknown.push(`${client} over ${transport}, ${step}: ${seen}`);
  return { done: false, reason: gap?.reason ?? "not explained", seen };
}

/** One connection of a client that does the steps given. */
async function round(client: Client, transport: Transport, todo: readonly StepName[], asksUser: boolean) {
  const env = environment();
  const onlyReads = transport === "http" && client.sendsNoHeaders === true;
  const served = await serve(transport, env, !onlyReads);
  const { ask, stop } = await start(client, env);
  const cells: [StepName, Cell][] = [];
  const shared: Round = { ask, tools: onlyReads ? reads : names };
  let broken: string | undefined;
  await ask("open", served.target, asksUser).catch((error: Error) => {
    broken = error.message;
  });
  for (const name of todo) {
    const step: Step = steps[name];
    const cell = await (broken === undefined ? step.run(shared) : Promise.reject(new Error(broken)))
      .then(
        (seen): Cell => (seen === undefined ? { done: true } : explained(client.name, transport, name, asSeen(seen))),
      )
      .catch(
        (error: Error): Cell =>
          error instanceof Lacking
            ? { done: false, ...error.absent }
            : explained(client.name, transport, name, asSeen(error.message)),
      );
    cells.push([name, cell]);
  }
  await ask("close").catch(() => undefined);
  stop();
  await served.stop();
  return { cells, revision: served.revisions().at(-1) };
}

async function over(client: Client, transport: Transport) {
  const reason = client.without?.[transport];
  if (reason !== undefined)
    return { steps: Object.fromEntries(stepNames.map((name) => [name, { done: false, reason }])) };
  const isAsking = (name: StepName): boolean => (steps[name] as Step).asksUser === true;
  const silent = await round(
    client,
    transport,
    stepNames.filter((name) => !isAsking(name)),
    false,
  );
  const asking = await round(client, transport, stepNames.filter(isAsking), true);
  const cells = new Map([...silent.cells, ...asking.cells]);
  const done = [...cells.values()].filter((cell) => cell.done).length;
  console.error(`${client.name} over ${transport}: ${done} of ${stepNames.length}`);
  return {
    ...(silent.revision === undefined ? {} : { revision: silent.revision }),
    steps: Object.fromEntries(stepNames.map((name) => [name, cells.get(name)])),
  };
}

install();
const node = { own: process.versions.node, newer: versionOf(join(folder, "node_modules/node/package.json")) };
const results: unknown[] = [];
for (const client of clients) {
  const seen: [Transport, unknown][] = [];
  for (const transport of transports) seen.push([transport, await over(client, transport)]);
  results.push({
    name: client.name,
    package: client.package,
    version: versionOf(join(folder, client.folder, "node_modules", client.package, "package.json")),
    form: client.form,
    remark: client.remark,
    node: client.needsNewerNode ? node.newer : node.own,
    over: Object.fromEntries(seen),
  });
}
const result = {
  date: new Date().toISOString().slice(0, 10),
  server: { version: versionOf("package.json"), node: node.own, tools: tools.length },
  clients: results,
} as Result;
const closed = gaps.filter((gap) => !open.has(gap));
for (const line of unknown) console.error(`not explained: ${line}`);
for (const { client, step, reason } of closed) console.error(`closed, take it out: ${client}, ${step}: ${reason}`);
writeFileSync(join(folder, "result.json"), `${JSON.stringify(result, null, 2)}\n`);
process.exitCode = unknown.length + closed.length === 0 ? 0 : 1;
