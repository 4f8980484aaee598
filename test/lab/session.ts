/** Real MCP clients against the built server: the same few verbs over every client, era and transport. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { demoCredentials } from "../../src/emulator/credentials.js";
import { type CanarySearch, canarySearch, canaryVariables, secretsIn } from "./canary.js";
import { folder } from "./files.js";
import { instanceCount, isSystemLane } from "./run/lane.js";

const allKinds = ["v2 2026 stdio", "v2 2025 stdio", "v2 2026 http", "v2 2025 http", "v1 stdio", "v1 http"] as const;
export type Kind = (typeof allKinds)[number];
/** The newest protocol over HTTP and the oldest over stdio, with which `npm test` makes do. */
const quickKinds: readonly Kind[] = ["v2 2026 http", "v1 stdio"];
/** The clients of a test; those over stdio have a server of their own, of which there are no several instances. */
export const kinds: readonly Kind[] = (isSystemLane ? allKinds : quickKinds).filter(
  (kind) => instanceCount === 1 || kind.endsWith("http"),
);

/** What a person answers when asked; leave it out for a client that cannot ask. */
type Answer = (message: string) => {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, unknown>;
};

export interface Result {
  readonly isError?: boolean;
  readonly structuredContent: Record<string, unknown>;
  readonly content: readonly { readonly type: string; readonly text: string }[];
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; message?: string | undefined }) => void;
}

export interface Session {
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<Result>;
  readonly client: Client;
  stderr(): string;
  /** Ends the client and its server, and fails when a secret of the server was seen in anything that it let out. */
  close(): Promise<void>;
}

export interface Start {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly answer?: Answer;
  /** Whether a client of 2026 over stdio first starts another server to learn its revision, as the library has it. */
  readonly probesAside?: boolean;
  /** For a client over HTTP: a server that it shares with others, and that goes on when it ends. */
  readonly at?: HttpServer;
}

/** An environment in which nothing is configured. */
export function bareEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const home = extra["HOME"] ?? folder();
  // Windows has another name for it, and passes on the user's own where it is left out: with real credentials in it.
  return { PATH: process.env["PATH"] ?? "", ...extra, HOME: home, USERPROFILE: home };
}

const info = { name: "test", version: "1.0.0" };
const server = "dist/server.js";

/** The emulators that the tests have started; they accept no credentials but their own. */
const emulators = new Set<string>();

/** Starts `edgewise COMMAND` and resolves with the first stderr match of `pattern`. */
export function startProcess(
  args: readonly string[],
  env: Record<string, string>,
  pattern: RegExp,
): Promise<{ child: ChildProcess; match: string; stderr: () => string }> {
  const child = spawn(process.execPath, [server, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  return new Promise((resolve, reject) => {
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      const [, match] = pattern.exec(stderr) ?? [];
      if (match === undefined) return;
      if (args[0] === "emulator") emulators.add(match);
      resolve({ child, match, stderr: () => stderr });
    });
    child.once("exit", (code) => reject(new Error(`exited with ${code}: ${stderr}`)));
  });
}

/**
 * The environment of a server and the secrets in it. A server whose upstream a test scripts, and which is given no
 * credentials, gets canaries; any other without credentials has the emulator's, which are secrets of its process, too.
 */
export function environmentOf(flags: readonly string[], env: Start["env"]) {
  const given = bareEnvironment(env);
  const home = given["HOME"] ?? "";
  const upstream = flags[flags.indexOf("--upstream") + 1] ?? "";
  const isScripted = flags.includes("--upstream") && !emulators.has(upstream);
  const own = secretsIn(given, join(home, ".edgerc"));
  const environment = isScripted && own.length === 0 ? { ...given, ...canaryVariables } : given;
  const secrets = secretsIn(environment, join(home, ".edgerc"));
  const { clientToken, clientSecret, accessToken, basicPassword, bearerToken } = demoCredentials;
  const demo = [clientToken, clientSecret, accessToken, basicPassword, bearerToken];
  return { environment, home, search: canarySearch(secrets.length > 0 ? secrets : demo) };
}

/** Has every message that a transport receives searched before its client sees it. */
function searched<T extends { onmessage?: unknown }>(transport: T, search: CanarySearch): T {
  let receive: ((...args: readonly unknown[]) => unknown) | undefined;
  Object.defineProperty(transport, "onmessage", {
    get: () =>
      receive &&
      ((...args: readonly unknown[]) => {
        search.see("a message", JSON.stringify(args[0]));
        return receive?.(...args);
      }),
    set: (next: typeof receive) => {
      receive = next;
    },
  });
  return transport;
}

async function connectV1(transport: StdioV1 | HttpV1, answer: Answer | undefined): Promise<ClientV1> {
  const client = new ClientV1(info, { capabilities: answer ? { elicitation: {} } : {} });
  if (answer) client.setRequestHandler(ElicitRequestSchema, (request) => answer(request.params.message) as never);
  await client.connect(transport as never);
  return client;
}

/** A derived transport learns the revision from the server that it goes on with, which saves a process a session. */
class ProbedInPlace extends StdioClientTransport {}

type Transport = StdioV1 | HttpV1 | StdioClientTransport | StreamableHTTPClientTransport;

async function connectV2(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  isModern: boolean,
  answer: Answer | undefined,
): Promise<Client> {
  const client = new Client(info, {
    capabilities: answer ? { elicitation: { form: {} } } : {},
    ...(isModern ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
  });
  if (answer) client.setRequestHandler("elicitation/create", async ({ params }) => answer(params.message) as never);
  await client.connect(transport);
  return client;
}

/** A server over HTTP, and what its clients need. */
export interface HttpServer extends ReturnType<typeof environmentOf> {
  readonly url: URL;
  readonly token: string;
  /** Its process, where it is one that was started for the test. */
  readonly child?: ChildProcess;
  stderr(): string;
  stop(): Promise<void>;
}

/** A server in front of an upstream that somebody else has started, and ends. */
export const servedAt = (url: URL, token: string, upstream: string): HttpServer => ({
  ...environmentOf(["--upstream", upstream], {}),
  url,
  token,
  stderr: () => "",
  stop: async () => undefined,
});

/** Starts the emulator as a server of its own; `match` is its address. */
export const startEmulator = () =>
  startProcess(["emulator", "--port", "0"], bareEnvironment(), /POST (\S+)\/_emulator\/reset/);

/** What a call returns to a program. */
export const contentOf = async ({ call }: Pick<Session, "call">, name: string, args: Record<string, unknown>) =>
  (await call(name, args)).structuredContent;

/** Starts a server over HTTP for clients with one token: only those make changes. */
export async function serve({
  flags = [],
  env,
  name = "test",
}: Pick<Start, "flags" | "env"> & { readonly name?: string } = {}): Promise<HttpServer> {
  if (instanceCount > 1)
    return (await import("../system/instances.js")).serveInstances(instanceCount, { flags, ...(env && { env }) });
  const own = environmentOf(flags, env);
  const token = randomBytes(32).toString("hex");
  const file = join(folder(), "tokens");
  writeFileSync(file, `${name} ${token}\n`, { mode: 0o600 });
  const words = ["http", "--port", "0", "--token-file", file, "--allow-writes", ...flags];
  const { child, match, stderr } = await startProcess(words, own.environment, /serving MCP at ([^\s"]+)/);
  const stop = async () => {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await gone;
  };
  return { ...own, url: new URL(match), token, child, stderr, stop };
}

/** Connects a client of the given kind to a server of its own, or to one over HTTP that is there. */
export async function connect(kind: Kind, { flags = [], env, answer, probesAside, at }: Start = {}): Promise<Session> {
  const served = kind.endsWith("stdio") ? undefined : (at ?? (await serve({ flags, ...(env && { env }) })));
  const { environment, home, search } = served ?? environmentOf(flags, env);
  const isV1 = kind.startsWith("v1");
  let stderr = (): string => "";
  let client: Client;
  const connected = async (transport: Transport): Promise<Client> => {
    searched(transport, search);
    return isV1
      ? ((await connectV1(transport as StdioV1 | HttpV1, answer)) as unknown as Client)
      : connectV2(transport as StdioClientTransport | StreamableHTTPClientTransport, kind.includes("2026"), answer);
  };
  if (served === undefined) {
    const parameters = {
      command: process.execPath,
      args: [server, ...flags],
      env: environment,
      stderr: "pipe" as const,
    };
    const Stdio = isV1 ? StdioV1 : probesAside ? StdioClientTransport : ProbedInPlace;
    const transport = new Stdio(parameters);
    let text = "";
    transport.stderr?.on("data", (chunk) => {
      text += String(chunk);
    });
    stderr = () => text;
    client = await connected(transport);
  } else {
    const { url, token } = served;
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    stderr = served.stderr;
    client = await connected(
      isV1 ? new HttpV1(url, { requestInit }) : new StreamableHTTPClientTransport(url, { requestInit }),
    );
  }
  return {
    call: async (name, args, options) => {
      const result = isV1
        ? await (client as unknown as ClientV1).callTool({ name, arguments: args }, undefined, options)
        : await client.callTool({ name, arguments: args }, options);
      return result as unknown as Result;
    },
    client,
    stderr,
    close: async () => {
      await client.close();
      if (at === undefined) await served?.stop();
      search.see("stderr", stderr());
      search.seeFiles(home, [".edgerc"]);
      search.end();
    },
  };
}
