/** Starts servers to be measured, and speaks raw JSON-RPC to them, so that the cost of a client library is not measured. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
export const message = (id: number, method: string, params: Record<string, unknown> = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } });

/** The value below which a share of all values is. */
export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
export const median = (values: readonly number[]): number => quantile(values, 0.5);

const home = mkdtempSync(join(tmpdir(), "edgewise-bench-"));
const environment = { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home };

export const start = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, args, { env: environment, stdio: ["pipe", "pipe", "pipe"] });

/** A process's resident memory in MB, where the system tells it. */
export function residentMb(child: ChildProcess): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

// Linux counts it in hundredths of a second, whatever the machine's own clock is.
const ticksMs = 10;

/** The processor's time that a process has taken, where the system tells it; zero for one that has ended. */
export function processorMs({ pid }: { readonly pid?: number | undefined }): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return 0;
  // The name, in parentheses, may hold spaces; behind it come the state and ten more fields before these two.
  const fields = readFileSync(path, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * ticksMs;
}

/** Sends lines to a process one at a time, each after the response to the last. */
export function lines(child: ChildProcess): (line: string) => Promise<string> {
  let buffered = "";
  let onLine: (line: string) => void = () => undefined;
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    buffered += text;
    for (let end = buffered.indexOf("\n"); end >= 0; end = buffered.indexOf("\n")) {
      const line = buffered.slice(0, end);
      buffered = buffered.slice(end + 1);
      onLine(line);
    }
  });
  return (line) =>
    new Promise((resolve) => {
      onLine = resolve;
      child.stdin?.write(`${line}\n`);
    });
}

/** The address that a server says it listens at. */
export const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    let text = "";
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const [, url] = /at (http:[^\s;]+)/.exec(text) ?? [];
      if (url) resolve(url);
    });
  });
