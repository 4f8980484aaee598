/** Raw clients of the built server in both eras and over both transports, which say what no honest client would say. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

export type Era = "2025" | "2026";

/** The answer to a question: a result, an error with its code, or nothing for a client that fails to ask. */
type UserAnswer = object | undefined;

/** The answer of a user who says nothing at all. */
export const silence: UserAnswer = {};

/** The answer of a client that reports an error instead. */
export const failing = (code: number, message: string): UserAnswer => Object.assign(new Error(message), { code });

export interface Raw {
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly inputRequests?: unknown;
  readonly requestState?: string;
}

export interface Peer {
  readonly era: Era;
  /** Whether it says that it can ask: for good when it connects in the 2025 era, with each call in the 2026 era. */
  hasForms: boolean;
  /** What the user says when the server asks, in the 2025 era. */
  user: UserAnswer;
  /** Calls a tool with whatever else the message is to say; undefined when the protocol itself refused it. */
  call(tool: string, args: object, more?: object): Promise<Raw | undefined>;
  close(): Promise<void>;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly result?: Raw;
}

const versions = { "2025": "2025-11-25", "2026": "2026-07-28" } as const;
const clientInfo = { name: "raw", version: "1.0.0" };
/** Words by which a client could hope to be let through; none of them means anything to the server. */
const loosening = { approval: "off", policy: "allow", "read-only": "false", confirm: "true" };
const looseningHeaders = Object.fromEntries(
  Object.entries(loosening).map(([key, value]) => [`x-edgewise-${key}`, value]),
);

const capabilitiesOf = (hasForms: boolean) => (hasForms ? { elicitation: { form: {} } } : {});

/** The parameters of a call in either era. */
const paramsOf = (era: Era, hasForms: boolean, name: string, args: object, more: object) => ({
  name,
  arguments: args,
  _meta: {
    ...loosening,
    ...(era === "2025"
      ? {}
      : {
          "io.modelcontextprotocol/protocolVersion": versions[era],
          "io.modelcontextprotocol/clientInfo": clientInfo,
          "io.modelcontextprotocol/clientCapabilities": capabilitiesOf(hasForms),
        }),
  },
  ...more,
});

const initializing = (hasForms: boolean) => ({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: versions["2025"], capabilities: capabilitiesOf(hasForms), clientInfo },
});

const nobody = failing(-32_603, "There is nobody here.");

function answering(id: Message["id"], user: UserAnswer = nobody) {
  const { code, message } = user as { readonly code?: number; readonly message?: string };
  const answer = user instanceof Error ? { error: { code, message } } : { result: user };
  return { jsonrpc: "2.0", id, ...answer };
}

/** Starts a server of its own and talks to it over stdin and stdout. */
export async function stdioPeer(
  era: Era,
  hasForms: boolean,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Peer> {
  const child: ChildProcess = spawn(process.execPath, ["dist/server.js", ...args], {
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const { stdin, stdout } = child;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  return streamPeer(era, hasForms, { stdin: stdin as Writable, stdout: stdout as Readable, gone });
}

/** Talks to a server by the streams that are its stdin and stdout. */
export async function streamPeer(
  era: Era,
  hasForms: boolean,
  { stdin, stdout, gone }: { readonly stdin: Writable; readonly stdout: Readable; readonly gone: Promise<unknown> },
): Promise<Peer> {
  const waiting = new Map<Message["id"], (message: Message) => void>();
  const say = (message: object) => void stdin.write(`${JSON.stringify(message)}\n`);
  const asked = (message: { readonly id: number }): Promise<Message> =>
    new Promise((resolve) => {
      waiting.set(message.id, resolve);
      say(message);
    });
  let id = 0;
  const peer: Peer = {
    era,
    hasForms,
    user: undefined,
    async call(tool, given, more = {}) {
      id += 1;
      const params = paramsOf(era, peer.hasForms, tool, given, more);
      return (await asked({ jsonrpc: "2.0", id, method: "tools/call", params } as never)).result;
    },
    async close() {
      stdin.end();
      await gone;
    },
  };
  createInterface({ input: stdout }).on("line", (line) => {
    const message = JSON.parse(line) as Message;
    if (message.method !== "elicitation/create") waiting.get(message.id)?.(message);
    else if (peer.user !== silence) say(answering(message.id, peer.user));
  });
  if (era === "2025") {
    await asked(initializing(hasForms));
    say({ jsonrpc: "2.0", method: "notifications/initialized" });
  }
  return peer;
}

/** The messages of a response as they arrive, from one JSON text or from a stream of events. */
async function* messagesOf(response: Response): AsyncGenerator<Message> {
  if (!response.headers.get("content-type")?.includes("event-stream")) {
    const text = await response.text();
    if (text !== "") yield JSON.parse(text) as Message;
    return;
  }
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events)
      for (const line of event.split("\n"))
        if (line.startsWith("data: {")) yield JSON.parse(line.slice("data: ".length)) as Message;
  }
}

/** Talks to a server that is running, as the holder of a token. */
export async function httpPeer(era: Era, hasForms: boolean, url: string, token: string): Promise<Peer> {
  let session: Record<string, string> = {};
  const post = (message: object, more: Record<string, string> = {}) =>
    fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${token}`,
        "mcp-protocol-version": versions[era],
        ...looseningHeaders,
        ...session,
        ...more,
      },
      body: JSON.stringify(message),
    });
  let id = 0;
  const answer = async (message: Message): Promise<void> => {
    if (peer.user !== silence) await (await post(answering(message.id, peer.user))).text();
  };
  const peer: Peer = {
    era,
    hasForms,
    user: undefined,
    async call(tool, args, more = {}) {
      id += 1;
      const own = id;
      const params = paramsOf(era, peer.hasForms, tool, args, more);
      const named: Record<string, string> = era === "2026" ? { "mcp-method": "tools/call", "mcp-name": tool } : {};
      const response = await post({ jsonrpc: "2.0", id: own, method: "tools/call", params }, named);
      for await (const message of messagesOf(response)) {
        if (message.method === "elicitation/create") await answer(message);
        else if (message.id === own) return message.result;
      }
      return undefined;
    },
    async close() {
      if (era === "2025")
        await fetch(url, { method: "DELETE", headers: { authorization: `Bearer ${token}`, ...session } });
    },
  };
  if (era === "2025") {
    const response = await post(initializing(hasForms));
    session = { "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
    await response.text();
    await (await post({ jsonrpc: "2.0", method: "notifications/initialized" })).text();
  }
  return peer;
}
