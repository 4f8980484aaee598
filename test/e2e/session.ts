/** Real MCP clients against the built server: the same few verbs over every client, era and transport. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

export const kinds = ["v2 2026 stdio", "v2 2025 stdio", "v2 2026 http", "v2 2025 http", "v1 stdio", "v1 http"] as const;
export type Kind = (typeof kinds)[number];

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
  close(): Promise<void>;
}

export interface Start {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly answer?: Answer;
}

/** An environment in which nothing is configured. */
export const bareEnvironment = (extra: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: mkdtempSync(join(tmpdir(), "edgewise-home-")),
  ...extra,
});

const info = { name: "test", version: "1.0.0" };
const server = "dist/server.js";

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
      if (match !== undefined) resolve({ child, match, stderr: () => stderr });
    });
    child.once("exit", (code) => reject(new Error(`exited with ${code}: ${stderr}`)));
  });
}

async function connectV1(transport: StdioV1 | HttpV1, answer: Answer | undefined): Promise<ClientV1> {
  const client = new ClientV1(info, { capabilities: answer ? { elicitation: {} } : {} });
  if (answer) client.setRequestHandler(ElicitRequestSchema, (request) => answer(request.params.message) as never);
  await client.connect(transport as never);
  return client;
}

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

/** Connects a client of the given kind to a server of its own. */
export async function connect(kind: Kind, { flags = [], env, answer }: Start = {}): Promise<Session> {
  const environment = bareEnvironment(env);
  const isV1 = kind.startsWith("v1");
  let stderr = "";
  let stop = async (): Promise<void> => undefined;
  let client: Client;
  if (kind.endsWith("stdio")) {
    const parameters = {
      command: process.execPath,
      args: [server, ...flags],
      env: environment,
      stderr: "pipe" as const,
    };
    const transport = isV1 ? new StdioV1(parameters) : new StdioClientTransport(parameters);
    transport.stderr?.on("data", (chunk) => {
      stderr += String(chunk);
    });
    client = isV1
      ? ((await connectV1(transport as StdioV1, answer)) as unknown as Client)
      : await connectV2(transport as StdioClientTransport, kind.includes("2026"), answer);
  } else {
    // Over HTTP only a client with a token makes changes.
    const token = randomBytes(32).toString("hex");
    const file = join(mkdtempSync(join(tmpdir(), "edgewise-token-")), "tokens");
    writeFileSync(file, `test ${token}\n`, { mode: 0o600 });
    const own = ["--port", "0", "--token-file", file, "--allow-writes"];
    const started = await startProcess(["http", ...own, ...flags], environment, /serving MCP at (\S+)/);
    stop = async () => {
      const gone = new Promise((resolve) => started.child.once("exit", resolve));
      started.child.kill("SIGTERM");
      await gone;
    };
    const url = new URL(started.match);
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    client = isV1
      ? ((await connectV1(new HttpV1(url, { requestInit }), answer)) as unknown as Client)
      : await connectV2(new StreamableHTTPClientTransport(url, { requestInit }), kind.includes("2026"), answer);
    stderr = started.stderr();
  }
  return {
    call: async (name, args, options) => {
      const result = isV1
        ? await (client as unknown as ClientV1).callTool({ name, arguments: args }, undefined, options)
        : await client.callTool({ name, arguments: args }, options);
      return result as unknown as Result;
    },
    client,
    stderr: () => stderr,
    close: async () => {
      await client.close();
      await stop();
    },
  };
}
