/** Every way to have a request sent over the protocol: each tool, resource, completion and live address. */
import type { Client } from "@modelcontextprotocol/client";
import { createCalls } from "../../src/calls/index.js";
import { liveAddress } from "../../src/calls/live-address.js";
import type { Engine } from "../../src/engine/index.js";
import { type MenuChoice, menuOf, wholeMenu } from "../../src/engine/menu.js";
import { createPlans } from "../../src/guard/index.js";
import type { Arguments } from "../../src/language/conduct.js";
import type { AnyOperation } from "../../src/language/define.js";
import { isRead } from "../../src/language/effect.js";
import { readingsOf } from "../../src/mcp/tool.js";
import { resolvedExample } from "../../src/pages/example.js";
import { noResultStore } from "../../src/rows/result-store.js";
import { secretFiles } from "../../src/secrets/files.js";
import { accountReadings } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { clientOf, surfaceOf } from "../lab/client.js";
import { inDepth } from "../lab/depth.js";
import { onEmulator } from "../lab/emulated.js";
import { auditTo } from "../lab/options.js";
import { operationsIn, servicesOfProject } from "../lab/project.js";
import { secretDirectory } from "../lab/secret-files.js";
import { memoryState } from "../lab/state.js";
import { wholeSearch } from "../search/whole.js";
import { createRecorder } from "./recorder.js";
import { fewExamples, tools } from "./targets.js";

const services = await servicesOfProject();
const readings = await readingsOf(services, await allWorkflows());
const files = secretFiles(secretDirectory());

export const operations: ReadonlyMap<string, AnyOperation> = new Map(operationsIn(services));
const toolOf = new Map([...operations].map(([tool, one]) => [one, tool]));

/** An audit line. */
interface Recorded {
  readonly event: string;
  readonly tool: string;
  readonly call: string;
  readonly parent?: string;
  readonly makes?: string;
  readonly purpose?: string;
  readonly requests?: number;
}

/** The requests that were sent, and their audit lines. */
export interface Left {
  /** The number of requests by the tool whose route they met. */
  readonly met: ReadonlyMap<string, number>;
  readonly lines: readonly Recorded[];
}

/** A turn of the event loop, in which the audit lines of reads are written. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A process whose requests and audit lines are observed, and clients of it that are offered a choice of tools. */
export function beginProcess() {
  const recorder = createRecorder();
  const lines: string[] = [];
  const noPlans = () => createPlans({ ttlMs: 600_000 });
  let plans = noPlans();
  let seen = { requests: 0, lines: 0, hasChanged: false };
  const begun = (): Engine => {
    const calls = createCalls({
      ...onEmulator(tools, recorder.emulator.send, 16_000_000),
      plans,
      audit: auditTo(lines),
      secretFiles: files,
      accountReadings: () => accountReadings("documents"),
      search: wholeSearch,
    });
    const alone = {
      calls,
      results: noResultStore,
      presentation: { upstream: "the emulator", secrets: [], maxTokens: 100_000, isTextOnly: true },
      account: "the emulator",
      plan: async () => undefined,
    };
    return {
      ...alone,
      plans,
      state: memoryState(),
      runtimeFor: async () => alone,
      check: async () => undefined,
      close: async () => undefined,
    };
  };
  return {
    /** A client of a process that has just started, so that nothing that others have read is remembered. */
    async client(choice: Partial<MenuChoice> = {}): Promise<Client> {
      const engine = begun();
      const menu = menuOf(tools, { ...wholeMenu, ...choice });
      return (await clientOf(surfaceOf({ catalogue: tools, readings, engine: async () => engine }), undefined, menu))
        .client;
    },
    /**
     * What was sent since the last look. Then all changes are reset: what one way has changed must not decide what the
     * next one meets.
     * @param isGoingOn Whether the way has not ended yet, so that its changes stay.
     */
    async left({ isGoingOn = false } = {}): Promise<Left> {
      await turn();
      await turn();
      const all = await recorder.requests(seen.requests);
      const met = new Map<string, number>();
      for (const { operation: one } of all) {
        const tool = toolOf.get(one) ?? "";
        met.set(tool, (met.get(tool) ?? 0) + 1);
      }
      const own = lines.slice(seen.lines).map((line) => JSON.parse(line) as Recorded);
      const hasChanged = seen.hasChanged || all.some(({ operation: one }) => !isRead(one));
      const isReset = hasChanged && !isGoingOn;
      if (isReset) recorder.reset();
      if (!isGoingOn) plans = noPlans();
      seen = {
        hasChanged: hasChanged && !isReset,
        requests: isReset ? 0 : seen.requests + all.length,
        lines: lines.length,
      };
      return { met, lines: own.filter(({ event }) => event !== "opened") };
    },
  };
}

/** A way to have requests sent; returns everything that its client was told. */
export interface Way {
  readonly name: string;
  readonly go: (client: Client) => Promise<string>;
}

const textOf = (result: object): string => JSON.stringify(result);
const told = (work: Promise<object>): Promise<string> =>
  work.then(textOf, (error: unknown) => textOf({ error: String(error) }));

/** Calls a tool once. */
export const asked = (client: Client, name: string, args: Arguments): Promise<string> =>
  told(client.callTool({ name, arguments: { ...args } }));

/** Calls a tool, and confirms the call if it needs that. */
export async function called(client: Client, name: string, args: Arguments): Promise<string> {
  const first = await asked(client, name, args);
  const [, confirm] = /confirm: (plan_[\w-]{22})/.exec(first) ?? [];
  return confirm === undefined ? first : `${first}\n${await asked(client, name, { ...args, confirm })}`;
}

const byTool: readonly Way[] = fewExamples.map(([tool, args]) => ({
  name: tool,
  go: (client) => called(client, tool, args),
}));

const placeholders = (address: string) => [...address.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** The values for a template's placeholders that cannot be completed, or whose first completion does not exist. */
const given: Readonly<Record<string, string>> = { propertyId: "prp_175780", propertyVersion: "3" };

async function completed(client: Client, address: string, name: string, filled: Record<string, string>) {
  const ref = { type: "ref/resource", uri: address } as const;
  return client.complete({ ref, argument: { name, value: "" }, context: { arguments: filled } });
}

/** A whole address, completed while every tool is offered, so that an excluded tool only fails the read itself. */
async function addressFor(template: string): Promise<string> {
  const client = await beginProcess().client();
  const filled: Record<string, string> = {};
  for (const name of placeholders(template))
    filled[name] = given[name] ?? (await completed(client, template, name, filled)).completion.values[0] ?? "";
  await client.close();
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => filled[name] ?? "");
}

const evenly = <T>(all: readonly T[]): readonly T[] =>
  inDepth(
    all,
    all.filter((_, at) => at % Math.ceil(all.length / 6) === 0),
  );
const addresses = readings.resources.map(({ address }) => address);

const byResource = (): Promise<Way[]> =>
  Promise.all(
    evenly(addresses).map(async (address) => {
      const uri = await addressFor(address);
      return { name: `the resource ${address}`, go: (client) => told(client.readResource({ uri })) };
    }),
  );

const byCompletion: readonly Way[] = [
  ...addresses.flatMap((address) =>
    placeholders(address).map((name) => ({
      name: `the completion of ${name} in ${address}`,
      go: (client: Client) =>
        told(completed(client, address, name, { family: "audience-analytics", propertyId: "prp_175780" })),
    })),
  ),
  ...readings.prompts.flatMap((prompt) =>
    prompt.arguments.map(({ name }) => ({
      name: `the completion of ${name} in ${prompt.name}`,
      go: (client: Client) =>
        told(client.complete({ ref: { type: "ref/prompt", name: prompt.name }, argument: { name, value: "" } })),
    })),
  ),
];

/** Live addresses, with the path arguments from the example of the operation that shows the state; ids are made up. */
const byAddress: readonly Way[][] = [...operations].flatMap(([tool, declared]) => {
  const { awaits, example } = declared.spec;
  const shows = awaits?.status === undefined ? awaits && declared : operations.get(awaits.status);
  if (!shows) return [];
  const names = { ...resolvedExample(shows.spec.example, Date.now()) };
  const path = Object.fromEntries(Object.entries(names).filter(([name]) => Object.hasOwn(shows.spec.path ?? {}, name)));
  const uri = liveAddress(tool, declared, path, resolvedExample(example, Date.now()), undefined);
  const both: Way[] = [
    { name: `the live resource ${uri}`, go: (client: Client) => told(client.readResource({ uri })) },
    {
      name: `a subscription to ${uri}`,
      go: async (client: Client) => {
        const answer = await told(client.subscribeResource({ uri }));
        // The first poll is made a moment after the subscription is acknowledged.
        for (let at = 0; at < 5; at += 1) await turn();
        await told(client.unsubscribeResource({ uri }));
        return answer;
      },
    },
  ];
  return [both];
});

/** Some ways of each kind; in depth, all. */
export const waysOut = async (): Promise<readonly Way[]> => [
  ...byTool,
  ...(await byResource()),
  ...evenly(byCompletion),
  ...evenly(byAddress).flat(),
];
