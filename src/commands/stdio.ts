/**
 * `edgewise`: serves one client over stdio, and answers a first `tools/list` from a generated file before the SDK is
 * loaded.
 */
import { readFileSync } from "node:fs";
import { createSurface } from "../engine/create-surface.js";
import { listsEveryTool } from "../engine/menu.js";
import { isRecord } from "../language/member.js";
import { parsedJson } from "../text/parsed-json.js";
import { type Command, log } from "./command.js";

/** The file with the result of `tools/list`, generated from the finished server. */
export const firstListFile = "first-list.json";

const prefix = "io.modelcontextprotocol/";

/**
 * The id of a message that asks for the first page of tools and nothing else; undefined for any other message, which is
 * left to the SDK.
 */
function listRequestId(line: string): string | number | undefined {
  const message = parsedJson(line);
  if (!isRecord(message) || message["jsonrpc"] !== "2.0" || message["method"] !== "tools/list") return undefined;
  const { id, params } = message;
  const isId = typeof id === "string" || Number.isSafeInteger(id);
  if (!isId || !isRecord(params) || Object.keys(params).join() !== "_meta" || !isRecord(params["_meta"]))
    return undefined;
  const {
    [`${prefix}protocolVersion`]: version,
    [`${prefix}clientCapabilities`]: capabilities,
    [`${prefix}clientInfo`]: info,
    ...otherMembers
  } = params["_meta"];
  const isUsual =
    version === "2026-07-28" &&
    isRecord(capabilities) &&
    Object.values(capabilities).every(isRecord) &&
    (info === undefined ||
      (isRecord(info) && typeof info["name"] === "string" && typeof info["version"] === "string")) &&
    Object.keys(otherMembers).length === 0;
  return isUsual ? (id as string | number) : undefined;
}

// If a client has sent nothing for this long, loading the SDK is a better use of the time.
const firstMessageTimeoutMs = 30;

/** Waits for the first message and answers it if it is that request; all other bytes stay on the stream. */
async function answerFirstList(): Promise<void> {
  const { stdin, stdout } = process;
  const chunk = await new Promise<Buffer | null>((resolve) => {
    // Listening to "readable" leaves the stream unchanged for the next listener, unlike "data".
    const done = () => {
      clearTimeout(timer);
      stdin.off("readable", done);
      resolve(stdin.read() as Buffer | null);
    };
    const timer = setTimeout(done, firstMessageTimeoutMs);
    stdin.on("readable", done);
  });
  if (chunk === null) return;
  const end = chunk.indexOf("\n");
  const id = end < 0 ? undefined : listRequestId(chunk.toString("utf8", 0, end));
  if (id === undefined) {
    stdin.unshift(chunk);
    return;
  }
  const result = readFileSync(new URL(`./${firstListFile}`, import.meta.url), "utf8");
  const answer = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`;
  // The list is longer than the buffer of a pipe or socket, and loading the SDK would delay the rest.
  await new Promise((resolve) => stdout.write(answer, resolve));
  if (end + 1 < chunk.length) stdin.unshift(chunk.subarray(end + 1));
}

export const stdioCommand: Command = async (config) => {
  const surface = await createSurface(config, log);
  log(surface.notice);
  // The generated file has every tool; a shorter list is made on request.
  if (!surface.isReadOnly && listsEveryTool(surface.choice)) await answerFirstList();
  const { serveOverStdio } = await import("../mcp/stdio.js");
  serveOverStdio(surface, log, surface.close);
  return 0;
};
