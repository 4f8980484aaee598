/** Two profiles whose upstreams are the tests' own: each records whose credential came, and answers as the emulator does. */
import { createServer } from "node:http";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { apisOf, menuSettingsOf, readConfig } from "../../src/config.js";
import { demoCredentials } from "../../src/emulator/credentials.js";
import { createEmulator } from "../../src/emulator/index.js";
import { createWorld } from "../../src/emulator/world.js";
import { createEngine } from "../../src/engine/index.js";
import { type MenuChoice, menuOf, readMenuChoice, wholeMenu } from "../../src/engine/menu.js";
import type { Surface } from "../../src/engine/surface.js";
import { lazily, onceFor } from "../../src/language/once-for.js";
import type { Apis } from "../../src/language/service.js";
import { serverFactory } from "../../src/mcp/server.js";
import { catalogueOf, readingsOf } from "../../src/mcp/tool.js";
import { configuredProfiles } from "../../src/profiles/index.js";
import { allServices } from "../../src/tools/index.js";
import { freshStamp, sign } from "../../src/wire/sign.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { file } from "../lab/files.js";
import type { Result } from "../lab/session.js";

export const services = await allServices("documents");
const all = await allServices();
const madeFor = onceFor(async ({ apis }: { readonly apis: Apis }) => ({
  catalogue: catalogueOf(all, await allWorkflows(apis), apis),
  readings: await readingsOf(all, await allWorkflows(apis), apis),
}));
const settings = { documents: { apis: "documents" }, today: { apis: "today" } } as const;

/** A request as it came: the host it was for, and the client token in its signature. */
type Seen = Readonly<Record<"method" | "path" | "host" | "token" | "accept", string>>;

export type Recorder = Awaited<ReturnType<typeof startRecorder>>;

/** Starts an upstream on this machine. It takes any credential, and notes which. */
export async function startRecorder(seed = 1) {
  const world = createWorld({ seed });
  const emulator = createEmulator({ world, wallNow: () => Date.now() });
  const seen: Seen[] = [];
  const refusals: number[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "GET", url: path = "/", headers } = request;
    const token = /client_token=([^;]*);/.exec(headers.authorization ?? "")?.[1] ?? "";
    seen.push({ method, path, host: headers.host ?? "", token, accept: headers.accept ?? "" });
    const status = refusals.shift();
    if (status !== undefined) return response.writeHead(status, { "content-type": "application/json" }).end("{}");
    const signed = {
      method,
      url: new URL(path, "https://emulator.invalid"),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body: Buffer.concat(chunks),
    };
    const authorization = sign(signed, demoCredentials, freshStamp(Date.now()));
    const own = { ...signed.headers, authorization };
    const answer = await emulator.send({ ...signed, headers: own, timeLeftMs: 10_000 });
    response.writeHead(answer.status, answer.headers);
    for await (const part of answer.body) response.write(part);
    return response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    world,
    /** The status of the next answers in place of the emulator's. */
    refuse: (...statuses: readonly number[]) => void refusals.push(...statuses),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Four values that nobody else has. */
export const fieldsOf = (name: string) => ({
  host: `${name}.luna.akamaiapis.net`,
  clientToken: `akab-${name}-client-token`,
  clientSecret: `c2VjcmV0LW9mLXRoZS1wcm9maWxlLSR7bmFtZX0-${name}`,
  accessToken: `akab-${name}-access-token`,
});

/** Writes a configuration, and returns its path. */
export const configFile = (value: string | object, mode = 0o600): string =>
  file(value, { name: "edgewise.json", mode });

/** The surface of a process with these flags, from the sources. */
export async function surfaceWith(
  flags: readonly string[],
  choice: Partial<MenuChoice> = {},
  log: (line: string) => void = () => undefined,
) {
  // Its credentials look like those of live accounts, with which some tools would be left out.
  const config = readConfig(["--state-dir", "memory", "--apis", "documents", ...flags], {});
  const profiles = await configuredProfiles(config.values);
  const { catalogue, readings } = await madeFor(settings[apisOf(config).apis]);
  const engine = lazily(() => createEngine(config, catalogue, log, profiles));
  const given = { ...menuSettingsOf(config), surface: choice.surface ?? wholeMenu.surface };
  const own = readMenuChoice(given, () => catalogue, profiles);
  const surface: Surface = {
    ...{ catalogue, readings, version: "1", isEmulated: false, isReadOnly: false },
    ...{ choice: own, engine },
  };
  return { surface, menu: menuOf(catalogue, own), engine };
}

/** A client in the same process, and its calls; it can be asked where somebody answers. */
export async function clientOf(surface: Surface, answer?: (message: string) => unknown) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await serverFactory(surface)().connect(theirs);
  const capabilities = answer ? { elicitation: { form: {} } } : {};
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  if (answer) client.setRequestHandler("elicitation/create", async ({ params }) => answer(params.message) as never);
  await client.connect(ours);
  const call = async (name: string, args: object): Promise<Result> =>
    (await client.callTool({ name, arguments: { ...args } })) as unknown as Result;
  return { client, call };
}

/** The arguments of a purge that the emulator takes. */
export const purge = { queueName: "default", body: { objects: ["https://www.example.com/a.jpg"] } };
