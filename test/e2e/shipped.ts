/** What is handed to users, looked at from outside: its files, its links, its traces of the machine that built it. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, normalize, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

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

/** The text of a page without what stands in it as code. */
const proseOf = (page: string): string => page.replaceAll(/^```.*?^```|^ {4}.*$|`[^`\n]*`/gms, "");

/** The links between the pages in a directory that lead to no file in it. */
export function deadLinksIn(directory: string): string[] {
  const files = filesIn(directory);
  return files
    .filter((name) => name.endsWith(".md"))
    .flatMap((page) => {
      const prose = proseOf(readFileSync(join(directory, page), "utf8"));
      const links = [...prose.matchAll(/\]\((?![a-z]+:)([^)#\s]+)[^)]*\)/g)];
      const targets = links.map(([, target = ""]) => normalize(join(dirname(page), target)));
      return targets.filter((target) => !files.includes(target)).map((target) => `${page} -> ${target}`);
    });
}

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
