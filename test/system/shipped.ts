/** What is handed to users, looked at from outside: its files, its links, its traces of the machine that built it. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { deadLinksOf } from "../catalogue/docs/pages.js";

/** The paths of all files in a directory, relative to it, with slashes. */
export const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(directory, name)).isFile())
    .map((name) => name.replaceAll("\\", "/"))
    .sort();

/** The files that name the machine: the checkout, the home of its user, its Node. */
export function tracesIn(directory: string): string[] {
  const names = [resolve("."), `${homedir()}/`, process.execPath, `${process.version}-${process.versions.v8}`];
  return filesIn(directory).filter((name) => {
    const bytes = readFileSync(join(directory, name));
    return names.some((trace) => bytes.includes(trace));
  });
}

/** The links between the pages in a directory that lead to nothing. */
export const deadLinksIn = (directory: string): string[] =>
  filesIn(directory)
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) => deadLinksOf(join(directory, name)));

/** Has a client start a command and do some work with it; ends both. */
export async function withClient<T>(
  command: string,
  args: readonly string[],
  options: { readonly env: Record<string, string>; readonly cwd?: string },
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args: [...args], stderr: "ignore", ...options }));
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
